// Pins when a frame is shown by the whole wall: once all nodes have it, in time, or never; and how a node that falls
// silent affects the others.
#include "server/sync/wall_sync.h"

#include <catch2/catch.hpp>

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
    for (auto& flow : flows) flow.heard = local;
  }
  void hold(std::uint16_t tick, unsigned first, unsigned last) {
    for (unsigned flow = first; flow <= last; ++flow) {
      flows[flow].held.add(tick);
      flows[flow].heard = local;
    }
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
  wall.flows[2].heard.reset();
  wall.flows[3].heard.reset();
  wall.sync.begin(7, wall.now);
  wall.hold(7, 0, 1);
  CHECK(wall.shown(7));
  for (auto& flow : wall.flows) flow.heard.reset();
  wall.sync.begin(8, wall.now);
  CHECK_FALSE(wall.shown(8));  // no node is left to show it
}
