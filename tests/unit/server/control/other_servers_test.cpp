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

ServerAlive alive_at(std::uint64_t epoch, std::int64_t next_tick) {
  ServerAlive alive;
  alive.epoch = epoch;
  alive.next_tick = next_tick;
  return alive;
}

struct Coordinator {
  Wall wall = two_servers();
  Subscribers subscribers;
  EventLog events{wall, subscribers};
  OtherServers others{wall, wall.servers[0], events, nullptr};
  LineMessage line;
  std::vector<Json> sent;  // to b
  Moment now = Moment::now();

  Coordinator() { others.take_role(3, true); }
  void connect() {
    others.connected("b", [this](const std::string& text) { sent.push_back(Json::parse(text)); });
  }
  void answer_hello(std::uint64_t epoch = 3, const std::string& coordinator = "a") {
    hear(rpc_result(0, to_json(ServerHelloReply{epoch, coordinator, {}, {}})));
  }
  void fails(std::uint64_t id, const std::string& error) { hear(rpc_failure({id, rpc_code::cannot, error})); }
  void hear(const std::string& text) { others.hear("b", text, true, now); }
  void plays(std::uint64_t number) {
    line.number = number;
    line.name = "film";
  }
  void step() {
    if (others.lack_line(line.number, now.local))
      others.send_lines([this](std::uint64_t /*number*/) { return std::vector{line}; }, line.number, now);
  }
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

// Of flows that b sends, that another server sends, and that the wall does not have.
ServerReport report_of_flows(const Wall& wall) {
  ServerReport report;
  for (const unsigned flow : {0U, bands_of(wall, TileIndex{1}).front().flow, 99U})
    report.flows.push_back({flow, {}, {}, {}, {}, {}});
  return report;
}

void check_own_flow(const Coordinator& a) {
  REQUIRE(a.others.flows(a.now).size() == 1);
  CHECK(a.others.flows(a.now).front().flow == bands_of(a.wall, TileIndex{1}).front().flow);
}

}  // namespace

TEST_CASE("a server that follows gets the newest line, and each line once") {
  Coordinator a;
  a.plays(1);
  a.connect();
  a.step();
  REQUIRE(a.sent.size() == 1);
  const auto hello = read_message<ServerHello>(a.sent[0]["params"]).value();
  CHECK(a.sent[0]["method"] == "server.hello");
  CHECK(hello == ServerHello{"b", shared_settings(a.wall), protocol_version, "a", 3, true, {}, true});
  CHECK_FALSE(a.others.all_asked());
  a.answer_hello();
  CHECK(a.others.all_asked());
  CHECK(a.was_told("server-joined", "server b"));
  for (int i = 0; i < 3; ++i) a.step();
  REQUIRE(a.sent.size() == 2);
  CHECK(a.sent[1]["method"] == "server.line");
  CHECK(a.sent[1]["params"]["name"] == "film");
  a.plays(2);
  a.step();
  CHECK(a.sent.size() == 3);
}

TEST_CASE("a server that knows a newer coordinator gets no line, and its answer is kept") {
  Coordinator a;
  a.plays(1);
  a.connect();
  a.answer_hello(4, "c");
  a.step();
  CHECK(a.sent.size() == 1);
  CHECK(a.others.newest_answer() == ServerHelloReply{4, "c", {}, {}});
}

