// The control plane on virtual time, without sockets: what it sends at which tick, and to whom.
#include "server/control/control_plane.h"

#include "common/concurrency/pinned_thread.h"
#include "common/messages/stats_tables.h"
#include "common/wall/geometry.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/unit/server/control/service_fixture.h"

namespace {

using namespace lw;
using namespace std::chrono_literals;

// Keeps what it receives; `unread`: what it has not read yet, from the sender's point of view.
class Peer final : public WebPeer {
public:
  explicit Peer(AccessRole role = AccessRole::administer) : visitor_{"peer", role, "", true} {}
  void send(std::shared_ptr<const std::string> text, bool droppable) override {
    bytes += text->size();
    if (is_cbor(*text)) return tables.push_back(parse_cbor(*text, tables_depth_max).value());
    auto message = Json::parse(*text);
    const auto method = message.value("method", "");
    if (droppable) ++droppable_of[method];
    sent[method].push_back(std::move(message["params"]));
  }
  void close(const std::string& reason) override { closed = reason; }
  [[nodiscard]] const std::string& address() const override { return address_; }
  [[nodiscard]] const Visitor& visitor() const override { return visitor_; }
  [[nodiscard]] std::size_t unread_bytes() const override { return unread; }

  std::map<std::string, std::vector<Json>> sent;  // notifications, by method
  std::map<std::string, unsigned> droppable_of;
  std::vector<Json> tables;  // binary messages
  std::size_t bytes = 0;     // of all
  std::string closed;
  std::size_t unread = 0;

private:
  const std::string address_ = "192.0.2.1";
  const Visitor visitor_;
};

struct Plane {
  Wall wall;
  Library library{{}};
  lw::test::FakeSession session;
  ControlPlane plane{wall, wall.coordinator(), library, session, [](const LibraryEntry&) { return Json::object(); },
                     ""};
  Moment now{WallTime{1000s}, LocalTime{50s}};

  explicit Plane(Wall of = lw::test::two_tiles()) : wall(std::move(of)) { spdlog::set_level(spdlog::level::off); }
  Json call(Peer& peer, const std::string& method, const Json& params = Json::object()) {
    return Json::parse(plane.answer(rpc_request(1, method, params), {now, &peer}));
  }
  // Steps the plane when it asks for it, for this long.
  void run(Nanoseconds time) {
    for (const auto end = now.local + time; now.local < end;) {
      const auto interval = plane.step(now).until - now.local;
      now.local += interval;
      now.wall += interval;
    }
  }
  std::unique_ptr<Peer> node(const std::string& name) {
    auto peer = std::make_unique<Peer>(AccessRole::administer);
    REQUIRE(call(*peer, "node.hello", lw::test::Service::hello(name)).contains("result"));
    return peer;
  }
  unsigned events(Peer& peer, const std::string& code) {
    unsigned count = 0;
    for (const auto& event : peer.sent["event"]) count += event["code"] == code;
    return count;
  }
};

}  // namespace

TEST_CASE("figures are sent ten times a second, the state twice while something plays") {
  Plane wall;
  Peer peer;
  wall.call(peer, "subscribe");
  wall.run(10s);
  CHECK(peer.sent["stats"].size() == 100);
  CHECK(peer.droppable_of["stats"] == 100);
  CHECK(peer.sent["state"].empty());
  CHECK(peer.sent["stats"][50]["interval_s"] == Approx(0.1));
  wall.session.now.status = PlayStatus::playing;
  wall.run(10s);
  CHECK(peer.sent["state"].size() == 20);
  CHECK(peer.droppable_of["state"] == 20);
  wall.call(peer, "unsubscribe");
  wall.run(1s);
  CHECK(peer.sent["stats"].size() == 200);
}

TEST_CASE("a change is sent to every subscriber at the next tick, and is kept for a slow one") {
  Plane wall;
  Peer one;
  Peer other;
  for (auto* peer : {&one, &other}) wall.call(*peer, "subscribe", {{"stats", false}});
  wall.run(100ms);
  ++wall.session.now.revision;
  wall.run(20ms);
  for (auto* peer : {&one, &other}) {
    CHECK(peer->sent["state"].size() == 1);
    CHECK(peer->droppable_of["state"] == 0);
    CHECK(peer->sent["stats"].empty());
  }
}

