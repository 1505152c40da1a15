#include "server/send/sender_signalling.h"

#include "common/concurrency/agent.h"
#include "common/plan/buffers.h"

#include <algorithm>

namespace lw {
namespace {

// How often the playout delay is sent before it begins to change, and afterwards for receivers that join later.
constexpr std::chrono::milliseconds tell_change_interval{20};
constexpr std::chrono::milliseconds tell_delay_interval{100};
constexpr std::chrono::milliseconds refused_interval{500};  // because the kernel is asked
// A receiver reports every second.
constexpr std::chrono::seconds site_heard_within{5};

std::span<const std::unique_ptr<FlowPath>> paths_to_node(std::span<const std::unique_ptr<FlowPath>> paths) {
  const auto beyond = std::ranges::find_if(paths, [](const auto& path) { return !path->is_to_node(); });
  return paths.first(static_cast<std::size_t>(beyond - paths.begin()));
}

// To the wall's node, and to that of each site.
std::vector<std::unique_ptr<CommitExchange>> places_of(const Wall& wall,
                                                       std::span<const std::unique_ptr<FlowPath>> paths) {
  std::vector<std::vector<FlowPath*>> by_place(1 + wall.sites.size());
  for (const auto& path : paths)
    if (path->receives()) by_place[path->is_to_node() ? 0 : 1 + path->site].push_back(path.get());
  std::vector<std::unique_ptr<CommitExchange>> places;
  for (auto& of_place : by_place) places.push_back(std::make_unique<CommitExchange>(std::move(of_place)));
  return places;
}

}  // namespace

SenderSignalling::SenderSignalling(const Wall& wall, std::span<const std::unique_ptr<FlowPath>> paths,
                                   const StreamNumbers& numbers, PacketSealer* sealer)
    : paths_(paths),
      to_node_(paths_to_node(paths)),
      places_(places_of(wall, paths)),
      in_step_(wall.sync.mode == SyncMode::wall),
      adapts_(wall.streaming.adapts_playout_delay()),
      listens_(wall.clock == ClockSource::wall || in_step_ || adapts_) {
  std::size_t receivers = 1;
  for (const auto& path : paths_) {
    receivers_.push_back(path->is_to_node() || !path->receives() ? 0 : receivers++);
    if (path->end == PathEnd::member) members_.add(path->rtcp.descriptor());
    if (!path->receives()) continue;
    if (const int descriptor = path->rtcp.descriptor(); descriptor >= 0) descriptors_.push_back(descriptor);
  }
  if (wall.streaming.resend)
    resender_.emplace(kept_frames(wall.streaming, wall.frame_rate), wall.streaming.resend_time(), sealer,
                      numbers.resend_ssrc, numbers.first_resend, receivers);
  delay_.publish({PlayoutRamp::constant(wall.streaming.playout_delay), false});
}

void SenderSignalling::begin_streams(const StreamNumbers& numbers) {
  forget_frames();
  if (resender_) resender_->begin_stream(numbers.resend_ssrc, numbers.first_resend);
  for (const auto& path : paths_) path->rtcp.begin_stream(numbers.ssrc);
}

void SenderSignalling::begin_frame(FrameBuffer* buffer, const FrameStamp& stamp, std::uint32_t first_sequence) {
  if (resender_) resender_->sent().add({buffer, stamp, first_sequence, 0});
}

void SenderSignalling::sent(std::size_t packets) {
  if (resender_) resender_->sent().set_packets(static_cast<std::uint32_t>(packets));
}

void SenderSignalling::forget_frames() {
  if (resender_) resender_->sent().forget();
}

void SenderSignalling::set_resend_budget(BitRate rate, std::size_t packet_bytes) {
  if (!resender_) return;
  rate_ = rate;
  for (std::size_t i = 0; i < paths_.size(); ++i)
    if (paths_[i]->receives())
      resender_->set_budget(receivers_[i], rate * (paths_[i]->resend_percent / 100.0), packet_bytes);
}

void SenderSignalling::serve(const Moment& now, const FramePackets& packets, bool at_once, bool may_read) {
  if (!at_once && !is_due(next_serve_, now.wall, serve_interval)) return;
  next_serve_ = now.wall + serve_interval;
  members_.look();
  std::size_t member = 0;
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    auto& path = *paths_[i];
    const bool silent = path.end == PathEnd::member && !members_.readable(member++) &&
                        !(resender_ && resender_->has_work(receivers_[i]));
    if (path.receives() && !silent) receive_from(path, receivers_[i], packets, now, may_read);
  }
  if (!in_step_ && !adapts_) return;
  hear_feedback();
  if (in_step_)
    for (const auto& place : places_) place->tell(now.local);
  if (adapts_) tell_delay(now);
}

