// What happens to a simulated wall, and when: drawn from a seed in advance, so that parts of it can be skipped to find
// out which of them break a law.
#pragma once

#include "tests/support/network.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lw::simulate {

enum class Fault : std::uint8_t {
  lossy_link,  // packets are lost alone and in bursts, duplicated, reordered, changed
  slow_link,   // a bottleneck, or a long path
  cut_link,
  cut_network,    // of all nodes, the first or the second
  refusing_path,  // takes no segmented sends: no checksum offload, a smaller MTU
  slow_disk,
  failing_disk,
  hanging_disk,
  frozen_server,
  frozen_node,
  delayed_thread,  // one of the server or of a node
  crashed_server,
  crashed_node,
  clock_off,     // of a node, by some milliseconds
  clock_drifts,  // of a node: its time service does not reach it
  clock_set,     // of the server or of all hosts, by more than a second, forward or back
  late_screen,
  changed_store,  // it is replaced, truncated, or overwritten
  operator_does,  // an action of an operator
  count,
};

struct Happening {
  Nanoseconds at{0};  // after the episode began
  Nanoseconds lasts{0};
  Fault fault = Fault::count;
  unsigned where = 0;        // node or link
  std::uint64_t chance = 0;  // seed of its details

  [[nodiscard]] std::string text() const;
};

// Faults last for some seconds.
inline constexpr std::chrono::seconds faults_last{8};
// Without faults the wall is complete and synchronized after this, and remains so.
inline constexpr std::chrono::seconds heals_within{2};
inline constexpr std::chrono::seconds judged_for{1};
// Longer if the path becomes long and the playout delay adapts.
inline constexpr std::chrono::seconds adapts_within{6};
// What a wall must tolerate: a short stall of the server, a slow read, then some loss.
inline constexpr std::chrono::seconds stall_judged_for{1};
inline constexpr std::chrono::seconds slow_read_judged_for{1};
inline constexpr std::chrono::seconds loss_judged_for{1};
inline constexpr std::chrono::seconds episode_lasts{15};

using Episode = std::vector<Happening>;
std::vector<Episode> draw_episodes(std::uint64_t seed, unsigned nodes, std::size_t count);

}  // namespace lw::simulate