TEST_CASE("a node that sends nothing for a second is reported once, and again when it is back") {
  Plane wall;
  Peer peer;
  wall.call(peer, "subscribe", {{"stats", false}});
  const auto node = wall.node("left");
  wall.run(900ms);
  CHECK(wall.events(peer, "node-silent") == 0);
  wall.run(5s);
  CHECK(wall.events(peer, "node-silent") == 1);
  wall.call(*node, "node.report", Json::object());  // even an invalid report is a sign of life
  CHECK(wall.events(peer, "node-reports") == 1);
}

TEST_CASE("after a delay of the control thread no node counts as silent before the thread has listened again") {
  Plane wall;
  Peer peer;
  wall.call(peer, "subscribe", {{"stats", false}});
  const auto node = wall.node("left");
  wall.now.local += 10s;
  wall.run(800ms);
  CHECK(wall.events(peer, "node-silent") == 0);
}

TEST_CASE("the second connection of a node closes the first, whose end is not reported") {
  Plane wall;
  Peer peer;
  wall.call(peer, "subscribe", {{"stats", false}});
  const auto first = wall.node("left");
  const auto second = wall.node("left");
  CHECK(first->closed == "replaced by another connection of this node");
  wall.plane.closed(*first, wall.now);
  CHECK(wall.events(peer, "node-lost") == 0);
  wall.plane.closed(*second, wall.now);
  CHECK(wall.events(peer, "node-lost") == 1);
}

