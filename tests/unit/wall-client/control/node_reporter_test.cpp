// What a node sends to its server, at times given by the test: each connection begins with hello, reports are evenly
// spaced, and what could not be sent waits within bounds.
#include "wall-client/control/node_reporter.h"

#include "common/messages/frame_records.h"

#include <catch2/catch.hpp>

#include <set>

using namespace lw;
using namespace std::chrono_literals;

namespace {

Wall two_tiles() {
  Wall wall;
  wall.set_grid({.columns = 2, .rows = 1, .tile_width = 64, .tile_height = 40});
  return wall;
}

struct Node {
  Wall wall = two_tiles();
  std::vector<Json> sent;
  std::size_t records_of_reading = 0;
  std::uint32_t frame = 0;
  unsigned readings = 0;
  std::vector<std::pair<TileIndex, TileOverlay>> overlays;
  std::vector<Fades> fades;
  std::vector<SoundLevel> sounds;
  std::vector<std::pair<unsigned, int>> moves;
  PreviewSlot preview{{}, 64, 40};
  LocalTime now{1h};
  std::vector<Json> tables;
  NodeReporter reporter{wall, reported(), [this](const std::string& message) {
                          if (is_cbor(message))
                            tables.push_back(parse_cbor(message, tables_depth_max).value());
                          else
                            sent.push_back(Json::parse(message));
                        }};

  ReportedNode reported() {
    ReportedNode node;
    node.hello.node = "left";
    node.machine = [] { return Json{{"cores", 2}}; };
    node.read = [this](NodeReading& reading) {
      ++readings;
      reading.flows.resize(1);
      reading.flows[0].bytes = readings * 1'250'000ULL;
      for (std::size_t i = 0; i < records_of_reading; ++i)
        reading.records.push_back({.frame = ++frame, .step = FrameStep::received});
    };
    node.on_overlay = [this](TileIndex tile, const TileOverlay& overlay) { overlays.emplace_back(tile, overlay); };
    node.on_sound = [this](const SoundLevel& level) { sounds.push_back(level); };
    node.on_fades = [this](const Fades& wanted) { fades.push_back(wanted); };
    node.on_move = [this](unsigned flow, int cpu) { moves.emplace_back(flow, cpu); };
    node.previews = {&preview};
    return node;
  }
  // Like a runner: steps it when it asks for it.
  void run(Nanoseconds time) {
    const auto until = now + time;
    while (now < until) {
      const auto wait = reporter.step({WallTime{now.time_since_epoch()}, now});
      REQUIRE(wait.until > now);
      now = std::min(until, wait.until);
    }
  }
  void hear(const std::string& method, const Json& params) { reporter.hear(rpc_notification(method, params), now); }
  std::vector<Json> of(const std::string& method) const {
    std::vector<Json> found;
    for (const auto& message : sent)
      if (message["method"] == method) found.push_back(message["params"]);
    return found;
  }
};

}  // namespace

TEST_CASE("each connection begins with hello and the facts of the host") {
  Node node;
  for (int i = 0; i < 2; ++i) {
    node.sent.clear();
    node.reporter.connected();
    REQUIRE(node.sent.size() == 2);
    CHECK(node.sent[0]["method"] == "node.hello");
    CHECK(node.sent[0]["params"]["node"] == "left");
    CHECK(node.sent[1]["method"] == "node.machine");
    CHECK(node.sent[1]["params"]["cores"] == 2);
    node.reporter.lost();
  }
}

TEST_CASE("a node reports ten times a second, with rates over the interval") {
  Node node;
  node.reporter.connected();
  node.run(1s);
  const auto reports = node.of("node.report");
  REQUIRE(reports.size() == 10);
  CHECK_FALSE(reports[0]["flows"][0].contains("gbit_per_s"));
  CHECK(reports[1]["interval_s"] == Approx(0.1));
  CHECK(reports[1]["flows"][0]["gbit_per_s"] == Approx(0.1));
}

TEST_CASE("a node that was delayed reports once, not once for each report it missed") {
  Node node;
  node.reporter.connected();
  node.run(200ms);
  node.now += 3s;
  node.sent.clear();
  node.run(100ms);
  CHECK(node.of("node.report").size() == 1);
}

TEST_CASE("without a connection nothing is sent, and records are kept up to the size of a message") {
  Node node;
  node.records_of_reading = frame_records_max / 4;
  node.run(600ms);
  CHECK(node.sent.empty());
  node.reporter.connected();
  node.records_of_reading = 0;
  node.run(100ms);
  const auto frames = node.of("node.frames");
  REQUIRE(frames.size() == 1);
  CHECK(frames[0]["records"].size() == frame_records_max);
  CHECK(frames[0]["records"].back()["frame"] == node.frame);
  CHECK(frames[0]["dropped"] == node.frame - frame_records_max);
}

