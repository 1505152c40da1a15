// How long an answer or a notification may be. Everything in them is bounded where it enters (the wall file, names,
// texts, reports), so these limits hold in every state that callers and nodes can cause. Lists that may be longer
// (visualizations, hosts) come in pages. docs/protocol.md has the limits for clients;
// tests/unit/server/control/reply_limits_test.cpp tries the worst cases.
#pragma once

#include "common/wall/wall_file.h"

#include <algorithm>
#include <cstddef>

namespace lw {

// Limit of a page of visualizations or hosts; a page has at least one.
inline constexpr std::size_t page_bytes = std::size_t{1} << 20U;

// The longest answer for a wall: the figures of each flow (sender and receiver), each tile with its swaps, and each
// node. For all but very large walls, lists, events and traces are longer.
inline std::size_t reply_bytes_max(const Wall& wall) {
  constexpr std::size_t usual = std::size_t{3} << 20U;
  constexpr std::size_t flow_bytes = 4096;
  constexpr std::size_t tile_bytes = 20'480;
  constexpr std::size_t node_bytes = 8192;
  return std::max(usual,
                  flow_bytes * wall.flow_count() + tile_bytes * wall.tile_count() + node_bytes * wall.nodes.size());
}

// How much may be queued for a peer that reads slowly: one of the longest answers, and notifications meanwhile.
inline std::size_t queued_bytes_max(const Wall& wall) { return reply_bytes_max(wall) + (std::size_t{1} << 20U); }

}  // namespace lw
