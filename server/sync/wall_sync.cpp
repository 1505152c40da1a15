#include "server/sync/wall_sync.h"

#include "common/wall/geometry.h"
#include "common/wall/send_window.h"

#include <algorithm>

namespace lw {
namespace {

// Within this time, a receiver repeats its report several times.
constexpr std::chrono::milliseconds silent_after{300};

}  // namespace

WallSync::WallSync(const Wall& wall)
    : delay_(PlayoutRamp::constant(wall.streaming.playout_delay)), waits_(wall.sync.lost_node == LostNode::hold) {
  for (const auto& band : all_bands(wall))
    node_of_flow_.push_back(static_cast<unsigned>(&wall.node_of(band.tile) - wall.nodes.data()));
}

void WallSync::begin(std::uint16_t tick, WallTime media_time) {
  if (open_.full()) ++dropped_;
  open_.push_back({tick, media_time});
}

// Nodes that never connected do not count: a wall plays without one of its nodes.
bool WallSync::counts(const FlowFeedback& flow, unsigned node) const {
  return flow.heard && (waits_ || !missing_[node]);
}

const TickSet& WallSync::step(std::span<const FlowFeedback> flows, WallTime now, LocalTime local_now) {
  Nanoseconds reach{commit_before};
  missing_.reset();
  for (std::size_t i = 0; i < flows.size(); ++i) {
    if (flows[i].heard && local_now - *flows[i].heard > silent_after) missing_.set(node_of_flow_[i]);
    if (flows[i].round_trip) reach = std::max(reach, commit_before + *flows[i].round_trip);
  }
  std::size_t kept = 0;
  for (const auto& frame : open_) {
    bool anybody = false, all = true;
    for (std::size_t i = 0; i < flows.size() && all; ++i) {
      if (!counts(flows[i], node_of_flow_[i])) continue;
      anybody = true;
      all = flows[i].held.contains(frame.tick);
    }
    const bool too_late = now > frame.media_time + delay_.at(frame.media_time) - reach;
    if (too_late) {
      ++dropped_;
    } else if (anybody && all) {
      committed_.add(frame.tick);
      ++count_;
    } else {
      open_[kept++] = frame;
    }
  }
  open_.resize(kept);
  return committed_;
}

}  // namespace lw