TEST_CASE("previews are requested and sent while an operator looks, and stop when the connection is lost") {
  Node node;
  node.reporter.connected();
  node.run(1s);
  CHECK_FALSE(node.preview.asked());
  node.hear("node.pictures", {{"on", true}});
  node.run(500ms);
  REQUIRE(node.preview.asked());
  node.preview.picture().frame = 7;
  node.preview.hand_over();
  node.run(100ms);
  REQUIRE(node.of("node.picture").size() == 1);
  CHECK(node.of("node.picture")[0]["frame"] == 7);
  node.reporter.lost();
  node.reporter.connected();
  node.run(1s);
  CHECK(node.of("node.picture").size() == 1);
}

TEST_CASE("the server's messages take effect; unknown ones change nothing") {
  Node node;
  node.reporter.connected();
  node.hear("node.place", {{"flows", {{{"flow", 3}, {"cpu", 1}}}}});
  CHECK(node.moves == std::vector<std::pair<unsigned, int>>{{3, 1}});
  node.hear("node.pattern", {{"tile", {1, 0}}, {"pattern", "grid"}, {"identify", true}, {"mark", false}});
  REQUIRE(node.overlays.size() == 1);
  CHECK(node.overlays[0].first == TileIndex{1});
  node.hear("node.pattern", {{"tile", {0, 1}}, {"pattern", "grid"}});  // the wall has no such tile
  node.hear("node.pattern", {{"tile", 1}});
  node.hear("node.fade", {{"fades", 1}});
  node.hear("node.sound", {{"gain_db", -12}, {"muted", true}});
  node.hear("node.sound", {{"gain_db", 7}, {"muted", false}});
  CHECK(node.sounds == std::vector<SoundLevel>{{-12, true}});
  node.reporter.hear("garbage", node.now);
  CHECK(node.overlays.size() == 1);
  CHECK(node.fades.empty());
}

TEST_CASE("reports are tables when the server's answer to hello accepts them, until the connection ends") {
  Node node;
  node.reporter.connected();
  node.run(250ms);
  const auto before = node.of("node.report").size();
  CHECK(before > 0);
  node.reporter.hear(rpc_result(1, {{"protocol", 1}, {"tables", true}}), node.now);
  node.run(500ms);
  CHECK(node.of("node.report").size() == before);
  REQUIRE(node.tables.size() >= 4);
  NodeTablesReceiver server;
  for (const auto& message : node.tables) {
    const auto report = server.take(message);
    REQUIRE(report.has_value());
    REQUIRE((*report)->flows.size() == 1);
    CHECK((*report)->flows[0].figures["bytes"].whole().value() % 1'250'000 == 0);
  }
  CHECK(node.tables[0][2] == true);
  CHECK(node.tables[1][2] == false);
  node.reporter.lost();
  node.reporter.connected();
  node.run(250ms);
  CHECK(node.of("node.report").size() > before);
}

TEST_CASE("to a server of the version before, reports stay JSON") {
  Node node;
  node.reporter.connected();
  node.reporter.hear(rpc_result(1, {{"protocol", 1}}), node.now);
  node.run(500ms);
  CHECK(node.tables.empty());
  CHECK(node.of("node.report").size() >= 4);
}

TEST_CASE("the server says how often all figures are sent, asks for a full report, and for records or not") {
  Node node;
  node.records_of_reading = 3;
  node.reporter.connected();
  node.reporter.hear(rpc_result(1, {{"protocol", 1}, {"tables", true}}), node.now);
  node.hear("node.tables", {{"every", 10}, {"records", false}});
  node.run(2s);
  CHECK(node.of("node.frames").empty());
  NodeTablesReceiver server;
  std::set<std::uint64_t> totals;  // of bytes, which grow with each reading
  for (const auto& message : node.tables)
    totals.insert(server.take(message).value()->flows[0].figures["bytes"].whole().value());
  CHECK(node.tables.size() >= 19);
  CHECK(totals.size() <= 3);
  node.hear("node.tables", {{"every", 5}, {"records", false}, {"interval_ms", 200}});
  node.tables.clear();
  node.run(2s);
  CHECK(node.tables.size() >= 9);
  CHECK(node.tables.size() <= 11);
  node.hear("node.tables", {{"full", true}, {"every", 10}});  // at once, not after the longer interval
  node.tables.clear();
  node.run(300ms);
  CHECK(node.tables.size() >= 2);
  CHECK(node.tables.front()[2] == true);
  // Records that were not wanted before are sent, as many as a message holds.
  REQUIRE_FALSE(node.of("node.frames").empty());
  CHECK(node.of("node.frames")[0]["records"].size() > 50);
  CHECK(node.of("node.frames")[0]["dropped"] == 0);
}
