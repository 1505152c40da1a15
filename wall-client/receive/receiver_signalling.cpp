#include "wall-client/receive/receiver_signalling.h"

#include "common/concurrency/agent.h"
#include "common/wall/flow_routes.h"

#include <algorithm>
#include <array>

namespace lw {
namespace {

constexpr std::chrono::milliseconds clock_interval{5};  // between updates of the clock
// How often the sender's reports are read at most: each time costs a system call. What all tiles show is decided just
// in time ([sync] mode = "wall"), the playout delay some time before. Other reports can wait.
constexpr std::chrono::milliseconds hear_in_step_interval{1};
constexpr std::chrono::milliseconds hear_delay_interval{10};
constexpr std::chrono::milliseconds hear_interval{100};
constexpr int watched_longer = 10;  // only a flow that always has packets to take needs to look by itself then
// [sync] mode = "wall": complete frames are reported until they are committed; then only that the flow is alive.
constexpr std::chrono::milliseconds held_interval{8};
constexpr std::chrono::milliseconds alive_interval{80};
// [streaming] playout_delay_max_ms: how often the needed delay is reported.
constexpr std::chrono::milliseconds tell_delay_interval{100};
constexpr std::chrono::seconds reordered_within{1};  // the server sends ten times as often
// A band still incomplete this long before its presentation is dropped, so that the presenter can conceal in time.
constexpr std::chrono::milliseconds drop_before{6};
constexpr std::size_t requests_of_step_max = 512;  // packets
// A frame due later than this, beyond the playout delay, is refused: it would occupy its buffer for as long. More than
// clocks of hosts without any time service differ, and less than an operator would wait.
constexpr std::chrono::seconds ahead_max{10};

Nanoseconds hear_interval_of(const Wall& wall) {
  if (wall.sync.mode == SyncMode::wall) return hear_in_step_interval;
  return wall.streaming.adapts_playout_delay() ? hear_delay_interval : hear_interval;
}

// Whether it is within the bounds, and gentle enough for frames to stay in order.
bool may_keep_to(const PlayoutRamp& delay, Nanoseconds least, Nanoseconds most) {
  const auto within = [&](Nanoseconds time) { return time >= least && time <= most; };
  const auto change = delay.to > delay.from ? delay.to - delay.from : delay.from - delay.to;
  return within(delay.from) && within(delay.to) && delay.length >= 2 * change;
}

}  // namespace

ReceiverSignalling::ReceiverSignalling(const Wall& wall, TileIndex tile,
                                       std::vector<std::unique_ptr<DatagramPort>> control, std::uint32_t ssrc,
                                       const std::optional<MediaKey>& key, ClockKeeper* clock,
                                       const StreamSource& source, NodeHoldings* holdings)
    : source_(source),
      rtcp_(std::move(control), servers_of(wall, tile), ssrc, canonical_name(wall.node_of(tile).name), clock, source,
            key, RtcpResponder::quiet_interval(wall.node_of(tile).tiles.size() * wall.streaming.flows_per_tile)),
      clock_(clock),
      least_delay_(wall.streaming.playout_delay),
      most_delay_(wall.streaming.longest_playout_delay()),
      in_step_(wall.sync.mode == SyncMode::wall),
      keeps_late_(wall.streaming.keep_late),
      hear_interval_(hear_interval_of(wall)),
      delay_(PlayoutRamp::constant(least_delay_)),
      holdings_(in_step_ ? holdings : nullptr),
      place_(holdings_ != nullptr ? holdings_->take_place() : 0) {
  if (wall.streaming.resend) requester_.emplace();
  kept_delay_.publish(delay_);
}

void ReceiverSignalling::keep_clock(LocalTime now) {
  if (clock_ == nullptr || now < next_clock_) return;
  next_clock_ = now + clock_interval;
  if (const auto ssrc = source_.ssrc()) rtcp_.keep_clock(*ssrc, now);
  clock_->step();
}

bool ReceiverSignalling::step(const Moment& now, StreamLedger& ledger, bool watched, bool at_once) {
  const auto ssrc = source_.ssrc();
  if (!ssrc) return false;
  // Requests wait for the sender's first report.
  const bool waits = requester_ && !requester_->empty() && !rtcp_.knows_sender();
  if (at_once || waits || now.local >= next_hear_) {
    next_hear_ = now.local + (watched && !in_step_ ? watched_longer : 1) * hear_interval_;
    rtcp_.hear(*ssrc, now.local);
  }
  if (asks()) request_missing(*ssrc, now, ledger);
  bool changed = in_step_ && exchange_held(*ssrc, now.local);
  if (most_delay_ > least_delay_) changed = exchange_delay(*ssrc, now.local, ledger) || changed;
  rtcp_.step(now, ledger.sequences(), *ssrc, ledger.jitter_rtp_units());
  return changed;
}

ReceiverSignalling::Listening ReceiverSignalling::listen(const Moment& now) {
  Listening listening;
  if (clock_ != nullptr) listening.until = next_clock_;
  if (!source_.ssrc()) return listening;
  const auto at = [&](LocalTime time) { listening.until = std::min(listening.until, time); };
  listening.hears = !rtcp_.is_flooded(now.local);
  if (!listening.hears) at(now.local + hear_in_step_interval);
  if (asks() && requester_->next_look() != WallTime::max()) at(local_of(requester_->next_look(), now));
  if (in_step_) at(next_held_);
  if (most_delay_ > least_delay_) at(next_tell_delay_);
  at(local_of(rtcp_.next_report(now.wall), now));
  return listening;
}

void ReceiverSignalling::say_goodbye(WallTime now, const StreamLedger& ledger) {
  if (const auto ssrc = source_.ssrc()) rtcp_.say_goodbye(now, ledger.sequences(), *ssrc);
}

void ReceiverSignalling::restart(const SequenceTracker& sequences) {
  if (requester_) requester_->restart();
  rtcp_.restart(sequences);
  held_ = {};
  if (holdings_ != nullptr) holdings_->restart(place_);
  committed_.publish({});
  delay_ = PlayoutRamp::constant(least_delay_);
  kept_delay_.publish(delay_);
  newest_ = {};
  completed_ = {};
}

void ReceiverSignalling::miss_before(std::int64_t sequence, const SequenceTracker& sequences, WallTime media_time,
                                     WallTime now) {
  if (!requester_ || sequences.empty() || sequence <= sequences.highest() + 1 || is_far_ahead(media_time, now)) return;
  requester_->miss(sequences.highest() + 1, sequence - 1, now, deadline_of(media_time));
}

WallTime ReceiverSignalling::first_missed(const FrameStamp& next) const {
  if (completed_ != newest_.media_time) return newest_.media_time;
  const auto frames = static_cast<std::uint16_t>(next.tick - newest_.tick);
  return newest_.media_time + (next.media_time - newest_.media_time) / std::max<unsigned>(frames, 1);
}

void ReceiverSignalling::request_missing(std::uint32_t ssrc, const Moment& now, StreamLedger& ledger) {
  std::array<std::int64_t, requests_of_step_max> room;
  if (!keeps_late_) requester_->forget_after(now.wall + 2 * most_delay_ + ahead_max);
  const auto missing = requester_->take_due(now.wall, room);
  if (missing.empty()) return;
  rtcp_.ask_for(missing, now, ledger.sequences(), ssrc, ledger.jitter_rtp_units());
  ledger.counts().resends_asked = requester_->counts().asked;
}

void ReceiverSignalling::hold(std::uint16_t tick) {
  if (!in_step_) return;
  held_.add(tick);
  if (holdings_ != nullptr) may_be_last_ = holdings_->hold(place_, tick, held_) || may_be_last_;
}

bool ReceiverSignalling::is_far_ahead(WallTime media_time, WallTime now) const {
  return !keeps_late_ && media_time - most_delay_ - ahead_max > now;
}

WallTime ReceiverSignalling::deadline_of(WallTime media_time) const {
  if (keeps_late_) return WallTime::max();
  return media_time + delay_.at(media_time) - drop_before;
}

bool ReceiverSignalling::exchange_held(std::uint32_t ssrc, LocalTime now) {
  const auto& committed = rtcp_.committed();
  const bool changed = committed != committed_.read();
  if (changed) committed_.publish(committed);
  if (holdings_ != nullptr) {
    if (const auto reported = rtcp_.reported()) holdings_->hear(place_, *reported);
    if (rtcp_.accepts_for_node()) holdings_->accept();
  }
  report_held(ssrc, now);
  return changed;
}

// Repeatedly until the server has answered that all tiles hold them: either packet may be lost. The flow that speaks
// for its node looks again while others may still complete a frame that it holds; the last one to do so reports it
// once.
void ReceiverSignalling::report_held(std::uint32_t ssrc, LocalTime now) {
  using Speaker = NodeHoldings::Speaker;
  const auto speaker = holdings_ != nullptr ? holdings_->speaker(place_, now) : Speaker::for_itself;
  const bool may_be_last = std::exchange(may_be_last_, false);
  const bool is_new = std::exchange(held_seen_, held_) != held_;
  if (now < next_held_ && !(speaker == Speaker::another ? may_be_last : may_be_last || is_new)) return;
  next_held_ = now + alive_interval;
  if (speaker == Speaker::another && !may_be_last) return;  // only to see whether it is still so
  const auto held = speaker == Speaker::for_itself ? NodeHoldings::Held{held_, false} : holdings_->held(now);
  if (speaker == Speaker::another && !held.ticks.contains(held_.newest())) return;
  const bool settled = rtcp_.committed().contains(held.ticks.newest());
  if (held.ticks != told_held_ || !settled || now - told_at_ >= alive_interval) {
    rtcp_.tell_held(ssrc, held.ticks, speaker != Speaker::for_itself);
    told_held_ = held.ticks;
    told_at_ = now;
  }
  if (speaker != Speaker::another) next_held_ = settled && !held.more ? told_at_ + alive_interval : now + held_interval;
}

// Reports the delay that the frames need, and takes the one that the server has decided.
bool ReceiverSignalling::exchange_delay(std::uint32_t ssrc, LocalTime now, const StreamLedger& ledger) {
  const auto& told = rtcp_.delay();
  // Of successive changes the later one counts, even if the network reorders the reports. After the server's clock was
  // set back all begin earlier, and the previous one is no longer sent.
  if (told && *told == delay_) delay_told_ = now;
  const bool older = told && told->start < delay_.start && now - delay_told_ < reordered_within;
  const bool changed = told && *told != delay_ && !older && may_keep_to(*told, least_delay_, most_delay_);
  if (changed) {
    delay_ = *told;
    delay_told_ = now;
    kept_delay_.publish(delay_);
  }
  if (now < next_tell_delay_) return changed;
  next_tell_delay_ = now + tell_delay_interval;
  if (const auto needed = ledger.delay_needed()) rtcp_.tell_delay_needed(ssrc, *needed);
  return changed;
}

}  // namespace lw
