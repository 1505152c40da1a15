// Pins when a frame is shown by the whole wall: once all nodes have it, in time, or never; and how a node that falls
// silent affects the others.
#include "server/sync/wall_sync.h"

#include <catch2/catch.hpp>

#include <initializer_list>
#include <string>
#include <vector>

using namespace lw;
using namespace std::chrono_literals;

namespace {

Wall two_nodes(const char* lost_node) {
  auto wall = parse_wall(std::string(R"(
    [wall]
    name = "two"
    columns = 2
    rows = 1
    tile_width = 64
    tile_height = 40
    frame_rate = 30
    [[node]]
    name = "left"
    address = "127.0.0.1"
    tiles = [{ column = 0, row = 0 }]
    [[node]]
    name = "right"
    address = "127.0.0.1"
    tiles = [{ column = 1, row = 0 }]
    [[server]]
    name = "s"
    [streaming]
    flows_per_tile = 2
    playout_delay_ms = 100
    [sync]
    mode = "wall"
    lost_node = ")") + lost_node +
                             "\"",
                         "wall.toml");
  REQUIRE(wall.has_value());
  return *wall;
}

struct Playing {
  WallSync sync;
  std::vector<FlowFeedback> flows{4};
  WallTime now{1000s};
  LocalTime local{50s};

  explicit Playing(const char* lost_node = "continue") : sync(two_nodes(lost_node)) {
    for (auto& flow : flows) flow.held_at = local;
  }
  void hold(std::uint16_t tick, unsigned first, unsigned last) {
    for (unsigned flow = first; flow <= last; ++flow) {
      flows[flow].held.add(tick);
      flows[flow].held_at = local;
    }
  }
  // `flow` says that all flows of its node hold them.
  void hold_for_node(unsigned flow, std::initializer_list<std::uint16_t> ticks) {
    flows[flow].held = {};
    for (const auto tick : ticks) flows[flow].held.add(tick);
    flows[flow].held_at = local;
    flows[flow].for_node = true;
  }
  std::vector<unsigned> told() const {
    std::vector<unsigned> flows_told;
    for (unsigned flow = 0; flow < flows.size(); ++flow)
      if (sync.tells(flow)) flows_told.push_back(flow);
    return flows_told;
  }
  bool shown(std::uint16_t tick) { return sync.step(flows, now, local).contains(tick); }
  void wait(Nanoseconds time) {
    now += time;
    local += time;
  }
};

}  // namespace

TEST_CASE("a frame is committed when every flow holds it") {
  Playing wall;
  wall.sync.begin(7, wall.now);
  wall.hold(7, 0, 2);
  CHECK_FALSE(wall.shown(7));
  wall.hold(7, 3, 3);
  CHECK(wall.shown(7));
  wall.wait(10s);
  CHECK(wall.shown(7));  // and stays so
  CHECK(wall.sync.committed() == 1);
  CHECK(wall.sync.dropped() == 0);
}

TEST_CASE("a frame that not all hold in time is dropped, even if they do later") {
  Playing wall;
  wall.sync.begin(7, wall.now);
  wall.sync.begin(8, wall.now + 33ms);
  wall.hold(7, 0, 2);
  wall.wait(93ms);
  wall.hold(7, 3, 3);
  CHECK_FALSE(wall.shown(7));
  wall.hold(8, 0, 3);
  CHECK(wall.shown(8));
  CHECK_FALSE(wall.shown(7));
  CHECK(wall.sync.dropped() == 1);
}

TEST_CASE("the time for it to arrive is the longest round trip") {
  Playing wall;
  wall.flows[2].round_trip = 50ms;
  wall.sync.begin(7, wall.now);
  wall.wait(43ms);
  wall.hold(7, 0, 3);
  CHECK_FALSE(wall.shown(7));
  wall.sync.begin(8, wall.now);
  wall.hold(8, 0, 3);
  wall.wait(41ms);
  CHECK(wall.shown(8));
}

TEST_CASE("a node that falls silent is ignored, and counts again when it is heard") {
  Playing wall;
  wall.wait(400ms);
  wall.sync.begin(7, wall.now);
  wall.hold(7, 0, 1);
  CHECK(wall.shown(7));
  CHECK(wall.sync.missing().count() == 1);
  CHECK(wall.sync.missing()[1]);
  wall.hold(6, 2, 3);
  wall.sync.begin(8, wall.now);
  wall.hold(8, 0, 1);
  CHECK_FALSE(wall.shown(8));
  CHECK(wall.sync.missing().none());
  wall.hold(8, 2, 3);
  CHECK(wall.shown(8));
}

TEST_CASE("a silent node is waited for, if that is chosen") {
  Playing wall("hold");
  wall.wait(400ms);
  wall.sync.begin(7, wall.now);
  wall.hold(7, 0, 1);
  CHECK_FALSE(wall.shown(7));
  CHECK(wall.sync.missing()[1]);
  wall.wait(10s);
  wall.sync.begin(8, wall.now);
  wall.hold(8, 0, 3);
  CHECK(wall.shown(8));
  CHECK_FALSE(wall.shown(7));
}

TEST_CASE("nodes that never connected, or said goodbye, are not waited for") {
  Playing wall("hold");
  wall.flows[2].held_at.reset();
  wall.flows[3].held_at.reset();
  wall.sync.begin(7, wall.now);
  wall.hold(7, 0, 1);
  CHECK(wall.shown(7));
  for (auto& flow : wall.flows) flow.held_at.reset();
  wall.sync.begin(8, wall.now);
  CHECK_FALSE(wall.shown(8));  // no node is left to show it
}

TEST_CASE("of a node for which a flow reports, the others need not report, and are not told") {
  Playing wall;
  for (const unsigned flow : {1, 3}) wall.flows[flow].held_at.reset();
  wall.sync.begin(7, wall.now);
  wall.hold_for_node(0, {7});
  CHECK_FALSE(wall.shown(7));
  CHECK(wall.told() == std::vector<unsigned>{0, 2, 3});
  wall.hold_for_node(2, {7});
  CHECK(wall.shown(7));
  CHECK(wall.told() == std::vector<unsigned>{0, 2});
}

TEST_CASE("a node holds what any of its flows says for it, whichever of them says it") {
  Playing wall;
  wall.sync.begin(7, wall.now);
  wall.sync.begin(8, wall.now);
  wall.hold_for_node(0, {7});
  wall.hold_for_node(1, {7, 8});  // the last flow to hold 8
  wall.hold_for_node(3, {7});
  CHECK(wall.shown(7));
  CHECK_FALSE(wall.shown(8));
  wall.hold_for_node(2, {8});
  CHECK(wall.shown(8));
  CHECK(wall.told() == std::vector<unsigned>{0, 2});
}

TEST_CASE("when the flow that reports for a node falls silent, another one takes its place, or the node is missing") {
  const auto* lost_node = GENERATE("continue", "hold");
  Playing wall(lost_node);
  wall.hold_for_node(0, {});
  wall.hold_for_node(2, {});
  wall.wait(400ms);
  wall.sync.begin(7, wall.now);
  wall.hold_for_node(0, {7});
  CHECK(wall.shown(7) == (std::string(lost_node) == "continue"));
  CHECK(wall.sync.missing()[1]);
  CHECK(wall.told() == std::vector<unsigned>{0, 2, 3});  // either may hear it
  wall.sync.begin(8, wall.now);
  wall.hold_for_node(0, {7, 8});
  wall.hold_for_node(3, {7});
  CHECK_FALSE(wall.shown(8));
  CHECK(wall.sync.missing().none());
  wall.hold_for_node(3, {7, 8});
  CHECK(wall.shown(8));
}
