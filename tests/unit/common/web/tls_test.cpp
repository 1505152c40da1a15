// TLS on the port that serves everything: both ends together, and unknown clients that speak it wrongly or not at all.
// In these tests, clients on loopback are treated like any others.
#include "common/access/gate.h"
#include "common/web/web_client.h"
#include "common/web/web_server.h"
#include "tests/support/raw_client.h"
#include "tests/support/temporary_folder.h"

#include <spdlog/spdlog.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace lw;
using lw::test::pump;
using lw::test::pump_for;
using lw::test::RawClient;
using lw::test::TemporaryFolder;
using namespace std::chrono_literals;

// A server with a gate, which echoes messages.
struct Guarded {
  TemporaryFolder folder, of_client;
  boost::asio::io_context io{1};
  std::uint16_t port = lw::test::free_port();
  std::optional<Gate> gate;
  std::vector<WebPeer*> peers;
  unsigned asked = 0;
  std::unique_ptr<WebServer> server;
  std::vector<std::string> heard, reasons;
  unsigned opened = 0;
  std::unique_ptr<WebClient> client;

  explicit Guarded(WebLimits limits = {}, bool trust_this_host = false) {
    spdlog::set_level(spdlog::level::off);
    serve(limits, trust_this_host);
  }
  void serve(WebLimits limits = {}, bool trust_this_host = false) {
    gate.emplace(folder.path);
    WebHandlers handlers;
    handlers.opened = [this](WebPeer& peer) { peers.push_back(&peer); };
    handlers.message = [](WebPeer& peer, std::string_view text) { peer.send(std::string(text)); };
    handlers.closed = [this](WebPeer& peer) { std::erase(peers, &peer); };
    handlers.get = [](std::string_view) { return HttpReply{200, "text/plain", "here\n"}; };
    handlers.admit = [this](const WebRequest& request) {
      ++asked;
      return gate->admit(request, LocalClock::now());
    };
    auto listening = WebServer::listen(io, "127.0.0.1", port, std::move(handlers), limits,
                                       {own_certificate(folder.path).value(), trust_this_host});
    REQUIRE(listening.has_value());
    server = std::move(*listening);
  }
  std::string token(AccessRole role = AccessRole::operate, const std::string& name = "desk") {
    return add_token(folder.path / "tokens.json", name, role).value();
  }
  [[nodiscard]] Credentials credentials(const std::string& token) const {
    Credentials made;
    made.known_servers = of_client.path / "known-servers";
    made.token = token;
    made.tls = TlsUse::always;
    return made;
  }
  void connect(const Credentials& credentials) {
    client = WebClient::connect(io, "127.0.0.1", port,
                                {[this] { ++opened; }, [this](std::string_view text) { heard.emplace_back(text); },
                                 [this](const std::string& reason) { reasons.push_back(reason); }},
                                credentials);
  }
  std::string refusal() {
    REQUIRE(pump(io, [this] { return !reasons.empty(); }));
    CHECK(opened == 0);
    return reasons.back();
  }
};

}  // namespace

