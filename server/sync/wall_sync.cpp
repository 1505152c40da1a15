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
  tells_.resize(node_of_flow_.size());
  for_nodes_.reserve(node_of_flow_.size());
  for_themselves_.reserve(node_of_flow_.size());
}

void WallSync::begin(std::uint16_t tick, WallTime media_time) {
  if (open_.full()) ++dropped_;
  open_.push_back({tick, media_time});
}

// Nodes that never connected do not count: a wall plays without one of its nodes. Of a node for which a flow speaks,
// the other flows do not count.
void WallSync::look_who_reports(std::span<const FlowFeedback> flows, LocalTime now) {
  missing_.reset();
  spoken_for_.reset();
  for_nodes_.clear();
  for_themselves_.clear();
  const auto is_silent = [now](const FlowFeedback& flow) { return now - *flow.held_at > silent_after; };
  for (unsigned i = 0; i < flows.size(); ++i) {
    const auto node = node_of_flow_[i];
    const bool speaks = flows[i].held_at && flows[i].for_node && !is_silent(flows[i]);
    tells_[i] = speaks && !spoken_for_[node];
    if (!speaks) continue;
    spoken_for_.set(node);
    for_nodes_.push_back(i);
  }
  for (unsigned i = 0; i < flows.size(); ++i) {
    const auto node = node_of_flow_[i];
    if (spoken_for_[node]) continue;
    tells_[i] = true;
    if (!flows[i].held_at) continue;
    for_themselves_.push_back(i);
    if (is_silent(flows[i])) missing_.set(node);
  }
  if (!waits_) std::erase_if(for_themselves_, [this](unsigned flow) { return missing_[node_of_flow_[flow]]; });
}

bool WallSync::all_hold(std::span<const FlowFeedback> flows, std::uint16_t tick) const {
  const auto holds = [&](unsigned flow) { return flows[flow].held.contains(tick); };
  if (for_nodes_.empty() && for_themselves_.empty()) return false;
  if (!std::ranges::all_of(for_themselves_, holds)) return false;
  Nodes hold;
  for (const auto flow : for_nodes_)
    if (holds(flow)) hold.set(node_of_flow_[flow]);
  return hold == spoken_for_;
}

const TickSet& WallSync::step(std::span<const FlowFeedback> flows, WallTime now, LocalTime local_now) {
  Nanoseconds reach{commit_before};
  look_who_reports(flows, local_now);
  for (const auto& flow : flows)
    if (flow.round_trip) reach = std::max(reach, commit_before + *flow.round_trip);
  std::size_t kept = 0;
  for (const auto& frame : open_) {
    const bool too_late = now > frame.media_time + delay_.at(frame.media_time) - reach;
    if (too_late) {
      ++dropped_;
    } else if (all_hold(flows, frame.tick)) {
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
