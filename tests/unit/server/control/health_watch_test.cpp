// The wall's health from made-up reports, with a clock set by the test.
#include "server/control/health_watch.h"

#include <catch2/catch.hpp>

#include <random>

#include "tests/unit/server/control/service_fixture.h"

using namespace lw;
using namespace std::chrono_literals;

namespace {

// A wall of two tiles whose nodes report twice a second.
struct WatchedWall {
  Wall wall = lw::test::two_tiles();
  HealthWatch watch{wall};
  Stats stats;
  LocalTime now{1h};
  PlayStatus status = PlayStatus::playing;

  WatchedWall() {
    for (unsigned node = 0; node < 2; ++node) {
      NodeStats reporting{wall.nodes[node].name, true, 0.05, NodeReport{}};
      for (unsigned flow = 2 * node; flow < 2 * node + 2; ++flow) {
        auto& report = reporting.report->flows.emplace_back();
        report.flow = flow;
        report.receiving = true;
        report.figures["jitter_us"] = 10.0 + flow;
        report.figures["lost_settled"] = std::uint64_t{0};
        stats.sender.emplace_back().gbit_per_s = 1.5;
      }
      auto& tile = reporting.report->tiles.emplace_back();
      tile.tile = {node, 0};
      tile.figures["frame"] = std::uint64_t{1};
      tile.figures["lateness_us_p99"] = 100.0 + node;
      stats.nodes.push_back(std::move(reporting));
    }
    stats.wall.figures["skew_us_p99"] = 50.0;
  }
  Figures<TileStats>& tile(unsigned node) { return stats.nodes[node].report->tiles[0].figures; }
  Figures<ReceiverFlowStats>& flow(unsigned flow) { return stats.nodes[flow / 2].report->flows[flow % 2].figures; }
  WallHealth run(Nanoseconds time = 500ms) {
    for (const auto end = now + time; now < end; now += 500ms) watch.update(stats, status, now);
    return watch.health();
  }
};

}  // namespace

TEST_CASE("a wall that shows everything in time is healthy, with the worst of its figures") {
  WatchedWall wall;
  CHECK(wall.run(30s) == WallHealth::healthy);
  CHECK(wall.watch.tiles_faulty() == 0);
  CHECK(wall.watch.figures() == SummaryFigures{6.0, 0.0, 13.0, 50.0, 101.0});
}

TEST_CASE("a stopped wall is idle and has no figures but the rate, whatever was before") {
  WatchedWall wall;
  wall.run();
  wall.tile(0)["shown_concealed"] = std::uint64_t{3};
  CHECK(wall.run() == WallHealth::faults);
  wall.status = PlayStatus::stopped;
  CHECK(wall.run() == WallHealth::idle);
  CHECK(wall.watch.figures() == SummaryFigures{6.0, {}, {}, {}, {}});
  wall.tile(0)["shown_concealed"] = std::uint64_t{5};
  wall.run();
  wall.status = PlayStatus::paused;
  CHECK(wall.run() == WallHealth::healthy);
}

TEST_CASE("each kind of fault is one at once, for ten seconds, on its own tile") {
  for (const bool of_both : {false, true}) {
    const auto see = [&](auto&& happen) {
      WatchedWall wall;
      wall.run(20s);
      happen(wall.tile(0));
      if (of_both) happen(wall.tile(1));
      CHECK(wall.run() == WallHealth::faults);
      CHECK(wall.watch.tiles_faulty() == (of_both ? 2 : 1));
      CHECK(wall.run(9s) == WallHealth::faults);
      CHECK(wall.run(1s) == WallHealth::healthy);
      CHECK(wall.watch.tiles_faulty() == 0);
    };
    see([](auto& tile) { tile["shown_concealed"] = std::uint64_t{1}; });
    see([](auto& tile) { tile["not_shown"] = std::uint64_t{1}; });
    see([](auto& tile) { tile["late"] = std::uint64_t{1}; });
  }
}

