// The port that serves everything: HTTP answers, WebSocket messages, and peers that are rude, slow, dead or too many.
#include "common/web/web_server.h"

#include "common/base/host_name.h"
#include "common/messages/rpc.h"
#include "tests/support/raw_client.h"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <vector>

namespace {

using namespace lw;
using lw::test::pump;
using lw::test::pump_for;
using lw::test::RawClient;
using namespace std::chrono_literals;

constexpr std::size_t large_bytes = 900'000;

// Echoes every message, and answers "large" with this many bytes.
struct Echo {
  boost::asio::io_context io{1};
  std::uint16_t port = lw::test::free_port();
  std::vector<WebPeer*> peers;
  unsigned closed = 0;
  std::unique_ptr<WebServer> server;

  explicit Echo(WebLimits limits = {}) {
    WebHandlers handlers;
    handlers.opened = [this](WebPeer& peer) { peers.push_back(&peer); };
    handlers.message = [](WebPeer& peer, std::string_view text) {
      peer.send(text == "large" ? std::string(large_bytes, 'l') : std::string(text));
    };
    handlers.closed = [this](WebPeer& peer) {
      std::erase(peers, &peer);
      ++closed;
    };
    handlers.get = [](std::string_view path) {
      return path == "/there" ? HttpReply{200, "text/plain", "here\n"} : HttpReply{404, "text/plain", "not here\n"};
    };
    auto listening = WebServer::listen(io, "127.0.0.1", port, std::move(handlers), limits,
                                       {{}, true, {"wall.example.org", "*.walls.example.org"}, ", or do this"});
    REQUIRE(listening.has_value());
    server = std::move(*listening);
  }
  std::string http(std::string_view request) { return RawClient(io, port).exchange(request); }
  // A client that is a WebSocket.
  std::unique_ptr<RawClient> open(int receive_buffer = 0) {
    auto client = std::make_unique<RawClient>(io, port, receive_buffer);
    REQUIRE(client->upgrade() == "HTTP/1.1 101 Switching Protocols");
    const auto count = peers.size();
    if (count == 0) REQUIRE(pump(io, [this] { return !peers.empty(); }));
    return client;
  }
};

}  // namespace

TEST_CASE("HTTP: known, unknown and forbidden requests") {
  Echo echo;
  const auto good = echo.http("GET /there HTTP/1.1\r\nHost: localhost\r\n\r\n");
  CHECK_THAT(good, Catch::StartsWith("HTTP/1.1 200 ") && Catch::EndsWith("\r\n\r\nhere\n"));
  CHECK_THAT(good, Catch::Contains("Content-Length: 5"));
  CHECK_THAT(echo.http("GET /there?x=1 HTTP/1.1\r\n\r\n"), Catch::StartsWith("HTTP/1.1 200 "));
  CHECK_THAT(echo.http("GET /elsewhere HTTP/1.1\r\n\r\n"), Catch::StartsWith("HTTP/1.1 404 "));
  CHECK_THAT(echo.http("POST /there HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"),
             Catch::StartsWith("HTTP/1.1 405 ") && Catch::Contains("Allow: GET"));
  CHECK_THAT(echo.http("GET /there HTTP/1.1\r\nOrigin: http://elsewhere.example\r\n\r\n"),
             Catch::StartsWith("HTTP/1.1 403 "));
  CHECK(echo.closed == 0);  // none was a WebSocket
}

TEST_CASE("web pages do not become WebSockets") {
  Echo echo;
  RawClient page(echo.io, echo.port);
  CHECK_THAT(page.upgrade("Origin: http://elsewhere.example\r\n"), Catch::StartsWith("HTTP/1.1 403 "));
  CHECK(echo.peers.empty());
}

