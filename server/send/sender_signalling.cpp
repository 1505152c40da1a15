#include "server/send/sender_signalling.h"

#include "common/concurrency/agent.h"
#include "common/plan/buffers.h"

#include <algorithm>

namespace lw {
namespace {

// How often, and how far apart, committed frames are reported.
constexpr unsigned tells_again = 8;
constexpr std::chrono::milliseconds tell_interval{4};
// How often the playout delay is sent before it begins to change, and afterwards for receivers that join later.
constexpr std::chrono::milliseconds tell_change_interval{20};
constexpr std::chrono::milliseconds tell_delay_interval{100};
// A receiver reports what it holds every 80 ms at least, by each path.
constexpr std::chrono::milliseconds path_silent{250};

}  // namespace

SenderSignalling::SenderSignalling(const Wall& wall, std::span<const std::unique_ptr<FlowPath>> paths,
                                   const StreamNumbers& numbers, PacketSealer* sealer)
    : paths_(paths),
      in_step_(wall.sync.mode == SyncMode::wall),
      adapts_(wall.streaming.adapts_playout_delay()),
      listens_(wall.clock == ClockSource::wall || in_step_ || adapts_) {
  if (wall.streaming.resend)
    resender_.emplace(resend_frames(wall.streaming, wall.frame_rate), wall.streaming.longest_playout_delay(), sealer,
                      numbers.resend_ssrc, numbers.first_resend);
  for (const auto& path : paths_)
    if (const int descriptor = path->rtcp.descriptor(); descriptor >= 0) descriptors_.push_back(descriptor);
  delay_.publish(PlayoutRamp::constant(wall.streaming.playout_delay));
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
  if (resender_) resender_->set_budget(rate, packet_bytes);
}

void SenderSignalling::serve(const Moment& now, const FramePackets& packets, bool at_once) {
  if (!at_once && !is_due(next_serve_, now.wall, serve_interval)) return;
  next_serve_ = now.wall + serve_interval;
  const auto format = packets.format();
  for (const auto& path : paths_) {
    const auto missing = path->rtcp.receive();
    if (!resender_) continue;
    for (const auto sequence : missing) resender_->want(sequence);
    // By the path of the request: that one works.
    if (format) resender_->step(path->sender, packets.templates(), packets.band_offset(*format), now);
  }
  if (!in_step_ && !adapts_) return;
  hear_feedback();
  if (in_step_) tell_committed(now.local);
  if (adapts_) tell_delay(now);
}

// Of two paths, the one heard last counts. Both carry what the server decides, so that the receiver has it after the
// shorter round trip; but not by a path that is not heard any more.
void SenderSignalling::hear_feedback() {
  FlowFeedback newest;
  for (const auto& path : paths_)
    if (const auto& feedback = path->rtcp.feedback(); feedback.heard >= newest.heard) newest = feedback;
  newest.round_trip.reset();
  for (const auto& path : paths_) {
    const auto heard = path->rtcp.feedback().heard;
    const auto round_trip = path->rtcp.round_trip_time();
    if (!round_trip || !heard || *newest.heard - *heard > path_silent) continue;
    newest.round_trip = std::min(newest.round_trip.value_or(*round_trip), *round_trip);
  }
  if (newest == newest_) return;
  newest_ = newest;
  feedback_.publish(newest);
  heard_.ring();
}

// Repeats committed frames, because the packet may be lost.
void SenderSignalling::tell_committed(LocalTime now) {
  const auto committed = committed_.read();
  if (committed == told_ && now < next_tell_) return;
  if (committed != told_) tell_again_ = tells_again;
  told_ = committed;
  if (tell_again_ == 0) return;
  --tell_again_;
  next_tell_ = now + tell_interval;
  for (const auto& path : paths_) path->rtcp.tell_committed(committed);
}

void SenderSignalling::tell_delay(const Moment& now) {
  const auto delay = delay_.read();
  if (delay == told_delay_ && now.local < next_tell_delay_) return;
  told_delay_ = delay;
  next_tell_delay_ = now.local + (now.wall < delay.start ? tell_change_interval : tell_delay_interval);
  for (const auto& path : paths_) path->rtcp.tell_delay(delay);
}

void SenderSignalling::report(WallTime now, std::uint64_t packets, std::uint64_t payload_bytes) {
  if (packets == 0) return;  // before the first packet there is nothing to report about
  for (const auto& path : paths_) path->rtcp.step(now, packets, payload_bytes);
}

void SenderSignalling::say_goodbye(WallTime now, std::uint64_t packets, std::uint64_t payload_bytes) {
  for (const auto& path : paths_) path->rtcp.say_goodbye(now, packets, payload_bytes);
}

// A flood does not wake the flow more often than it wakes up anyway.
SenderSignalling::Listening SenderSignalling::listen(LocalTime now) {
  if (std::ranges::any_of(paths_, [](const auto& path) { return path->rtcp.flooded(); }))
    return {{}, now + serve_interval};
  Listening listening{descriptors_};
  if (resender_ && resender_->has_work()) listening.until = now + serve_interval;
  if (tell_again_ > 0) listening.until = std::min(listening.until, next_tell_);
  if (adapts_) listening.until = std::min(listening.until, next_tell_delay_);
  return listening;
}

LocalTime SenderSignalling::next_upkeep(const Moment& now, std::uint64_t packets) {
  auto next = WallTime::max();
  if (keeps_frames()) next = resender_->next_drop();
  if (packets > 0)
    for (const auto& path : paths_) next = std::min(next, path->rtcp.next_report(now.wall));
  return next == WallTime::max() ? LocalTime::max() : local_of(next, now);
}

std::optional<Nanoseconds> SenderSignalling::round_trip() const {
  std::optional<Nanoseconds> longest;
  for (const auto& path : paths_) longest = std::max(longest, path->rtcp.round_trip_time());
  return longest;
}

std::optional<WallTime> SenderSignalling::loss_seen() const {
  std::optional<WallTime> seen;
  for (const auto& path : paths_) seen = std::max(seen, path->rtcp.loss_seen());
  return seen;
}

void SenderSignalling::fill_in(SenderFlowStats& stats) const {
  stats.rtcp_refused = 0;
  for (const auto& path : paths_) {
    stats.rtcp_refused += path->rtcp.refused();
    if (const auto rtt = path->rtcp.round_trip_time()) stats.round_trip = *rtt;
  }
  if (!resender_) return;
  stats.resent = resender_->totals().packets;
  stats.resent_bytes = resender_->totals().bytes;
  stats.resends_refused = resender_->totals().refused;
  stats.resend_errors = resender_->totals().errors;
}

}  // namespace lw