TEST_CASE("with TLS and a token messages go both ways, and the server knows the caller") {
  Guarded guarded;
  guarded.connect(guarded.credentials(guarded.token()));
  REQUIRE(pump(guarded.io, [&] { return guarded.opened == 1 && guarded.peers.size() == 1; }));
  CHECK(guarded.peers[0]->visitor().name == "desk");
  CHECK(guarded.peers[0]->visitor().role == AccessRole::operate);
  const std::string large(900'000, 'm');
  guarded.client->send(large);
  guarded.client->send("small");
  REQUIRE(pump(guarded.io, [&] { return guarded.heard.size() == 2; }));
  CHECK(guarded.heard[0] == large);
  CHECK(guarded.heard[1] == "small");
  CHECK(guarded.gate->knows(guarded.peers[0]->visitor()));
  REQUIRE(remove_token(guarded.folder.path / "tokens.json", "desk").has_value());
  guarded.gate->refresh();
  CHECK_FALSE(guarded.gate->knows(guarded.peers[0]->visitor()));
  guarded.peers[0]->close("removed");
  CHECK(pump(guarded.io, [&] { return guarded.peers.empty() && !guarded.reasons.empty(); }));
}

TEST_CASE("a server with another certificate does not even get the token") {
  Guarded guarded;
  const auto token = guarded.token();
  SECTION("than the wall file's") {
    auto credentials = guarded.credentials(token);
    credentials.fingerprint = "sha256:" + std::string(64, '0');
    guarded.connect(credentials);
    CHECK_THAT(guarded.refusal(), Catch::Contains("is another one (sha256:") && Catch::Contains("wall file"));
  }
  SECTION("than before") {
    guarded.of_client.write("known-servers",
                            "127.0.0.1:" + std::to_string(guarded.port) + " sha256:" + std::string(64, '0') + "\n");
    guarded.connect(guarded.credentials(token));
    CHECK_THAT(guarded.refusal(), Catch::Contains("than before; if this is intended, remove its line from"));
  }
  SECTION("than the CA signed") {
    const TemporaryFolder other;
    auto credentials = guarded.credentials(token);
    credentials.ca = own_certificate(other.path)->certificate;
    guarded.connect(credentials);
    CHECK_THAT(guarded.refusal(), Catch::StartsWith("TLS: ") && Catch::Contains("verify failed"));
  }
  pump_for(guarded.io, 50ms);
  CHECK(guarded.asked == 0);
}

TEST_CASE("a certificate is trusted by the wall file, by a CA, or since first use") {
  Guarded guarded;
  auto credentials = guarded.credentials(guarded.token());
  SECTION("wall file") {
    credentials.fingerprint = fingerprint_of(guarded.folder.path / "control.crt").value();
    credentials.known_servers.clear();
  }
  SECTION("CA") { credentials.ca = guarded.folder.path / "control.crt"; }
  SECTION("met before") {
    guarded.of_client.write("known-servers", "127.0.0.1:" + std::to_string(guarded.port) + " " +
                                                 fingerprint_of(guarded.folder.path / "control.crt").value() + "\n");
  }
  guarded.connect(credentials);
  CHECK(pump(guarded.io, [&] { return guarded.opened == 1; }));
}

TEST_CASE("without TLS no other host is admitted, whatever its token") {
  Guarded guarded;
  const auto token = guarded.token();
  RawClient get(guarded.io, guarded.port);
  CHECK_THAT(get.exchange("GET /there HTTP/1.1\r\nAuthorization: Bearer " + token + "\r\n\r\n"),
             Catch::StartsWith("HTTP/1.1 403 ") && Catch::EndsWith("TLS only\n"));
  RawClient socket(guarded.io, guarded.port);
  CHECK_THAT(socket.upgrade("Authorization: Bearer " + token + "\r\n"), Catch::StartsWith("HTTP/1.1 403 "));
  CHECK(guarded.asked == 0);
}

TEST_CASE("this host's programs need neither TLS nor a token") {
  Guarded guarded({}, true);
  CHECK_THAT(RawClient(guarded.io, guarded.port).exchange("GET / HTTP/1.1\r\n\r\n"), Catch::EndsWith("here\n"));
  guarded.connect(guarded.credentials(""));  // but it may have it
  REQUIRE(pump(guarded.io, [&] { return guarded.opened == 1 && guarded.peers.size() == 1; }));
  CHECK(guarded.peers[0]->visitor().name == "loopback");
  CHECK(guarded.peers[0]->visitor().role == AccessRole::administer);
}

TEST_CASE("a client with a missing or wrong token gets the reason") {
  Guarded guarded;
  SECTION("none") {
    guarded.connect(guarded.credentials(""));
    CHECK_THAT(guarded.refusal(), Catch::Contains("requires a token"));
  }
  SECTION("wrong") {
    guarded.connect(guarded.credentials("lw-" + std::string(64, '0')));
    CHECK(guarded.refusal() == "the server does not know this token");
  }
  SECTION("wrong too often") {
    for (std::size_t i = 0; i < FailureLimiter::failures_max; ++i) {
      guarded.reasons.clear();
      guarded.connect(guarded.credentials("lw-" + std::string(64, '0')));
      CHECK(guarded.refusal() == "the server does not know this token");
    }
    guarded.reasons.clear();
    guarded.connect(guarded.credentials(guarded.token()));  // a correct one from there also waits
    CHECK_THAT(guarded.refusal(), Catch::Contains("too many wrong tokens"));
    guarded.gate->tell_attempts(LocalClock::now() + AttemptLog::interval);
    CHECK_THAT(guarded.folder.read("audit-attempts.ndjson"), Catch::Contains("refused: a wrong token, waits"));
  }
  CHECK(guarded.peers.empty());
  CHECK_THAT(guarded.folder.read("audit-attempts.ndjson"), Catch::Contains("refused: "));
}

TEST_CASE("unreadable tokens let nobody in") {
  Guarded guarded;
  const auto token = guarded.token();
  guarded.folder.write("tokens.json", "{");
  guarded.connect(guarded.credentials(token));
  CHECK(guarded.refusal() == "the server does not know this token");
}

TEST_CASE("a client that begins a handshake and does not finish it is dropped") {
  Guarded guarded({.request = 200ms});
  RawClient nothing(guarded.io, guarded.port);
  RawClient half(guarded.io, guarded.port);
  half.write(std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11));  // the beginning of a ClientHello
  CHECK(nothing.closes(3s));
  CHECK(half.closes(3s));
  RawClient rubbish(guarded.io, guarded.port);
  rubbish.write("\x16\x03\x01" + std::string(500, 'x'));
  CHECK(rubbish.closes(3s));
}