TEST_CASE("faults before the first report are not counted, and a restarted node's are") {
  WatchedWall wall;
  wall.tile(0)["late"] = std::uint64_t{40};
  CHECK(wall.run(1s) == WallHealth::healthy);
  wall.tile(0)["late"] = std::uint64_t{0};
  CHECK(wall.run(1s) == WallHealth::healthy);
  wall.tile(0)["late"] = std::uint64_t{2};
  CHECK(wall.run() == WallHealth::faults);
}

TEST_CASE("a tile without a frame, or whose node is silent, is faulty after two seconds") {
  WatchedWall wall;
  wall.run(5s);
  SECTION("no frame") { wall.tile(1)["frame"] = {}; }
  SECTION("an old report") { wall.stats.nodes[1].age_s = 1.2; }
  SECTION("disconnected") { wall.stats.nodes[1].connected = false; }
  SECTION("no report") { wall.stats.nodes[1].report.reset(); }
  CHECK(wall.run(2s) == WallHealth::healthy);
  CHECK(wall.run() == WallHealth::faults);
  CHECK(wall.watch.tiles_faulty() == 1);
}

TEST_CASE("recovered loss is a warning for ten seconds, and its rate is over ten seconds") {
  WatchedWall wall;
  wall.run(20s);
  wall.flow(3)["lost_settled"] = std::uint64_t{50};
  CHECK(wall.run() == WallHealth::degraded);
  CHECK(wall.watch.figures().lost_per_s == Approx(5));
  CHECK(wall.run(9500ms) == WallHealth::degraded);
  CHECK(wall.run() == WallHealth::healthy);
  CHECK(wall.run(1s) == WallHealth::healthy);
  CHECK(wall.watch.figures().lost_per_s == 0);
}

TEST_CASE("a figure beyond its limit is a warning after two seconds, until ten seconds later") {
  const auto see = [](auto&& change) {
    WatchedWall wall;
    wall.run(5s);
    change(wall, 20'000.0);
    CHECK(wall.run(2s) == WallHealth::healthy);
    CHECK(wall.run() == WallHealth::degraded);
    change(wall, 1.0);
    CHECK(wall.run(9500ms) == WallHealth::degraded);
    CHECK(wall.run(1s) == WallHealth::healthy);
  };
  see([](WatchedWall& wall, double us) { wall.flow(2)["jitter_us"] = us; });
  see([](WatchedWall& wall, double us) { wall.tile(1)["lateness_us_p99"] = us; });
  see([](WatchedWall& wall, double us) { wall.stats.wall.figures["skew_us_p99"] = us; });
}

TEST_CASE("reports of tiles and flows that the wall has not change nothing") {
  WatchedWall wall;
  wall.run();
  auto& report = *wall.stats.nodes[0].report;
  report.flows.emplace_back().flow = 4000;
  report.flows.back().figures["lost_settled"] = std::uint64_t{9};
  report.tiles.emplace_back().tile = {7, 7};
  report.tiles.back().figures["late"] = std::uint64_t{9};
  CHECK(wall.run(2s) == WallHealth::healthy);
}

TEST_CASE("the answer gets worse at once, and better only when ten seconds were good") {
  for (const unsigned seed : {1U, 2U, 3U}) {
    std::mt19937 random(seed);
    WatchedWall wall;
    std::uint64_t late = 0;
    std::uint64_t lost = 0;
    std::optional<LocalTime> fault, loss;
    for (int step = 0; step < 2000; ++step) {
      if (random() % 30 == 0 && step > 0) {
        wall.tile(random() % 2)["late"] = ++late + 100;
        fault = wall.now;
      }
      if (random() % 20 == 0 && step > 0) {
        wall.flow(0)["lost_settled"] = ++lost;
        loss = wall.now;
      }
      if (step == 0) {
        wall.tile(0)["late"] = wall.tile(1)["late"] = std::uint64_t{0};
      }
      const auto at = wall.now;
      const auto health = wall.run();
      const auto recent = [&](const auto& time) { return time && at - *time < 10s; };
      CHECK(health == (recent(fault) ? WallHealth::faults : recent(loss) ? WallHealth::degraded : WallHealth::healthy));
    }
  }
}
