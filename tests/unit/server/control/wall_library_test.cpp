// The coordinator compares the libraries of the wall's servers: on real stores, with servers whose connections are
// function calls.
#include "server/control/wall_library.h"

#include "common/messages/message.h"
#include "common/store/checksum.h"
#include "server/control/methods.h"
#include "tests/support/store_folder.h"
#include "tests/support/written_store.h"
#include "tests/unit/server/control/service_fixture.h"

#include <catch2/catch.hpp>

#include <functional>
#include <memory>

namespace {

using namespace lw;
using namespace lw::test;
using namespace std::chrono_literals;

// a coordinates and sends the left tile, b the right one; b2 stands by for b.
Wall three_servers() {
  auto wall = two_tiles();
  wall.servers.resize(3);
  const char* names[] = {"a", "b", "b2"};
  for (std::size_t i = 0; i < 3; ++i) {
    wall.servers[i].name = names[i];
    wall.servers[i].control_port = static_cast<std::uint16_t>(9010 + i);
  }
  wall.servers[0].tiles = {{0}};
  wall.servers[1].tiles = {{1}};
  wall.servers[2].standby_for = "b";
  wall.servers[2].standby = Standby::hot;
  return wall;
}

class Link final : public WebPeer {
public:
  explicit Link(std::function<void(const std::string&)> take) : take_(std::move(take)) {}
  void send(std::shared_ptr<const std::string> text, bool /*droppable*/) override { take_(*text); }
  void close(const std::string& /*reason*/) override {}
  [[nodiscard]] const std::string& address() const override { return address_; }
  [[nodiscard]] const Visitor& visitor() const override { return visitor_; }
  [[nodiscard]] std::size_t unread_bytes() const override { return 0; }

private:
  std::function<void(const std::string&)> take_;
  std::string address_ = "127.0.0.1";
  Visitor visitor_;
};

struct Server {
  Server(const Wall& wall, const WallServer& self)
      : library({content.path}), plane(wall, self, library, session, {}, "") {}
  StoreFolder content;
  Library library;
  FakeSession session;
  ControlPlane plane;
};

// The coordinator a, connected to b and b2.
struct Servers {
  Wall wall = three_servers();
  Moment now{WallTime{100s}, LocalTime{100s}};
  Server a{wall, wall.servers[0]}, b{wall, wall.servers[1]}, b2{wall, wall.servers[2]};
  Link to_a_from_b{[this](const std::string& text) { a.plane.coordination().hear("b", text, now); }};
  Link to_a_from_b2{[this](const std::string& text) { a.plane.coordination().hear("b2", text, now); }};

  Servers() {
    for (auto* server : {&a, &b, &b2}) server->library.scan();
  }
  void connect(const std::string& name, Server& server, Link& back) {
    a.plane.coordination().connected(name, [this, &server, &back](const std::string& text) {
      if (const auto reply = server.plane.answer(text, {now, &back}); !reply.empty())
        back.send(std::make_shared<const std::string>(reply), false);
    });
  }
  void connect() {
    connect("b", b, to_a_from_b);
    connect("b2", b2, to_a_from_b2);
  }
  // Long enough for new directories to be noticed, and lists to be exchanged.
  void run() {
    for (int tick = 0; tick < 250; ++tick) {
      now.local += 20ms;
      now.wall += 20ms;
      for (auto* server : {&a, &b, &b2}) server->plane.step(now);
    }
  }
  Json call(const std::string& method, const Json& params = Json::object()) {
    return Json::parse(a.plane.answer(rpc_request(1, method, params), {now, nullptr}));
  }
  Json listed(const std::string& name) {
    const auto answer = call("list");
    for (const auto& entry : answer["result"]["visualizations"])
      if (entry["name"] == name) return entry;
    return nullptr;
  }
  // "ready, absent, unknown"
  std::string states(const std::string& name) {
    std::string all;
    const auto entry = listed(name);
    if (!entry.is_object() || !entry.contains("servers")) return "none";
    for (const auto& copy : entry["servers"]) all += (all.empty() ? "" : ", ") + copy["state"].get<std::string>();
    return all;
  }
  void store(Server& server, const std::string& name, std::uint32_t frames = 6) {
    write_store(server.content.path / name, wall.grid, frames);
  }
};

}  // namespace