TEST_CASE("unauthenticated clients have a share of the connections, and the oldest makes room for the next") {
  Guarded guarded({.connections = 12, .kept_free = 4, .strangers_of_network = 100, .request = 60s});
  guarded.connect(guarded.credentials(guarded.token()));
  REQUIRE(pump(guarded.io, [&] { return guarded.peers.size() == 1; }));
  std::vector<std::unique_ptr<RawClient>> strangers;
  for (int i = 0; i < 30; ++i) {
    strangers.push_back(std::make_unique<RawClient>(guarded.io, guarded.port));
    pump_for(guarded.io, 2ms);
  }
  const auto open = [&] {
    return std::ranges::count_if(strangers, [](auto& stranger) { return !stranger->closed(); });
  };
  REQUIRE(pump(guarded.io, [&] { return open() <= 7; }));
  CHECK(open() == 7);  // of 12, minus those kept free and the admitted one
  CHECK_FALSE(strangers.back()->closed());
  CHECK(guarded.peers.size() == 1);
  guarded.client.reset();
  guarded.opened = 0;
  guarded.connect(guarded.credentials(guarded.token(AccessRole::view, "other")));  // connects in the meantime
  CHECK(pump(guarded.io, [&] { return guarded.opened == 1; }));
}

TEST_CASE("one network's unauthenticated clients do not take the places of others") {
  Guarded guarded({.strangers_of_network = 3, .request = 60s});
  std::vector<std::unique_ptr<RawClient>> strangers;
  for (int i = 0; i < 10; ++i) {
    strangers.push_back(std::make_unique<RawClient>(guarded.io, guarded.port));
    pump_for(guarded.io, 2ms);
  }
  const auto open = [&] {
    return std::ranges::count_if(strangers, [](auto& stranger) { return !stranger->closed(); });
  };
  CHECK(pump(guarded.io, [&] { return open() == 3; }));
}

TEST_CASE("each token has a share of the connections, and connected clients stay") {
  Guarded guarded({.of_token = 3});
  const auto token = guarded.token();
  std::vector<std::unique_ptr<WebClient>> clients;
  unsigned opened = 0;
  std::string refused;
  const auto open = [&](const std::string& shown) {
    clients.push_back(WebClient::connect(
        guarded.io, "127.0.0.1", guarded.port,
        {[&] { ++opened; }, [](std::string_view) {}, [&](const std::string& reason) { refused = reason; }},
        guarded.credentials(shown)));
  };
  for (unsigned i = 1; i <= 3; ++i) {
    open(token);
    REQUIRE(pump(guarded.io, [&] { return opened == i && guarded.peers.size() == i; }));
  }
  open(token);
  REQUIRE(pump(guarded.io, [&] { return !refused.empty(); }));
  CHECK_THAT(refused, Catch::Contains("its maximum number of connections"));
  CHECK(guarded.peers.size() == 3);
  open(guarded.token(AccessRole::view, "other"));
  REQUIRE(pump(guarded.io, [&] { return opened == 4 && guarded.peers.size() == 4; }));
}

TEST_CASE("a request for /healthz without a token takes the place of an unauthenticated client") {
  Guarded guarded;
  guarded.server.reset();
  WebHandlers handlers;
  handlers.get = [](std::string_view) {
    return HttpReply{200, "text/plain", std::string(std::size_t{16} << 20U, 'x')};
  };
  handlers.admit = [&](const WebRequest& request) { return guarded.gate->admit(request, LocalClock::now()); };
  const auto server = WebServer::listen(guarded.io, "127.0.0.1", guarded.port, std::move(handlers),
                                        {.strangers_of_network = 3, .request = 60s}, {.trust_this_host = false});
  REQUIRE(server.has_value());
  // Each is being answered, and takes time to read the answer.
  std::vector<std::unique_ptr<RawClient>> asking;
  for (int i = 0; i < 10; ++i) {
    asking.push_back(std::make_unique<RawClient>(guarded.io, guarded.port, 4096));
    asking.back()->write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    pump_for(guarded.io, 5ms);
  }
  const auto open = [&] { return std::ranges::count_if(asking, [](auto& client) { return !client->closed(); }); };
  CHECK(pump(guarded.io, [&] { return open() <= 3; }));
}

TEST_CASE("a key that does not match the certificate is an error that names it") {
  const TemporaryFolder one;
  const TemporaryFolder other;
  boost::asio::io_context io;
  const auto listen = [&](const CertificateFiles& files) {
    return WebServer::listen(io, "127.0.0.1", lw::test::free_port(), {}, {}, {files}).error().text();
  };
  const auto mine = own_certificate(one.path).value();
  CHECK_THAT(listen({mine.certificate, own_certificate(other.path)->key}), Catch::Contains("control.key"));
  CHECK_THAT(listen({one.path / "none", mine.key}), Catch::Contains("cannot use the certificate"));
}
