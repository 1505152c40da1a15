// [sync] mode = "wall": a frame is shown by all tiles or by none. A flow's receiver reports its complete frames: those
// of all flows of its node, or its own (nodes of earlier versions). A frame that all of them hold is committed, and
// nodes show only committed frames. A frame is dropped everywhere if a commitment could no longer reach all nodes
// before its presentation.
//
// When a node falls silent, the wall waits for it, or continues without it after a while until it is heard again; the
// wall file decides. Pure; one thread.
#pragma once

#include "common/base/units.h"
#include "common/wall/wall_file.h"
#include "common/wire/playout_ramp.h"
#include "common/wire/tick_set.h"
#include "server/send/flow_feedback.h"

#include <boost/circular_buffer.hpp>

#include <bitset>
#include <cstdint>
#include <span>
#include <vector>

namespace lw {

class WallSync {
public:
  static constexpr std::size_t nodes_max = 4096;  // as many as a wall may have tiles
  using Nodes = std::bitset<nodes_max>;           // by their place in the wall file

  explicit WallSync(const Wall& wall);

  // A frame is on its way to the flows.
  void begin(std::uint16_t tick, WallTime media_time);
  // Sets the playout delay from now on.
  void keep_to(const PlayoutRamp& delay) { delay_ = delay; }
  // The frames to show. `flows`: of the wall, by number.
  const TickSet& step(std::span<const FlowFeedback> flows, WallTime now, LocalTime local_now);

  // Whether this flow's receiver gets what is committed: the first that reports for its node, or all of the node's.
  // As of the last step.
  [[nodiscard]] bool tells(std::size_t flow) const { return tells_[flow]; }

  [[nodiscard]] const Nodes& missing() const { return missing_; }  // connected before, silent now
  [[nodiscard]] std::uint64_t committed() const { return count_; }
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

private:
  struct Frame {
    std::uint16_t tick = 0;
    WallTime media_time{};
  };
  void look_who_reports(std::span<const FlowFeedback> flows, LocalTime now);
  [[nodiscard]] bool all_hold(std::span<const FlowFeedback> flows, std::uint16_t tick) const;

  PlayoutRamp delay_;
  const bool waits_;
  std::vector<unsigned> node_of_flow_;
  boost::circular_buffer<Frame> open_{TickSet::span};  // neither committed nor dropped, oldest first
  TickSet committed_;
  Nodes missing_;
  Nodes spoken_for_;                      // some of its flows report for all
  std::vector<unsigned> for_nodes_;       // those flows
  std::vector<unsigned> for_themselves_;  // flows of other nodes that must hold a frame
  std::vector<bool> tells_;               // by flow
  std::uint64_t count_ = 0;
  std::uint64_t dropped_ = 0;
};

}  // namespace lw