TEST_CASE("a server that comes back learns what plays now") {
  Coordinator a;
  a.plays(7);
  for (int i = 0; i < 2; ++i) {
    a.sent.clear();
    a.connect();
    a.answer_hello();
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
  CHECK(a.others.announce_time() == Nanoseconds{0});  // nobody follows
  a.connect();
  a.answer_hello();
  a.step();
  const auto near = a.others.announce_time();
  CHECK(near > Nanoseconds{0});
  a.later(std::chrono::milliseconds{300});
  a.hear(rpc_result(1, Json::object()));
  CHECK(a.others.announce_time() == near + std::chrono::milliseconds{300});
}

TEST_CASE("operators hear why a server does not play") {
  Coordinator a;
  a.plays(1);
  a.connect();
  a.fails(0, "it was started with another wall file");
  CHECK(a.was_told("server-refuses", "another wall file"));
  a.step();
  CHECK(a.sent.size() == 1);  // it gets no line
  a.connect();
  a.answer_hello();
  a.step();
  a.fails(1, "film has other frames here");
  CHECK(a.was_told("server-cannot-play", "film has other frames here"));
}

TEST_CASE("a server that could not play a line gets it again, and operators hear of it once") {
  Coordinator a;
  a.plays(1);
  a.connect();
  a.answer_hello();
  const auto lines = [&] {
    return std::ranges::count_if(a.sent, [](const Json& message) { return message["method"] == "server.line"; });
  };
  for (int i = 0; i < 3; ++i) {
    a.step();
    REQUIRE(lines() == i + 1);
    a.fails(1, "no visualization 'film'");
    a.answer_hello();
    a.step();
    CHECK(lines() == i + 1);  // not at once
    a.later(std::chrono::seconds{3});
  }
  CHECK(std::ranges::count_if(a.events.newest(),
                              [](const EventMessage& event) { return event.code == "server-cannot-play"; }) == 1);
  a.step();
  a.hear(rpc_result(1, Json::object()));
  a.later(std::chrono::seconds{3});
  a.step();
  CHECK(lines() == 4);
}

TEST_CASE("a server is silent until it says that it is alive, and again when it stops to, or stops to play") {
  Coordinator a;
  const auto is_silent = [&] { return !a.others.silent(true, a.now.local).empty(); };
  CHECK(is_silent());
  a.connect();
  a.answer_hello();
  std::int64_t tick = 0;
  const auto alive = [&](int times, bool plays) {
    for (int i = 0; i < times; ++i) {
      a.later(std::chrono::milliseconds{60});
      a.hear(rpc_notification("server.alive", to_json(alive_at(3, tick += plays ? 1 : 0))));
    }
  };
  alive(1, true);
  CHECK(is_silent());  // it has not read anything yet
  alive(2, true);
  CHECK_FALSE(is_silent());
  a.later(std::chrono::milliseconds{300});
  CHECK(is_silent());
  alive(2, true);
  CHECK_FALSE(is_silent());
  alive(20, false);
  CHECK(is_silent());  // its disks hang
  CHECK(a.others.silent(false, a.now.local).empty());
}

TEST_CASE("figures of the flows that a server sends are its own, and expire") {
  Coordinator a;
  a.connect();
  a.answer_hello();
  auto report = report_of_flows(a.wall);
  a.hear(rpc_notification("server.report", to_json(report)));
  check_own_flow(a);
  report.read_failures = 4;
  a.hear(rpc_notification("server.report", to_json(report)));
  CHECK(a.was_told("read-failed", "could not read 4 frames"));
  a.later(std::chrono::seconds{2});
  CHECK(a.others.flows(a.now).empty());
  for (const auto* wrong : {"", "{}", "[1]", R"({"jsonrpc":"2.0","method":"server.report","params":{"flows":3}})"})
    a.hear(wrong);
}

TEST_CASE("figures that come as tables count like others; if one is missed, a full one follows after a hello") {
  Coordinator a;
  a.connect();
  a.answer_hello();
  auto report = report_of_flows(a.wall);
  report.read_failures = 4;  // before this connection
  ServerTablesSender tables;
  a.hear(tables.message(report, true));
  check_own_flow(a);
  CHECK_FALSE(a.was_told("read-failed", "could not read"));
  report.read_failures = 7;
  report.import.emplace();
  report.import->number = 8;
  a.hear(tables.message(report, false));
  CHECK(a.was_told("read-failed", "could not read 3 frames"));
  REQUIRE(a.others.import_of("b"));
  CHECK(a.others.import_of("b")->server == "b");

  const auto asked = a.sent.size();
  (void)tables.message(report, true);
  a.later(std::chrono::seconds{2});
  for (int i = 0; i < 2; ++i) a.hear(tables.message(report, true));
  REQUIRE(a.sent.size() == asked + 1);  // once until it answers
  CHECK(a.sent.back()["method"] == "server.hello");
  CHECK(a.others.flows(a.now).empty());
  a.answer_hello();
  tables = {};
  a.hear(tables.message(report, true));
  CHECK(a.others.flows(a.now).size() == 1);
  for (const auto* wrong : {"\x80", "\x9f", "\x84\x01\x02\x03\x04"}) a.hear(wrong);
}

TEST_CASE("a server reports what it sees of the sites") {
  Coordinator a;
  a.connect();
  a.answer_hello();
  CHECK(a.others.sites(a.now).reports.empty());
  CHECK_FALSE(a.others.sites(a.now).complete);
  ServerReport report;
  SiteStats stats;
  stats.flows_heard = stats.flows = 2;
  stats.lost = 7;
  report.sites = {{"bonn", Figures(stats), {{"hall", Figures(stats)}}}};
  a.hear(rpc_notification("server.report", to_json(report)));
  CHECK(a.others.sites(a.now).reports == report.sites);
  CHECK(a.others.sites(a.now).complete);
  a.later(std::chrono::seconds{2});
  CHECK(a.others.sites(a.now).reports.empty());
  CHECK_FALSE(a.others.sites(a.now).complete);
}

TEST_CASE("an import counts as running until its server has answered, and reports of the one before do not count") {
  Coordinator a;
  ImportRequest request;
  request.input = "/srv/import/film.mp4";
  a.others.begin_imports(request);
  CHECK(a.others.import_of("b")->status == ImportStatus::failed);
  CHECK(a.others.import_of("b")->reason == "it is not connected");
  CHECK(a.others.import_of("nobody") == std::nullopt);
  a.connect();
  a.answer_hello();
  ServerReport report;
  report.import = ImportMessage{};
  report.import->server = "somebody else";
  report.import->number = 7;
  report.import->input = "older.mp4";
  report.import->status = ImportStatus::done;
  const auto tell = [&] { a.hear(rpc_notification("server.report", to_json(report))); };
  tell();
  CHECK(a.others.import_of("b")->input == "older.mp4");
  CHECK(a.others.import_of("b")->server == "b");
  a.others.begin_imports(request);
  CHECK(a.sent.back()["method"] == "server.import");
  CHECK(a.sent.back()["params"] == Json{{"input", "/srv/import/film.mp4"}});
  tell();
  CHECK(a.others.import_of("b")->status == ImportStatus::running);
  a.hear(rpc_result("import", {{"number", 8}}));
  tell();
  CHECK(a.others.import_of("b")->status == ImportStatus::running);
  report.import->number = 8;
  tell();
  CHECK(a.others.import_of("b")->status == ImportStatus::done);
  a.others.begin_imports(request);
  a.hear(rpc_failure({"import", rpc_code::cannot, "server 'b' imports nothing by itself"}));
  CHECK(a.others.import_of("b")->status == ImportStatus::failed);
  CHECK(a.others.import_of("b")->reason == "server 'b' imports nothing by itself");
  a.others.begin_imports(request);
  a.hear(rpc_result("import", Json::array()));
  CHECK(a.others.import_of("b")->reason == "an answer that cannot be read");
  a.others.cancel_imports();
  CHECK(a.sent.back()["method"] == "server.import.cancel");
}

TEST_CASE("a visualization is deleted by those that may have it, and operators hear how that ends") {
  Coordinator a;
  CHECK(a.others.remove("film", a.now.local) == std::vector<std::string>{"b"});  // it is not connected
  a.later(std::chrono::seconds{2});
  a.others.send_removals(a.now.local);
  a.connect();
  a.answer_hello();
  const auto asked = [&] {
    a.others.send_removals(a.now.local);
    return a.sent.back()["method"] == "server.delete";
  };
  CHECK(a.others.remove("film", a.now.local).empty());
  CHECK_FALSE(asked());  // it may still play the line before
  a.later(std::chrono::seconds{1});
  REQUIRE(asked());  // what it has is not known yet
  CHECK(a.sent.back()["params"] == Json{{"name", "film"}});
  const auto id = a.sent.back()["id"];
  a.hear(rpc_result(id, {{"left", Json::array()}}));
  CHECK(a.was_told("library", "server b has deleted film"));
  a.hear(rpc_failure({id, rpc_code::cannot, "film is on the wall; stop it or load another first"}));
  CHECK(a.was_told("library", "server b has not deleted film: film is on the wall"));
}
