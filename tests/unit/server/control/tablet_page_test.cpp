// The page for tablets over the server's port: who gets it, who is admitted, and which headers browsers get. The client
// here is not a browser, so it can also do what a browser never would.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "common/access/session_cookie.h"
#include "common/access/tokens.h"
#include "common/messages/summary.h"
#include "tests/support/source_folder.h"
#include "tests/support/store_folder.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/server/control/service_fixture.h"

namespace {

using namespace lw;
using lw::test::RawClient;
using lw::test::Service;
using namespace std::chrono_literals;

struct Tablet {
  Service& service;
  std::string host = "localhost:" + std::to_string(service.wall.coordinator().control_port);
  std::string cookie = {};

  std::string exchange(const std::string& first_line, const std::string& headers, const std::string& body = "") const {
    return RawClient(service.io, service.wall.coordinator().control_port)
        .exchange(first_line + " HTTP/1.1\r\nHost: " + host + "\r\n" + headers +
                  (cookie.empty() ? "" : "Cookie: " + cookie + "\r\n") + "\r\n" + body);
  }
  [[nodiscard]] std::string get(const std::string& path) const { return exchange("GET " + path, ""); }
  [[nodiscard]] std::string post(const std::string& path, const std::string& body) const {
    return exchange("POST " + path,
                    "Origin: http://" + host + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n", body);
  }
  std::string log_in(const std::string& ticket) {
    auto answer = post("/tablet/login", Json{{"ticket", ticket}}.dump());
    const std::string field = "Set-Cookie: ";
    if (const auto at = answer.find(field); at != std::string::npos)
      cookie = answer.substr(at + field.size(), answer.find(';', at) - at - field.size());
    return answer;
  }
  // The answer's first line to the request for a WebSocket.
  std::string upgrade(RawClient& client, const std::string& origin) const {
    return client.upgrade(
        (origin.empty() ? "" : "Origin: " + origin + "\r\n") + (cookie.empty() ? "" : "Cookie: " + cookie + "\r\n"),
        host);
  }
  [[nodiscard]] std::string own_origin() const { return "http://" + host; }
};

std::string ticket_of(Service& service, const Json& params = Json::object()) {
  return service.call("tablet_ticket", params)["result"]["ticket"];
}

unsigned status_of(const std::string& answer) { return static_cast<unsigned>(std::stoul(answer.substr(9, 3))); }

std::string body_of(const std::string& answer) { return answer.substr(answer.find("\r\n\r\n") + 4); }

Json call(RawClient& client, const std::string& method, const Json& params = Json::object()) {
  client.send_frame(rpc_request(1, method, params));
  for (;;)
    if (auto message = Json::parse(client.message()); message.contains("id")) return message;
}

std::string file_text(const std::filesystem::path& path) {
  std::ifstream in(test::source_folder() / path);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("everybody gets the page's files as they are in the tree, and nothing else of it") {
  Service service;
  const Tablet tablet{service};
  CHECK(body_of(tablet.get("/tablet")) == file_text("server/tablet/index.html"));
  for (const char* name : {"tablet.css", "main.js", "link.js", "health.js", "library.js", "playlist.js", "slider.js",
                           "sound.js", "transport.js", "words.js"}) {
    INFO(name);
    CHECK(body_of(tablet.get(std::string("/tablet/") + name)) == file_text(std::string("server/tablet/") + name));
  }
  CHECK(body_of(tablet.get("/tablet/icon.svg")) == file_text("deploy/desktop/lambdawall-control.svg"));
  for (const char* path : {"/tablet/", "/tablet/session", "/tablet/socket", "/tablet/poster/a", "/tablet/../metrics",
                           "/tablet/none.js", "/tablet/tablet.css/"}) {
    INFO(path);
    CHECK(status_of(tablet.get(path)) == 401);
  }
  CHECK(status_of(tablet.get("/tablets")) == 404);
  CHECK(status_of(tablet.exchange("HEAD /tablet", "")) == 405);
}

TEST_CASE("the page has no script, style or address outside its own files") {
  const auto page = file_text("server/tablet/index.html");
  for (const char* part : {"<style", " style=", "<script>", " onclick", "javascript:", "http:", "https:", "//"}) {
    INFO(part);
    CHECK_THAT(page, !Catch::Contains(part));
  }
  for (const char* name : {"main.js", "link.js", "health.js", "library.js", "playlist.js", "slider.js", "sound.js",
                           "transport.js", "words.js"}) {
    const auto script = file_text(std::string("server/tablet/") + name);
    for (const char* part : {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "localStorage",
                             "sessionStorage", "document.cookie", ".style"}) {
      INFO(name << ": " << part);
      CHECK_THAT(script, !Catch::Contains(part));
    }
  }
}

TEST_CASE("every answer of the page tells browsers to run, embed, refer and keep nothing else") {
  Service service;
  Tablet tablet{service};
  const auto check = [](const std::string& answer) {
    INFO(answer);
    for (const char* header :
         {"\r\nContent-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
          "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'\r\n",
          "\r\nX-Content-Type-Options: nosniff\r\n", "\r\nReferrer-Policy: no-referrer\r\n",
          "\r\nCache-Control: no-store\r\n", "\r\nX-Frame-Options: DENY\r\n",
          "\r\nCross-Origin-Resource-Policy: same-origin\r\n"})
      CHECK_THAT(answer, Catch::Contains(header));
  };
  for (const char* path : {"/tablet", "/tablet/main.js", "/tablet/tablet.css", "/tablet/session", "/tablet/none"})
    check(tablet.get(path));
  check(tablet.log_in("wrong"));
  check(tablet.log_in(ticket_of(service)));
  for (const char* path : {"/tablet/session", "/tablet/none", "/tablet/poster/none", "/tablet/poster/%zz"})
    check(tablet.get(path));
  check(tablet.post("/tablet/logout", ""));
}

TEST_CASE("a ticket opens a session once; its cookie opens the page's WebSocket") {
  Service service;
  Tablet tablet{service};
  const auto ticket = ticket_of(service);
  const auto answer = tablet.log_in(ticket);
  CHECK(status_of(answer) == 204);
  CHECK_THAT(answer, Catch::Contains("; Path=/; Secure; HttpOnly; SameSite=Strict\r\n"));
  CHECK(status_of(tablet.get("/tablet/session")) == 204);
  RawClient page(service.io, service.wall.coordinator().control_port);
  CHECK(tablet.upgrade(page, tablet.own_origin()) == "HTTP/1.1 101 Switching Protocols");
  CHECK(call(page, "info")["result"]["you"] == Json{{"name", "tablet of loopback"}, {"role", "operate"}});
  CHECK(call(page, "load", {{"name", "a"}}).contains("result"));
  CHECK(call(page, "delete", {{"name", "a"}})["error"]["code"] == rpc_code::forbidden);
  CHECK(call(page, "tablet_ticket")["error"]["code"] == rpc_code::forbidden);

  Tablet thief{service};
  const auto again = thief.log_in(ticket);
  CHECK(status_of(again) == 403);
  CHECK_THAT(body_of(again), Catch::StartsWith("this ticket is not valid"));
  CHECK(thief.cookie.empty());
}

TEST_CASE("a page that may only view cannot play") {
  Service service;
  Tablet tablet{service};
  tablet.log_in(ticket_of(service, {{"role", "view"}}));
  RawClient page(service.io, service.wall.coordinator().control_port);
  tablet.upgrade(page, tablet.own_origin());
  CHECK(call(page, "state").contains("result"));
  for (const char* method : {"play", "pause", "stop", "next", "tablet_ticket"})
    CHECK(call(page, method)["error"]["code"] == rpc_code::forbidden);
  CHECK(service.session.calls.empty());
  CHECK(service.call("tablet_ticket", {{"role", "administer"}})["error"]["code"] == rpc_code::bad_params);
}

TEST_CASE("a page is not trusted for running on this host: it needs a session") {
  Service service;
  Tablet tablet{service};
  const auto refused = [&](const std::string& origin, const char* first_line) {
    INFO(origin);
    RawClient page(service.io, service.wall.coordinator().control_port);
    CHECK_THAT(tablet.upgrade(page, origin), Catch::StartsWith(first_line));
  };
  refused(tablet.own_origin(), "HTTP/1.1 401 ");
  refused("http://elsewhere.example", "HTTP/1.1 403 ");
  tablet.cookie = "__Host-lambdawall=" + std::string(session_secret_digits, '0');
  refused(tablet.own_origin(), "HTTP/1.1 401 ");
  tablet.log_in(ticket_of(service));
  // Not even with the session of the browser in which they are open.
  for (const char* origin :
       {"http://elsewhere.example", "null", "http://localhost", "http://127.0.0.1:1", "https://localhost:1"})
    refused(origin, "HTTP/1.1 403 ");
  refused("https://" + tablet.host, "HTTP/1.1 403 ");
  CHECK(status_of(tablet.exchange("GET /tablet/session", "Origin: http://elsewhere.example\r\n")) == 403);
  CHECK(status_of(tablet.exchange("GET /tablet/session", "Origin: " + tablet.own_origin() +
                                                             "\r\nOrigin: " + tablet.own_origin() + "\r\n")) == 403);
  CHECK(status_of(tablet.exchange("GET /metrics", "Origin: " + tablet.own_origin() + "\r\n")) == 200);
  // Without an origin it is not a page, and is admitted as always; the page's own paths are not.
  RawClient program(service.io, service.wall.coordinator().control_port);
  Tablet none{service};
  CHECK_THAT(none.upgrade(program, ""), Catch::StartsWith("HTTP/1.1 101 "));
  CHECK(status_of(none.get("/tablet/session")) == 401);
}

TEST_CASE("logins are for the page only, short, and one JSON object") {
  Service service;
  const Tablet tablet{service};
  const auto ticket = ticket_of(service);
  const auto body = Json{{"ticket", ticket}}.dump();
  const auto length = "Content-Length: " + std::to_string(body.size()) + "\r\n";
  const auto origin = "Origin: " + tablet.own_origin() + "\r\n";
  CHECK(status_of(tablet.exchange("POST /tablet/login", length, body)) == 403);
  CHECK(status_of(tablet.exchange("POST /tablet/login", "Origin: http://elsewhere.example\r\n" + length, body)) == 403);
  CHECK(status_of(tablet.exchange("POST /tablet/login", origin)) == 411);
  CHECK(status_of(tablet.exchange("POST /tablet/login", origin + "Transfer-Encoding: chunked\r\n", "0\r\n\r\n")) ==
        411);
  CHECK(status_of(tablet.exchange("POST /tablet/login", origin + "Content-Length: 1025\r\n")) == 413);
  CHECK(status_of(tablet.exchange("POST /elsewhere", origin + length, body)) == 401);
  CHECK(status_of(tablet.exchange("PUT /tablet/login", origin + length, body)) == 405);
  for (const auto& wrong :
       {std::string(), std::string("{"), std::string("[]"), std::string("{}"), std::string(R"({"ticket": 1})"),
        R"({"ticket": ")" + ticket + R"(", "more": 1})", std::string(600, '['), std::string(1024, '\xff')}) {
    INFO(wrong);
    const auto answer = tablet.post("/tablet/login", wrong);
    CHECK(status_of(answer) == 400);
    CHECK_THAT(body_of(answer), Catch::StartsWith("the body must be {\"ticket\": \"...\"}: "));
  }
  CHECK(status_of(tablet.post("/tablet/login", body)) == 204);
}

TEST_CASE("after five wrong tickets within a minute, none is accepted from there for a minute") {
  const test::TemporaryFolder folder;
  Service service({}, {folder.path});
  Tablet tablet{service};
  const auto ticket = ticket_of(service);
  for (int i = 0; i < 5; ++i) CHECK(status_of(tablet.log_in("AAAA-AAAA")) == 403);
  const auto waits = tablet.log_in(ticket);
  CHECK(status_of(waits) == 429);
  CHECK_THAT(waits, Catch::Contains("\r\nRetry-After: "));
  CHECK(tablet.cookie.empty());
  CHECK(service.open()->call("state").contains("result"));  // programs are still served
  const auto attempts = folder.read("audit-attempts.ndjson");
  CHECK_THAT(attempts, Catch::Contains("\"method\":\"tablet.login\"") && Catch::Contains("refused: a wrong ticket"));
  CHECK_THAT(attempts, !Catch::Contains("AAAA"));
}

TEST_CASE("tickets, logins and what pages change are in the audit log, secrets are not") {
  const test::TemporaryFolder folder;
  Service service({}, {folder.path});
  Tablet tablet{service};
  const auto issuer = service.open();
  const std::string ticket = issuer->call("tablet_ticket")["result"]["ticket"];
  tablet.log_in(ticket);
  RawClient page(service.io, service.wall.coordinator().control_port);
  tablet.upgrade(page, tablet.own_origin());
  call(page, "load", {{"name", "a"}});
  const auto log = folder.read("audit.ndjson");
  CHECK_THAT(log, Catch::Contains("\"method\":\"tablet_ticket\"") && Catch::Contains("\"method\":\"tablet.login\"") &&
                      Catch::Contains("\"name\":\"tablet of loopback\""));
  CHECK_THAT(log, Catch::Contains("\"method\":\"load\""));
  CHECK_THAT(
      log, !Catch::Contains(ticket.substr(0, 4)) && !Catch::Contains(tablet.cookie.substr(tablet.cookie.size() - 64)));
}

TEST_CASE("a session ends, and its connections with it, when the page logs out") {
  Service service;
  Tablet tablet{service};
  tablet.log_in(ticket_of(service));
  RawClient page(service.io, service.wall.coordinator().control_port);
  tablet.upgrade(page, tablet.own_origin());
  const auto answer = tablet.post("/tablet/logout", "");
  CHECK(status_of(answer) == 204);
  CHECK_THAT(answer, Catch::Contains("Set-Cookie: __Host-lambdawall=; Max-Age=0; "));
  CHECK(status_of(tablet.get("/tablet/session")) == 401);
  std::optional<RawClient::Frame> frame;
  REQUIRE(test::pump(service.io, [&] { return (frame = page.next_frame()) && frame->opcode == 8; }));
  CHECK(frame->payload.substr(2) == "the session has ended");
}

TEST_CASE("a session ends when the token of its issuer is removed") {
  const test::TemporaryFolder folder;
  Wall wall = lw::test::two_tiles();
  Library library{{}};
  lw::test::FakeSession session;
  ControlPlane plane(wall, wall.coordinator(), library, session, {}, folder.path);
  const auto token = add_token(folder.path / "tokens.json", "desk", AccessRole::operate).value();
  Moment now{WallTime{1000s}, LocalTime{50s}};
  auto& page = plane.tablet();
  const auto desk = std::get<Visitor>(page.admit({"10.0.0.1", false, true, "/", token}, now.local));
  const auto secret = page.sessions()
                          .exchange(page.sessions().issue(desk, AccessRole::view, now.local).value(), now.local)
                          .value()
                          .secret;
  const auto cookies = session_cookie(secret);
  const WebRequest request{
      "10.0.0.2", false, true, "/tablet/socket", "", true, std::string_view(cookies).substr(0, cookies.find(';'))};
  const auto run = [&] {
    for (int tick = 0; tick < 60; ++tick) {
      now.local += plane.step(now).until - now.local;
    }
  };
  run();
  CHECK(std::holds_alternative<Visitor>(page.admit(request, now.local)));
  REQUIRE(remove_token(folder.path / "tokens.json", "desk").has_value());
  run();
  CHECK(std::get<HttpReply>(page.admit(request, now.local)).status == 401);
}

TEST_CASE("a ticket's answer has the page's address; the link has the ticket where browsers do not send it") {
  Service service;
  const auto reply = service.call("tablet_ticket")["result"];
  const auto address = "http://127.0.0.1:" + std::to_string(service.wall.coordinator().control_port) + "/tablet";
  CHECK(reply["address"] == address);
  const std::string ticket = reply["ticket"];
  CHECK(reply["link"] == address + "#" + ticket.substr(0, 4) + ticket.substr(5));
  CHECK(reply["role"] == "operate");
  CHECK(reply["valid_s"] == 120);
  CHECK_FALSE(reply.contains("fingerprint"));
  const test::TemporaryFolder folder;
  Service secure({}, {folder.path, own_certificate(folder.path).value()});
  const auto with_tls = secure.call("tablet_ticket")["result"];
  CHECK_THAT(with_tls["address"].get<std::string>(), Catch::StartsWith("https://127.0.0.1:"));
  CHECK(with_tls["fingerprint"] == fingerprint_of(folder.path / "control.crt").value());
}

TEST_CASE("the summary comes twice a second, and at once after a change") {
  Service service;
  const auto page = service.open();
  const auto reply = page->call("summary")["result"];
  CHECK(reply["tiles"] == 2);
  CHECK(reply["flows"] == 4);
  CHECK(reply["limits"]["skew_us_p99"] == 5000);
  CHECK(reply["summary"]["health"] == "idle");
  CHECK(reply["summary"]["status"] == "stopped");
  const auto heard = page->listen(2200ms);
  CHECK(heard.size() >= 3);
  CHECK(heard.size() <= 6);
  for (const auto& message : heard) {
    CHECK(message["method"] == "summary");
    CHECK(message["params"]["figures"]["gbit_per_s"] == 0);
  }
  CHECK(service.open()->call("load", {{"name", "a"}}).contains("result"));
  const auto now = page->wait_for("summary");
  CHECK(now["status"] == "playing");
  CHECK(now["name"] == "a");
  CHECK(now["health"] != "healthy");  // no node reports
  page->call("summary", {{"on", false}});
  CHECK(page->listen(1200ms).empty());
}
