// The coordinator and the servers that follow it: what each hears of the other, without connections.
#include "server/control/other_servers.h"

#include "common/messages/message.h"
#include "common/wall/geometry.h"
#include "common/wall/shared_settings.h"
#include "tests/unit/server/control/service_fixture.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace lw::test;

namespace {

Wall two_servers() {
  auto wall = two_tiles();
  wall.servers.resize(2);
  wall.servers[0].name = "a";
  wall.servers[0].tiles = {{0}};
  wall.servers[1].name = "b";
  wall.servers[1].tiles = {{1}};
  return wall;
}

struct Coordinator {
  Wall wall = two_servers();
  FakeSession session;
  Subscribers subscribers;
  EventLog events{wall, subscribers};
  OtherServers others{wall, wall.servers[0], session, events};
  std::vector<Json> sent;  // to b
  Moment now = Moment::now();

  void connect() {
    others.connected("b", [this](const std::string& text) { sent.push_back(Json::parse(text)); });
  }
  void answer(std::uint64_t id, const std::string& error = {}) {
    others.hear("b", error.empty() ? rpc_result(id, Json::object()) : rpc_failure({id, rpc_code::cannot, error}), now);
  }
  void plays(std::uint64_t number) {
    session.newest = {number, Line::over(0, WallTime{}, {30, 1}, 10, 0), "film", "d"};
  }
  void step() { others.step(now); }
  void later(Nanoseconds time) {
    now.local += time;
    now.wall += time;
  }
  [[nodiscard]] bool was_told(const std::string& code, const std::string& words) const {
    return std::ranges::any_of(events.newest(), [&](const EventMessage& event) {
      return event.code == code && event.text.find(words) != std::string::npos;
    });
  }
};

}  // namespace

TEST_CASE("a server that has accepted the wall file gets the newest line, and each line once") {
  Coordinator a;
  a.plays(1);
  a.connect();
  a.step();
  REQUIRE(a.sent.size() == 1);
  CHECK(a.sent[0]["method"] == "server.hello");
  CHECK(a.sent[0]["params"]["server"] == "b");
  CHECK(a.sent[0]["params"]["settings"] == shared_settings(a.wall));
  a.answer(0);
  CHECK(a.was_told("server-joined", "server b"));
  for (int i = 0; i < 3; ++i) a.step();
  REQUIRE(a.sent.size() == 2);
  CHECK(a.sent[1]["method"] == "server.line");
  CHECK(a.sent[1]["params"]["name"] == "film");
  a.plays(2);
  a.step();
  CHECK(a.sent.size() == 3);
}

TEST_CASE("a server learns that nothing plays") {
  Coordinator a;
  a.connect();
  a.answer(0);
  a.step();
  REQUIRE(a.sent.size() == 2);
  CHECK(a.sent[1]["params"]["plays"] == false);
  CHECK(read_message<LineMessage>(a.sent[1]["params"]).has_value());
}

TEST_CASE("a server that comes back learns what plays now") {
  Coordinator a;
  a.plays(7);
  for (int i = 0; i < 2; ++i) {
    a.sent.clear();
    a.connect();
    a.answer(0);
    a.step();
    REQUIRE(a.sent.size() == 2);
    CHECK(a.sent[1]["params"]["number"] == 7);
    a.others.lost("b", a.now);
  }
  CHECK(a.was_told("server-lost", "server b"));
}

TEST_CASE("lines are announced earlier, the longer a server takes to answer") {
  Coordinator a;
  a.plays(1);
  a.step();
  CHECK(a.session.announced_ahead == Nanoseconds{0});  // nobody follows
  a.connect();
  a.answer(0);
  a.step();
  const auto near = a.session.announced_ahead;
  CHECK(near > Nanoseconds{0});
  a.later(std::chrono::milliseconds{300});
  a.answer(1);
  a.step();
  CHECK(a.session.announced_ahead == near + std::chrono::milliseconds{300});
}

TEST_CASE("operators hear why a server does not play") {
  Coordinator a;
  a.plays(1);
  a.connect();
  a.answer(0, "it was started with another wall file");
  CHECK(a.was_told("server-refuses", "another wall file"));
  a.step();
  CHECK(a.sent.size() == 1);  // it gets no line
  a.connect();
  a.answer(0);
  a.step();
  a.answer(1, "film has other frames here");
  CHECK(a.was_told("server-cannot-play", "film has other frames here"));
}

TEST_CASE("figures of the flows that a server sends are its own, and expire") {
  Coordinator a;
  a.connect();
  a.answer(0);
  ServerReport report;
  const auto own = bands_of(a.wall, TileIndex{1}).front().flow;
  for (const unsigned flow : {0U, own, 99U}) report.flows.push_back({flow, {}, {}, {}, {}, {}});
  a.others.hear("b", rpc_notification("server.report", to_json(report)), a.now);
  REQUIRE(a.others.flows(a.now).size() == 1);
  CHECK(a.others.flows(a.now).front().flow == own);
  report.read_failures = 4;
  a.others.hear("b", rpc_notification("server.report", to_json(report)), a.now);
  CHECK(a.was_told("read-failed", "could not read 4 frames"));
  a.later(std::chrono::seconds{2});
  CHECK(a.others.flows(a.now).empty());
  for (const auto* wrong : {"", "{}", "[1]", R"({"jsonrpc":"2.0","method":"server.report","params":{"flows":3}})"})
    a.others.hear("b", wrong, a.now);
}