TEST_CASE("an event carries the time of the call that caused it") {
  Plane wall;
  Peer peer;
  wall.call(peer, "subscribe", {{"stats", false}});
  wall.plane.on_event({Severity::info, "loaded", "a film", {}, {}}, {WallTime{1'800'000'000s}, wall.now.local});
  REQUIRE(peer.sent["event"].size() == 1);
  CHECK(peer.sent["event"][0]["time"].get<std::string>().starts_with("2027-01-15T08:00:00"));
}

TEST_CASE("telemetry is what stats are, as tables: first all, then what changed") {
  Plane wall;
  wall.session.sender.resize(4);
  for (unsigned i = 0; i < 4; ++i) wall.session.sender[i].flow = i;
  const auto left = wall.node("left");
  wall.call(
      *left, "node.report",
      {{"flows", {{{"flow", 0U}, {"packets", 10}, {"lost", 1}}}}, {"tiles", {{{"tile", {0U, 0U}}, {"swaps", 4}}}}});
  Peer desk;
  CHECK(wall.call(desk, "telemetry", {{"flows_every", 1}})["result"] == Json::object());
  StatsTablesReceiver receiver;
  for (unsigned tenth = 0; tenth < 30; ++tenth) {
    wall.session.sender[2].packets += 100;
    wall.run(100ms);
    REQUIRE(desk.tables.size() == 1);
    CHECK(desk.tables[0][2] == (tenth == 0));
    const auto stats = receiver.take(desk.tables[0]);
    REQUIRE(stats.has_value());
    CHECK(to_json(**stats) == wall.call(desk, "stats")["result"]);
    desk.tables.clear();
  }
  CHECK(desk.sent["stats"].empty());
  wall.call(desk, "telemetry", {{"on", false}});
  wall.run(1s);
  CHECK(desk.tables.empty());
}

TEST_CASE("without flows, telemetry has the wall, its nodes and what each tile shows") {
  Plane wall;
  wall.session.sender.resize(4);
  const auto left = wall.node("left");
  wall.call(*left, "node.report",
            {{"clock", {{"state", "kept"}, {"error_us", 5.0}}},
             {"flows", {{{"flow", 0U}, {"packets", 10}, {"lost", 1}}}},
             {"tiles", {{{"tile", {0U, 0U}}, {"frame", 7U}, {"shown_concealed", 3U}}}}});
  Peer desk;
  wall.call(desk, "telemetry");
  wall.run(100ms);
  REQUIRE(desk.tables.size() == 1);
  StatsTablesReceiver receiver;
  const auto stats = receiver.take(desk.tables[0]);
  REQUIRE(stats.has_value());
  CHECK((*stats)->sender.empty());
  CHECK((*stats)->wall.figures["tiles_missing"] == Figure(1U));
  REQUIRE((*stats)->nodes.size() == 2);
  CHECK((*stats)->nodes[1].report == std::nullopt);
  const auto& report = (*stats)->nodes[0].report.value();
  CHECK(report.flows.empty());
  CHECK(report.clock->figures["error_us"] == Figure(5.0));
  REQUIRE(report.tiles.size() == 1);
  CHECK(report.tiles[0].figures["shown_concealed"] == Figure(3U));
}

TEST_CASE("who reads too slowly misses tables, and gets all of them when it has caught up") {
  Plane wall;
  Peer desk;
  wall.call(desk, "telemetry");
  wall.run(300ms);
  REQUIRE(desk.tables.size() == 3);
  desk.unread = std::size_t{1} << 20U;
  wall.run(1s);
  CHECK(desk.tables.size() == 3);
  desk.unread = 0;
  wall.run(200ms);
  REQUIRE(desk.tables.size() == 5);
  CHECK(desk.tables[3][2] == true);
  CHECK(desk.tables[4][2] == false);
  wall.plane.closed(desk, wall.now);
  wall.run(200ms);
  CHECK(desk.tables.size() == 5);
}

namespace {

// 512 tiles of four flows on 64 nodes that send tables; figures change as they do while a wall plays.
struct LargeWall {
  static constexpr unsigned columns = 32, rows = 16, tiles_of_node = 8, flows_of_tile = 4;
  Plane plane{wall()};
  struct Line {
    std::unique_ptr<Peer> peer;
    NodeTablesSender tables;
    NodeReport report;
  };
  std::vector<Line> nodes;
  std::uint64_t bytes = 0;  // from the nodes
  unsigned tenth = 0;

  static Wall wall() {
    Wall wall;
    wall.name = "large";
    wall.set_grid({.columns = columns, .rows = rows, .tile_width = 64, .tile_height = 40});
    wall.streaming.flows_per_tile = flows_of_tile;
    for (unsigned i = 0; i < columns * rows; ++i) {
      if (i % tiles_of_node == 0) {
        auto& node = wall.nodes.emplace_back();
        node.name = "node-" + std::to_string(i / tiles_of_node);
        node.address = "127.0.0.1";
      }
      TilePlacement placement;
      placement.tile = {i};
      wall.nodes.back().tiles.push_back(placement);
    }
    return wall;
  }
  LargeWall() {
    plane.session.sender.resize(plane.wall.flow_count());
    for (const auto& node : plane.wall.nodes) {
      auto& line = nodes.emplace_back();
      line.peer = plane.node(node.name);
      line.report.clock = ClockReport{ClockState::kept, {}};
      line.report.clock->figures["error_us"] = 12.5;
      for (const auto& placement : node.tiles) {
        TileReport tile;
        tile.tile = plane.wall.tile(placement.tile).cell;
        line.report.tiles.push_back(tile);
        for (const auto& band : bands_of(plane.wall, placement.tile)) {
          ReceiverFlowReport flow;
          flow.flow = band.flow;
          line.report.flows.push_back(flow);
        }
      }
    }
  }
  // What ten reports a second of a wall with ten frames a second say.
  void change() {
    ++tenth;
    for (unsigned i = 0; i < plane.session.sender.size(); ++i) {
      auto& flow = plane.session.sender[i];
      flow.flow = i;
      flow.packets += 900;
      flow.bytes += 1'260'000;
      flow.calls += 30;
      flow.frames += 1;
      flow.cpu_s += 0.001;
      flow.queue = flow.send = flow.read = {100.0 + tenth + i, 200.0 + tenth};
    }
    for (auto& line : nodes) {
      line.report.time = "2026-01-31T12:00:00.100Z";
      line.report.interval_s = 0.1;
      for (auto& flow : line.report.flows) {
        flow.gbit_per_s = 0.1 + 0.0001 * (tenth % 7);
        for (std::size_t i = 0; i < flow.figures.values().size(); ++i) {
          const bool total = flow.figures.metrics()[i].counts();
          const bool at_rest = total && i % 2 == 0;
          flow.figures.values()[i] =
              total ? Figure(std::uint64_t{at_rest ? 3 : 900 * tenth}) : Figure(1.5 * tenth + flow.flow);
        }
        for (const auto* none : {"lost", "repaired", "rebuilt", "kernel_drops"}) set(flow, none, 0);
      }
      for (auto& tile : line.report.tiles) {
        tile.fps = 10.0;
        tile.presented = {{1'700'000'000'000'000 + 100'000 * std::int64_t{tenth}, 38.5 + tile.tile.row}};
        for (auto& figure : tile.figures.values()) figure = Figure(std::uint64_t{tenth});
      }
    }
  }
  static void set(ReceiverFlowReport& flow, std::string_view key, std::uint64_t value) {
    const auto metrics = flow.figures.metrics();
    const auto found = std::ranges::find(metrics, key, &Metric::key);
    REQUIRE(found != metrics.end());
    flow.figures.values()[static_cast<std::size_t>(found - metrics.begin())] = Figure(value);
  }
  // The nodes' messages; made before, as other hosts do that.
  std::vector<std::string> messages(unsigned every) {
    std::vector<std::string> made;
    for (auto& line : nodes) made.push_back(line.tables.message(line.report, tenth % every == 0));
    return made;
  }
  void report(const std::vector<std::string>& messages) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      bytes += messages[i].size();
      plane.plane.answer(messages[i], {plane.now, nodes[i].peer.get()});
    }
  }
};

}  // namespace

// docs/performance.md has the figures: server_tests "[measure]".
TEST_CASE("telemetry of 512 tiles with 4 flows each", "[.measure]") {
  LargeWall wall;
  Peer desk;
  wall.plane.call(desk, "telemetry");
  constexpr unsigned tenths = 100;
  const auto step = [&] {
    wall.change();
    const auto messages = wall.messages(DetailWanted::every_of_large_wall);
    const auto before = thread_cpu_seconds();
    wall.report(messages);
    wall.plane.run(100ms);
    return thread_cpu_seconds() - before;
  };
  for (unsigned i = 0; i < 20; ++i) step();
  wall.bytes = desk.bytes = 0;
  double cpu_s = 0;
  for (unsigned i = 0; i < tenths; ++i) cpu_s += step();
  const double seconds = tenths / 10.0;
  const auto mbit_per_s = [&](std::uint64_t bytes) { return static_cast<double>(bytes) * 8 / 1e6 / seconds; };
  std::printf("from 64 nodes %.2f Mbit/s, to the operator %.2f Mbit/s, server %.1f %% of a core\n",
              mbit_per_s(wall.bytes), mbit_per_s(desk.bytes), cpu_s / seconds * 100);
  CHECK(mbit_per_s(wall.bytes + desk.bytes) <= 20);
}

TEST_CASE("a large wall asks its nodes for less until somebody looks") {
  LargeWall wall;
  wall.plane.run(100ms);
  const auto wishes = [&] { return wall.nodes[0].peer->sent["node.tables"]; };
  REQUIRE(wishes().size() == 1);
  CHECK(wishes().back() == Json{{"full", false}, {"every", 5}, {"records", false}, {"interval_ms", 200}});
  Peer desk;
  wall.plane.call(desk, "subscribe");
  wall.plane.run(200ms);
  CHECK(wishes().back() == Json{{"full", false}, {"every", 1}, {"records", false}, {"interval_ms", 100}});
  wall.plane.call(desk, "trace");
  wall.plane.run(200ms);
  CHECK(wishes().back() == Json{{"full", false}, {"every", 1}, {"records", true}, {"interval_ms", 100}});
  wall.plane.call(desk, "unsubscribe");
  wall.plane.run(61s);
  CHECK(wishes().back()["records"] == false);
  wall.plane.call(desk, "telemetry", {{"flows_every", 4}});
  wall.plane.run(200ms);
  CHECK(wishes().back()["every"] == 4);
  CHECK(wishes().back()["interval_ms"] == 100);
  wall.plane.call(desk, "telemetry", {{"on", false}});
  wall.plane.run(200ms);
  CHECK(wishes().back()["interval_ms"] == 200);
}