void SenderSignalling::receive_from(FlowPath& path, std::size_t receiver, const FramePackets& packets,
                                    const Moment& now, bool may_read) {
  std::span<const std::uint32_t> missing;
  if (may_read) missing = path.rtcp.receive();
  if (!resender_) return;
  for (const auto sequence : missing) resender_->want(receiver, sequence);
  // By the path of the request: that one works.
  if (packets.format()) resender_->step(receiver, path.sender, packets, now);
}

void SenderSignalling::hear_feedback() {
  bool changed = false;
  for (const auto& place : std::span(places_).first(in_step_ ? places_.size() : 1)) changed = place->hear() || changed;
  if (changed) heard_.ring();
}

void SenderSignalling::tell_delay(const Moment& now) {
  const auto [delay, decided] = delay_.read();
  if (!decided || (delay == told_delay_ && now.local < next_tell_delay_)) return;
  told_delay_ = delay;
  next_tell_delay_ = now.local + (now.wall < delay.start ? tell_change_interval : tell_delay_interval);
  for (const auto& path : to_node_) path->rtcp.tell_delay(delay);
}

void SenderSignalling::report(WallTime now, std::uint64_t packets, std::uint64_t payload_bytes) {
  if (packets == 0) return;  // before the first packet there is nothing to report about
  for (const auto& path : paths_)
    if (path->carries_frames()) path->rtcp.step(now, packets, payload_bytes);
}

void SenderSignalling::say_goodbye(WallTime now, std::uint64_t packets, std::uint64_t payload_bytes) {
  for (const auto& path : paths_)
    if (path->carries_frames()) path->rtcp.say_goodbye(now, packets, payload_bytes);
}

// A flood does not wake the flow more often than it wakes up anyway.
SenderSignalling::Listening SenderSignalling::listen(LocalTime now) {
  if (std::ranges::any_of(paths_, [](const auto& path) { return path->rtcp.flooded(); }))
    return {{}, now + serve_interval};
  Listening listening{descriptors_};
  if (resender_ && resender_->has_work()) listening.until = now + serve_interval;
  for (const auto& place : places_)
    if (const auto next = place->next_tell()) listening.until = std::min(listening.until, *next);
  if (adapts_ && delay_.read().decided) listening.until = std::min(listening.until, next_tell_delay_);
  return listening;
}

LocalTime SenderSignalling::next_upkeep(const Moment& now, std::uint64_t packets) {
  auto next = WallTime::max();
  if (keeps_frames()) next = resender_->next_drop();
  if (packets > 0)
    for (const auto& path : paths_)
      if (path->carries_frames()) next = std::min(next, path->rtcp.next_report(now.wall));
  return next == WallTime::max() ? LocalTime::max() : local_of(next, now);
}

std::optional<Nanoseconds> SenderSignalling::round_trip() const {
  std::optional<Nanoseconds> longest;
  for (const auto& path : to_node_) longest = std::max(longest, path->rtcp.round_trip_time());
  return longest;
}

std::optional<WallTime> SenderSignalling::loss_seen() const {
  std::optional<WallTime> seen;
  for (const auto& path : to_node_) seen = std::max(seen, path->rtcp.loss_seen());
  return seen;
}

void SenderSignalling::fill_in(SenderFlowStats& stats, LocalTime now) {
  if (now >= next_refused_) {
    next_refused_ = now + refused_interval;
    stats.rtcp_refused = 0;
    for (const auto& path : to_node_) stats.rtcp_refused += path->rtcp.refused();
  }
  for (const auto& path : to_node_)
    if (const auto rtt = path->rtcp.round_trip_time()) stats.round_trip = *rtt;
  if (!resender_) return;
  const auto& totals = resender_->totals(0);
  stats.resent = totals.packets;
  stats.resent_bytes = totals.bytes;
  stats.resends_refused = totals.refused;
  stats.resend_errors = totals.errors;
}

void SenderSignalling::publish_sites(LocalTime now, std::span<const std::unique_ptr<Snapshot<SiteStats>>> sites) const {
  for (std::size_t i = to_node_.size(); i < paths_.size(); ++i) {
    const auto& path = *paths_[i];
    if (!path.receives()) continue;
    SiteStats stats;
    const auto reported = path.rtcp.last_report();
    stats.flows_heard = reported && now - *reported < site_heard_within ? 1 : 0;
    stats.lost = path.rtcp.lost();
    stats.send_errors = path.group != nullptr ? path.group->send_errors : path.send_errors;
    stats.rtcp_refused = path.rtcp.refused_here();
    stats.round_trip = path.rtcp.round_trip_time();
    if (resender_) {
      const auto& totals = resender_->totals(receivers_[i]);
      stats.resent = totals.packets;
      stats.resent_bytes = totals.bytes;
      stats.resends_refused = totals.refused;
      if (rate_) stats.resend_budget_bytes_per_s = rate_->bits_per_second / 8 * path.resend_percent / 100.0;
    }
    sites[path.site]->publish(stats);
  }
}

}  // namespace lw