TEST_CASE("a port with a page of its own admits that page, and its POST, and no other page") {
  boost::asio::io_context io{1};
  const auto port = lw::test::free_port();
  std::vector<std::string> posts;
  WebHandlers handlers;
  handlers.opened = [](WebPeer&) {};
  handlers.closed = [](WebPeer&) {};
  handlers.get = [](std::string_view) { return HttpReply{200, "text/plain", "page\n"}; };
  handlers.admit = [](const WebRequest& request) -> std::variant<Visitor, HttpReply> {
    if (request.path == "/closed") return HttpReply{401, "text/plain", request.from_page ? "page\n" : "program\n"};
    return Visitor();
  };
  handlers.post = [&](const WebRequest& request, std::string_view body) {
    posts.push_back(std::string(request.path) + " " + std::string(request.cookies) + " " + std::string(body));
    return HttpReply{200, "text/plain", "taken\n"};
  };
  const auto server = WebServer::listen(io, "127.0.0.1", port, std::move(handlers));
  REQUIRE(server.has_value());
  const auto host = "localhost:" + std::to_string(port);
  const auto own = "Host: " + host + "\r\nOrigin: http://" + host + "\r\n";
  const auto http = [&](const std::string& request) { return RawClient(io, port).exchange(request); };
  CHECK_THAT(http("GET / HTTP/1.1\r\n" + own + "\r\n"), Catch::StartsWith("HTTP/1.1 200 "));
  CHECK_THAT(http("GET /closed HTTP/1.1\r\n" + own + "\r\n"), Catch::EndsWith("\r\n\r\npage\n"));
  CHECK_THAT(http("GET /closed HTTP/1.1\r\nHost: " + host + "\r\n\r\n"), Catch::EndsWith("\r\n\r\nprogram\n"));
  CHECK_THAT(http("POST /in?x HTTP/1.1\r\n" + own + "Cookie: a=b\r\nContent-Length: 3\r\n\r\nabc"),
             Catch::StartsWith("HTTP/1.1 200 ") && Catch::EndsWith("taken\n"));
  CHECK_THAT(http("POST /in HTTP/1.1\r\n" + own + "Cookie: a=b\r\nCookie: c=d\r\nContent-Length: 0\r\n\r\n"),
             Catch::StartsWith("HTTP/1.1 200 "));
  CHECK(posts == std::vector<std::string>{"/in a=b abc", "/in  "});
  CHECK_THAT(http("POST /closed HTTP/1.1\r\n" + own + "Content-Length: 3\r\n\r\nabc"),
             Catch::StartsWith("HTTP/1.1 401 "));
  for (const auto& refused :
       {std::string("Host: ") + host + "\r\n", "Host: " + host + "\r\nOrigin: null\r\n",
        "Host: " + host + "\r\nOrigin: https://" + host + "\r\n", std::string("Origin: http://") + host + "\r\n",
        "Host: evil.example\r\nOrigin: http://" + host + "\r\n", own + "Origin: http://" + host + "\r\n"}) {
    INFO(refused);
    CHECK_THAT(http("POST /in HTTP/1.1\r\n" + refused + "Content-Length: 0\r\n\r\n"),
               Catch::StartsWith("HTTP/1.1 403 "));
  }
  // Its own name for itself does not make a page the server's.
  CHECK_THAT(http("GET / HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\n\r\n"),
             Catch::StartsWith("HTTP/1.1 421 "));
  for (const char* length : {"", "Transfer-Encoding: chunked\r\n"})
    CHECK_THAT(http("POST /in HTTP/1.1\r\n" + own + length + "\r\n"), Catch::StartsWith("HTTP/1.1 411 "));
  CHECK_THAT(http("POST /in HTTP/1.1\r\n" + own + "Content-Length: 1025\r\n\r\n"), Catch::StartsWith("HTTP/1.1 413 "));
  CHECK_THAT(http("POST /in HTTP/1.1\r\n" + own + "Content-Length: 1024\r\n\r\n" + std::string(1024, 'b')),
             Catch::StartsWith("HTTP/1.1 200 "));
  RawClient page(io, port);
  CHECK(page.upgrade("Origin: http://" + host + "\r\n", host) == "HTTP/1.1 101 Switching Protocols");
  RawClient other(io, port);
  CHECK_THAT(other.upgrade("Origin: http://elsewhere.example\r\n", host), Catch::StartsWith("HTTP/1.1 403 "));
  RawClient half(io, port);
  half.write("POST /in HTTP/1.1\r\n" + own + "Content-Length: 9\r\n\r\nhalf");
  CHECK(posts.size() == 3);
}

