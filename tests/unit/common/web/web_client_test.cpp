// The client that stays connected: it recovers from outages, and nothing is sent or called after its destruction.
#include "common/web/web_client.h"

#include "common/web/web_server.h"
#include "tests/support/raw_client.h"

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <vector>

namespace {

using namespace lw;
using lw::test::pump;
using lw::test::pump_for;
using namespace std::chrono_literals;

struct Pair {
  boost::asio::io_context io{1};
  std::uint16_t port = lw::test::free_port();
  std::vector<std::string> server_heard, client_heard, reasons;
  unsigned opened = 0;
  std::vector<WebPeer*> peers;
  std::unique_ptr<WebServer> server;
  std::unique_ptr<WebClient> client;

  void serve() {
    WebHandlers handlers;
    handlers.opened = [this](WebPeer& peer) { peers.push_back(&peer); };
    handlers.message = [this](WebPeer&, std::string_view text) { server_heard.emplace_back(text); };
    handlers.closed = [this](WebPeer& peer) { std::erase(peers, &peer); };
    handlers.get = [](std::string_view) { return HttpReply{}; };
    auto listening = WebServer::listen(io, "127.0.0.1", port, std::move(handlers));
    REQUIRE(listening.has_value());
    server = std::move(*listening);
  }
  void connect(const std::string& host = "127.0.0.1") {
    client =
        WebClient::connect(io, host, port,
                           {[this] { ++opened; }, [this](std::string_view text) { client_heard.emplace_back(text); },
                            [this](const std::string& reason) { reasons.push_back(reason); }});
  }
};

}  // namespace

TEST_CASE("messages go both ways") {
  Pair pair;
  pair.serve();
  pair.connect();
  pair.client->send("too early");  // not connected yet: skipped
  REQUIRE(pump(pair.io, [&] { return pair.opened == 1 && pair.peers.size() == 1; }));
  pair.client->send("up");
  pair.peers[0]->send("down");
  REQUIRE(pump(pair.io, [&] { return !pair.server_heard.empty() && !pair.client_heard.empty(); }));
  CHECK(pair.server_heard == std::vector<std::string>{"up"});
  CHECK(pair.client_heard == std::vector<std::string>{"down"});
  CHECK(pair.reasons.empty());
}

TEST_CASE("the client may start before the server, and outlive it") {
  Pair pair;
  pair.connect();
  REQUIRE(pump(pair.io, [&] { return !pair.reasons.empty(); }));
  pair.serve();
  REQUIRE(pump(
      pair.io, [&] { return pair.opened == 1; }, 5s));
  pair.server.reset();
  pair.peers.clear();
  REQUIRE(pump(
      pair.io, [&] { return pair.reasons.size() > 1; }, 5s));
  pair.serve();
  REQUIRE(pump(
      pair.io, [&] { return pair.opened == 2 && pair.peers.size() == 1; }, 5s));
  pair.client->send("again");
  CHECK(pump(pair.io, [&] { return pair.server_heard == std::vector<std::string>{"again"}; }));
}

TEST_CASE("after a success the pause before the next attempt is short again") {
  Pair pair;
  pair.connect();
  REQUIRE(pump(pair.io, [&] { return pair.reasons.size() == 2; }));  // at once and after 0.25 s
  pair.serve();
  REQUIRE(pump(
      pair.io, [&] { return pair.opened == 1; }, 5s));
  pair.server.reset();
  pair.serve();
  const auto start = std::chrono::steady_clock::now();
  REQUIRE(pump(
      pair.io, [&] { return pair.opened == 2; }, 5s));
  CHECK(std::chrono::steady_clock::now() - start < 900ms);
}

TEST_CASE("a server without WebSocket and an invalid address are reported") {
  Pair pair;
  pair.connect("no address");
  CHECK(pair.reasons.empty());  // never from within connect
  REQUIRE(pump(pair.io, [&] { return !pair.reasons.empty(); }));
  CHECK_THAT(pair.reasons[0], Catch::Contains("no address"));
}

TEST_CASE("a client can be destroyed at any moment") {
  Pair pair;
  pair.serve();
  pair.connect();
  pair.client.reset();
  pump_for(pair.io, 50ms);
  CHECK(pair.opened == 0);
  pair.connect();
  REQUIRE(pump(pair.io, [&] { return pair.opened == 1 && pair.peers.size() == 1; }));
  pair.client->send("last words");
  pair.peers[0]->send("unheard");
  pair.client.reset();
  CHECK(pump(pair.io, [&] { return pair.peers.empty(); }));
  CHECK(pair.client_heard.empty());
  CHECK(pair.reasons.empty());
}
