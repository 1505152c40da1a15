// docs/protocol.md describes every method of the control plane, and no other.
#include "common/control/rpc.h"
#include "server/control/control_service.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <catch2/catch.hpp>

#include <fstream>
#include <set>
#include <string>

namespace {

using namespace lw;

class FakeSession final : public Session {
public:
  Result<void> load(const std::string&, std::uint32_t, bool) override { return {}; }
  Result<void> play() override { return {}; }
  Result<void> pause() override { return {}; }
  Result<void> stop() override { return {}; }
  Result<void> seek(std::uint32_t) override { return {}; }
  Result<void> set_rate(double) override { return {}; }
  Result<void> set_loop(bool) override { return {}; }
  Result<void> set_playlist(std::vector<std::string>) override { return {}; }
  void poll() override {}
  [[nodiscard]] PlayState state() const override { return {}; }
  [[nodiscard]] std::vector<SenderFlowStats> sender_stats() const override { return {}; }
};

std::uint16_t free_port(boost::asio::io_context& io) {
  using boost::asio::ip::tcp;
  const tcp::acceptor acceptor(io, {boost::asio::ip::address_v4::loopback(), 0});
  return acceptor.local_endpoint().port();
}

// The first column of the table under "### Methods".
std::set<std::string> documented_methods() {
  std::ifstream in(LW_SOURCE_DIR "/docs/protocol.md");
  std::set<std::string> names;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#")) inside = line == "### Methods";
    if (inside && line.starts_with("| `")) names.insert(line.substr(3, line.find('`', 3) - 3));
  }
  return names;
}

struct Service {
  Wall wall = *parse_wall(R"(
    [wall]
    name = "one"
    columns = 1
    rows = 1
    tile_width = 64
    tile_height = 40
    frame_rate = 30
    [[node]]
    name = "n"
    address = "127.0.0.1"
    tiles = [{ column = 0, row = 0 }]
    [[server]]
    name = "s")",
                          "wall.toml");
  boost::asio::io_context io;
  Library library{{}};
  FakeSession session;
  std::unique_ptr<ControlService> control;

  Service() {
    wall.server.control_port = free_port(io);
    auto started = ControlService::start(io, wall, library, session, [](const LibraryEntry&) { return Json::object(); });
    REQUIRE(started.has_value());
    control = std::move(*started);
  }
  Json call(const std::string& method, const Json& params = Json::object()) { return Json::parse(control->answer(rpc_request(1, method, params))); }
};

}  // namespace

TEST_CASE("docs/protocol.md has every method and no other") {
  Service service;
  const auto names = service.control->method_names();
  CHECK(documented_methods() == std::set<std::string>(names.begin(), names.end()));
  CHECK(std::set<std::string>(names.begin(), names.end()).size() == names.size());
}

TEST_CASE("info lists the methods, and each is there") {
  Service service;
  const auto answer = service.call("info");
  REQUIRE(answer.contains("result"));
  CHECK(answer["result"]["methods"] == Json(service.control->method_names()));
  CHECK(answer["result"]["protocol"] == protocol_version);
  for (const auto& name : service.control->method_names()) {
    const auto reply = service.call(name, {{"nobody_asks_for_this", 1}});
    INFO(name << ": " << reply.dump());
    // node.report takes only what it knows out of its params; without node.hello it is refused.
    REQUIRE(reply.contains("error"));
    CHECK(reply["error"]["code"] == (name == "node.report" ? rpc_code::cannot : rpc_code::bad_params));
  }
  CHECK(service.call("no-such-method")["error"]["code"] == rpc_code::unknown_method);
}