TEST_CASE("a request that calls the server by another name is refused, whatever it asks for") {
  Echo echo;
  for (const char* own :
       {"localhost", "LocalHost.", "localhost:1234", "127.0.0.1", "127.0.0.1:9999", "127.1.2.3:1", "[::1]",
        "[::1]:9010", "::1", "wall.example.org", "WALL.example.org:443", "a.walls.example.org"}) {
    INFO(own);
    CHECK_THAT(echo.http(std::string("GET /there HTTP/1.1\r\nHost: ") + own + "\r\n\r\n"),
               Catch::StartsWith("HTTP/1.1 200 "));
  }
  CHECK_THAT(echo.http("GET /there HTTP/1.1\r\nHost: " + host_name() + ":9010\r\n\r\n"),
             Catch::StartsWith("HTTP/1.1 200 "));
  for (const char* other : {"evil.example", "evil.example:9010", "localhost.evil.example", "127.0.0.1.evil.example",
                            "example.org", "walls.example.org", "b.a.walls.example.org", "10.0.0.1:9010", "[::2]:1", "",
                            ":80", "[", "user@localhost", "localhost:x"}) {
    INFO(other);
    for (const char* path : {"/there", "/healthz", "/metrics", "/none"}) {
      const auto answer = echo.http(fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", path, other));
      CHECK_THAT(answer, Catch::StartsWith("HTTP/1.1 421 "));
      CHECK_THAT(answer, Catch::Contains("call it by its address or host name, or do this"));
    }
  }
  CHECK_THAT(echo.http("GET /there HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n"),
             Catch::StartsWith("HTTP/1.1 4"));
  RawClient page(echo.io, echo.port);
  CHECK_THAT(page.upgrade("", "evil.example:9010"), Catch::StartsWith("HTTP/1.1 421 "));
  CHECK(echo.peers.empty());
}

TEST_CASE("garbage and long headers end their own connection only") {
  Echo echo;
  const auto other = echo.open();
  for (const auto& garbage : {std::string("\x16\x03\x01 not HTTP\r\n\r\n"), std::string(100'000, 'A'),
                              "GET / HTTP/1.1\r\nX: " + std::string(20'000, 'y') + "\r\n\r\n"}) {
    RawClient client(echo.io, echo.port);
    client.write(garbage);
    CHECK(client.closes());
  }
  other->send_frame("still here");
  CHECK(other->message() == "still here");
}

TEST_CASE("messages pass in both directions, of any length up to the limit") {
  Echo echo;
  auto client = echo.open();
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{125}, std::size_t{126}, std::size_t{65'536}, rpc_bytes_max}) {
    client->send_frame(std::string(size, 'm'));
    CHECK(client->message().size() == size);
  }
  client->send_frame("", 8);  // close
  CHECK(client->closes());
  client.reset();
  CHECK(pump(echo.io, [&] { return echo.closed == 1; }));
}

TEST_CASE("a message above the limit ends the connection with the reason") {
  Echo echo;
  const auto client = echo.open();
  client->send_frame(std::string(rpc_bytes_max + 1, 'm'));
  std::optional<RawClient::Frame> frame;
  REQUIRE(pump(echo.io, [&] { return (frame = client->next_frame()).has_value() || client->closed(); }));
  if (frame) {
    CHECK(frame->opcode == 8);
    CHECK(frame->payload.substr(0, 2) == "\x03\xf1");  // 1009, too big
  }
  CHECK(pump(echo.io, [&] { return echo.closed == 1; }));
  CHECK(echo.peers.empty());
}

TEST_CASE("a frame that breaks the protocol ends the connection") {
  Echo echo;
  auto client = echo.open();
  client->send_frame("", 3);  // a reserved opcode
  CHECK(client->closes());
  client.reset();
  CHECK(pump(echo.io, [&] { return echo.closed == 1; }));
}

TEST_CASE("half-open connections are dropped") {
  Echo echo({.request = 200ms, .silence = 300ms});
  RawClient nothing(echo.io, echo.port);
  RawClient half(echo.io, echo.port);
  half.write("GET /there HT");
  const auto dead = echo.open();  // never answers a ping
  CHECK(nothing.closes(3s));
  CHECK(half.closes(3s));
  CHECK(pump(
      echo.io, [&] { return echo.closed == 1; }, 3s));
}

TEST_CASE("a peer that answers pings remains connected") {
  Echo echo({.silence = 200ms});
  const auto client = echo.open();
  unsigned pings = 0;
  const auto end = std::chrono::steady_clock::now() + 1s;
  pump(echo.io, [&] {
    if (const auto frame = client->next_frame(); frame && frame->opcode == 9) {
      ++pings;
      client->send_frame(frame->payload, 10);
    }
    return std::chrono::steady_clock::now() > end;
  });
  CHECK(pings > 1);
  CHECK(echo.closed == 0);
}

TEST_CASE("a slow reader loses only messages that may be skipped") {
  Echo echo;
  const auto client = echo.open(4096);
  const auto statistics = std::make_shared<const std::string>(std::string(64 << 10, 's'));
  REQUIRE(echo.peers.size() == 1);
  for (int i = 0; i < 400; ++i) {
    echo.peers[0]->send(statistics, true);
    pump_for(echo.io, 0ms);
    echo.io.poll();
  }
  echo.peers[0]->send("important");
  unsigned got = 0;
  while (client->message() != "important") ++got;
  CHECK(got > 0);
  CHECK(got < 400);
  CHECK(echo.closed == 0);
}

TEST_CASE("statistics of a large wall reach a peer that has read everything before") {
  Echo echo;
  const auto client = echo.open();
  const auto statistics = std::make_shared<const std::string>(std::string(400 << 10, 's'));
  REQUIRE(echo.peers.size() == 1);
  for (int i = 0; i < 3; ++i) {
    echo.peers[0]->send(statistics, true);
    CHECK(client->message().size() == statistics->size());
    REQUIRE(pump(echo.io, [&] { return echo.peers[0]->unread_bytes() == 0; }));
  }
}

TEST_CASE("a peer that asks for more than it reads is paused, stays connected, and gets everything") {
  Echo echo;
  const auto greedy = echo.open(4096);
  constexpr int asked = 20;
  for (int i = 0; i < asked; ++i) greedy->send_frame("large");
  pump_for(echo.io, 50ms);
  REQUIRE(echo.peers.size() == 1);
  CHECK(echo.peers[0]->unread_bytes() < std::size_t{3} << 20U);
  for (int i = 0; i < asked; ++i) CHECK(greedy->message().size() == large_bytes);
  CHECK(echo.closed == 0);
}

TEST_CASE("a peer that reads nothing is disconnected before it costs memory") {
  Echo echo;
  const auto deaf = echo.open(4096);
  const auto other = echo.open();
  REQUIRE(pump(echo.io, [&] { return echo.peers.size() == 2; }));
  const auto state = std::make_shared<const std::string>(std::string(256 << 10, 'e'));
  unsigned sent = 0;
  while (echo.closed == 0 && sent < 200) {
    echo.peers[0]->send(state, false);
    ++sent;
    pump(
        echo.io, [&] { return echo.closed > 0; }, 1ms);
  }
  CHECK(echo.closed == 1);
  CHECK(sent * state->size() > 4U << 20U);
  other->send_frame("still here");
  CHECK(other->message() == "still here");
}

TEST_CASE("connections beyond the limit are closed at once") {
  Echo echo({.connections = 2});
  auto one = echo.open();
  const auto two = echo.open();
  RawClient three(echo.io, echo.port);
  CHECK(three.closes(3s));
  one.reset();
  REQUIRE(pump(echo.io, [&] { return echo.closed == 1; }));
  CHECK_THAT(echo.http("GET /there HTTP/1.1\r\n\r\n"), Catch::StartsWith("HTTP/1.1 200 "));
}

TEST_CASE("the close frame says why") {
  Echo echo;
  auto client = echo.open();
  echo.peers[0]->close("another is here");
  std::optional<RawClient::Frame> frame;
  REQUIRE(pump(echo.io, [&] { return (frame = client->next_frame()).has_value(); }));
  CHECK(frame->opcode == 8);
  CHECK(frame->payload.substr(2) == "another is here");
  client->send_frame(frame->payload, 8);
  CHECK(client->closes());
  client.reset();
  CHECK(pump(echo.io, [&] { return echo.closed == 1; }));
}

TEST_CASE("a port in use is an error that says so and how to fix it") {
  Echo echo;
  boost::asio::io_context io;
  const auto second = WebServer::listen(io, "127.0.0.1", echo.port, {});
  REQUIRE_FALSE(second.has_value());
  CHECK(second.error().text() == "127.0.0.1:" + std::to_string(echo.port) +
                                     " is in use; stop the other server or choose another [[server]] control address");
  const auto named = WebServer::listen(io, "localhost", echo.port, {});
  REQUIRE_FALSE(named.has_value());
  CHECK_THAT(named.error().text(), Catch::Contains("localhost"));
}

TEST_CASE("the server can be destroyed while peers are connected") {
  Echo echo;
  const auto client = echo.open();
  echo.server.reset();
  CHECK(client->closes());
  CHECK(echo.closed == 0);
}
