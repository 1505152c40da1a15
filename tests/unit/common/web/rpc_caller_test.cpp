// Calls are answered, refused, or end with an error in bounded time; a missing server is reported at once.
#include "common/web/rpc_caller.h"

#include "common/web/web_server.h"
#include "tests/support/raw_client.h"

#include <catch2/catch.hpp>

#include <thread>

using namespace lw;
using namespace std::chrono_literals;

namespace {

// Answers `twice`, refuses `no`, does not answer `wait`, and hangs up on `bye`.
struct Answering {
  boost::asio::io_context io{1};
  std::uint16_t port = lw::test::free_port();
  std::unique_ptr<WebServer> server;
  std::thread thread;

  Answering() {
    WebHandlers handlers;
    handlers.opened = [](WebPeer&) {};
    handlers.closed = [](WebPeer&) {};
    handlers.get = [](std::string_view) { return HttpReply{}; };
    handlers.message = [](WebPeer& peer, std::string_view text) {
      const auto request = std::get<RpcRequest>(parse_rpc(text));
      peer.send(rpc_notification("stats", Json::object()));
      if (request.method == "twice") peer.send(rpc_result(request.id, request.params["n"].get<int>() * 2));
      if (request.method == "no") peer.send(rpc_failure({request.id, rpc_code::cannot, "not now"}));
      if (request.method == "bye") peer.close("bye");
    };
    auto listening = WebServer::listen(io, "127.0.0.1", port, std::move(handlers));
    REQUIRE(listening.has_value());
    server = std::move(*listening);
    thread = std::thread([this] { io.run(); });
  }
  ~Answering() {
    io.stop();
    thread.join();
  }
  [[nodiscard]] std::string where() const { return "127.0.0.1:" + std::to_string(port); }
};

}  // namespace

TEST_CASE("calls are answered in order, or say why not") {
  const Answering server;
  const std::atomic<bool> stop{false};
  const auto caller = RpcCaller::connect(server.where(), stop);
  REQUIRE(caller.has_value());
  CHECK((*caller)->call("twice", {{"n", 21}}).value() == 42);
  const auto refused = (*caller)->call("no", Json::object());
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().what == "no: not now");
  const auto silent = (*caller)->call("wait", Json::object(), 300ms);
  REQUIRE_FALSE(silent.has_value());
  CHECK(silent.error().what == "no answer from " + server.where());
  CHECK((*caller)->call("twice", {{"n", 1}}).value() == 2);
  const auto gone = (*caller)->call("bye", Json::object());
  REQUIRE_FALSE(gone.has_value());
  CHECK_THAT(gone.error().what, Catch::StartsWith("lost the connection to " + server.where()));
}

TEST_CASE("a missing server, an invalid address and a stop are reported") {
  std::atomic<bool> stop{false};
  const auto nobody = RpcCaller::connect("127.0.0.1:" + std::to_string(lw::test::free_port()), stop);
  REQUIRE_FALSE(nobody.has_value());
  CHECK_THAT(nobody.error().what, Catch::StartsWith("no connection to 127.0.0.1:"));
  for (const char* wrong : {"localhost:1", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:70000", ""})
    CHECK_THAT(RpcCaller::connect(wrong, stop).error().what, Catch::Contains("not a numeric address with a port"));
  const Answering server;
  stop = true;
  CHECK_FALSE(RpcCaller::connect(server.where(), stop).has_value());
}