TEST_CASE("the coordinator lists which servers have a visualization, and refuses to load what one lacks") {
  Servers servers;
  for (auto* server : {&servers.a, &servers.b, &servers.b2}) servers.store(*server, "everywhere");
  servers.store(servers.a, "alone");
  servers.store(servers.b, "elsewhere");
  servers.store(servers.a, "other");
  servers.store(servers.b, "other", 7);
  servers.store(servers.b2, "other", 7);
  servers.connect();
  servers.run();
  CHECK(servers.states("everywhere") == "ready, ready, ready");
  CHECK(servers.listed("everywhere")["fits"] == true);
  CHECK(servers.call("load", {{"name", "everywhere"}}).contains("result"));

  CHECK(servers.states("alone") == "ready, absent, absent");
  CHECK(servers.listed("alone")["fits"] == false);
  const std::string lacks = servers.call("load", {{"name", "alone"}})["error"]["message"];
  CHECK(lacks.starts_with("server 'b' has no alone; "));
  CHECK(servers.listed("alone")["reason"] == lacks);
  CHECK(servers.a.session.calls.size() == 1);
  CHECK(servers.call("load", {{"name", "alone"}, {"incomplete", true}}).contains("result"));
  CHECK(servers.a.session.calls.back() == "load alone 0");

  CHECK(servers.states("elsewhere") == "absent, ready, absent");
  CHECK(servers.listed("elsewhere").size() == 4);
  const std::string here = servers.call("load", {{"name", "elsewhere"}})["error"]["message"];
  CHECK(here.starts_with("server 'a' has no elsewhere; "));

  CHECK(servers.states("other") == "ready, other-edition, other-edition");
  const std::string edition = servers.call("load", {{"name", "other"}})["error"]["message"];
  CHECK(edition.starts_with("server 'b' has another edition of other; "));
}

TEST_CASE("a server's tiles are shown if its standby can send them") {
  Servers servers;
  for (auto* server : {&servers.a, &servers.b2}) servers.store(*server, "film");
  servers.connect();
  servers.run();
  CHECK(servers.states("film") == "ready, absent, ready");
  CHECK(servers.listed("film")["fits"] == true);
  CHECK(servers.call("load", {{"name", "film"}}).contains("result"));
}

TEST_CASE("what is imported, removed or damaged on another server is noticed") {
  Servers servers;
  servers.store(servers.a, "film");
  servers.connect();
  servers.run();
  CHECK(servers.states("film") == "ready, absent, absent");
  servers.store(servers.b, "film");
  servers.store(servers.b2, "film");
  servers.run();
  CHECK(servers.states("film") == "ready, ready, ready");
  std::filesystem::remove_all(servers.b.content.path / "film");
  servers.run();
  CHECK(servers.states("film") == "ready, absent, ready");
  // In place, so that only a scan notices: list asks for one.
  std::filesystem::resize_file(servers.b2.content.path / "film" / "tile-1-0.npy", 10);
  servers.run();
  CHECK(servers.states("film") == "ready, absent, ready");
  servers.run();
  CHECK(servers.states("film") == "ready, absent, unfit");
  CHECK(servers.listed("film")["servers"][2]["reason"].get<std::string>().find("tile-1-0.npy") != std::string::npos);
  CHECK(servers.listed("film")["fits"] == false);
}

TEST_CASE("of a server that is not connected, nothing is known, and nothing is refused") {
  Servers servers;
  servers.store(servers.a, "film");
  servers.connect("b", servers.b, servers.to_a_from_b);
  servers.run();
  CHECK(servers.states("film") == "ready, absent, unknown");
  CHECK(servers.call("load", {{"name", "film"}}).contains("result"));  // perhaps the standby has it
  servers.a.plane.coordination().lost("b", servers.now);
  CHECK(servers.states("film") == "ready, unknown, unknown");
}

TEST_CASE("a server that follows, and that of a wall with one, do not speak for others") {
  Servers servers;
  servers.store(servers.b, "film");
  servers.connect();
  servers.run();
  const auto answer =
      Json::parse(servers.b.plane.answer(rpc_request(1, "list", Json::object()), {servers.now, nullptr}));
  REQUIRE(answer["result"]["visualizations"].size() == 1);
  CHECK_FALSE(answer["result"]["visualizations"][0].contains("servers"));
  const StoreFolder content;
  write_store(content.path / "film", two_tiles().grid);
  Service service({content.path});
  CHECK_FALSE(service.call("list")["result"]["visualizations"][0].contains("servers"));
}
