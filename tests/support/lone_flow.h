// A wall of one tile on one node, and the sender of its flow on a test's timeline.
#pragma once

#include "common/wall/wall_file.h"
#include "server/send/flow_sender.h"
#include "tests/support/timeline_clock.h"

#include <memory>
#include <utility>

namespace lw::truth {

inline constexpr StreamNumbers lone_numbers{99, 1000, 98, 1, 97};

// The wall's only tile; each path has its own network.
inline void put_on_one_node(Wall& wall, bool two_paths = false) {
  WallNode node;
  node.name = "node";
  node.address = "10.0.0.2";
  if (two_paths) node.second_address = "10.0.1.2";
  node.tiles = {TilePlacement{}};
  wall.nodes = {node};
  wall.coordinator().interfaces = {"10.0.0.1"};
  if (two_paths) wall.coordinator().interfaces.emplace_back("10.0.1.1");
}

// With one path, begun; `timeline` must outlive it.
inline std::unique_ptr<FlowSender> lone_sender(const Wall& wall, std::unique_ptr<DatagramPort> media,
                                               std::unique_ptr<DatagramPort> control, const Timeline& timeline) {
  SenderPorts ports;
  ports.paths.push_back({std::move(media), std::move(control)});
  ports.clock = std::make_unique<TimelineClock>(timeline);
  ports.numbers = lone_numbers;
  auto sender = FlowSender::make(wall, {0, {}, 0, wall.grid.tile_height}, std::move(ports)).value();
  sender->begin(std::chrono::microseconds{50});
  return sender;
}

}  // namespace lw::truth
