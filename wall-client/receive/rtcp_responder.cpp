#include "wall-client/receive/rtcp_responder.h"

#include <unistd.h>

#include <algorithm>
#include <random>

namespace lw {
namespace {

constexpr std::chrono::seconds report_interval{1};
constexpr int reports_per_step_max = 4;  // a flood must not hold up the flow

}  // namespace

RtcpResponder::RtcpResponder(std::vector<UdpSocket> sockets, std::string cname, NodeClock* clock)
    : sockets_(std::move(sockets)), clock_(clock), cname_(std::move(cname)), ssrc_(std::random_device{}()) {
  for (const auto& socket : sockets_) socket.stamp_arrivals();
}

void RtcpResponder::restart() {
  last_sr_ = 0;
  committed_ = {};
  delay_.reset();
  expected_before_ = received_before_ = duplicates_before_ = 0;
}

void RtcpResponder::step(WallTime now, const SequenceTracker& sequences, std::uint32_t source_ssrc,
                         std::uint32_t jitter_rtp_units) {
  if (!is_due(next_, now, report_interval)) return;
  next_ = now + report_interval;
  receive_reports(source_ssrc);
  if (sender_ && !sequences.empty()) send_report(now, sequences, source_ssrc, jitter_rtp_units);
}

void RtcpResponder::receive_reports(std::uint32_t source_ssrc) {
  for (std::size_t by = 0; by < sockets_.size(); ++by) {
    for (int i = 0; i < reports_per_step_max; ++i) {
      const auto datagram = sockets_[by].receive_now(buffer_);
      if (!datagram) break;
      RtcpContents contents;
      if (!parse_rtcp({buffer_.data(), datagram->bytes}, std::nullopt, contents).empty()) continue;
      if (const auto& reply = contents.clock_reply; reply && clock_ != nullptr && sender_ == datagram->source)
        clock_->take_reply(RawTime{Nanoseconds{static_cast<std::int64_t>(reply->asked)}}, reply->came, reply->left,
                           datagram->system_arrival);
      if (contents.committed && contents.committed->source_ssrc == source_ssrc && sender_ == datagram->source)
        committed_ = contents.committed->ticks;
      if (contents.delay_kept && contents.delay_kept->source_ssrc == source_ssrc && sender_ == datagram->source)
        delay_ = contents.delay_kept->ramp;
      if (!contents.sender || contents.sender->ssrc != source_ssrc) continue;
      sender_ = datagram->source;
      heard_by_ = by;
      last_sr_ = ntp_middle(contents.sender->time);
      last_sr_arrival_ = datagram->arrival;
    }
  }
}

// RFC 3550 appendix A.3.
RtcpResponder::Interval RtcpResponder::since_last_report(const SequenceTracker& sequences) const {
  const auto expected = sequences.expected() - expected_before_;
  const auto received = sequences.received() - received_before_;
  return {expected, expected > received ? expected - received : 0};
}

ReportBlock RtcpResponder::block_of(WallTime now, const SequenceTracker& sequences, std::uint32_t source_ssrc,
                                    std::uint32_t jitter) const {
  const auto [expected, lost] = since_last_report(sequences);
  ReportBlock block;
  block.source_ssrc = source_ssrc;
  block.fraction_lost =
      expected == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(std::min<std::uint64_t>(255, lost * 256 / expected));
  block.cumulative_lost = static_cast<std::int32_t>(std::min<std::uint64_t>(sequences.lost(), 0x7fffff));
  block.highest_sequence = static_cast<std::uint32_t>(sequences.highest());
  block.jitter = jitter;
  block.last_sr = last_sr_;
  if (last_sr_ != 0)
    block.delay_since_last_sr = static_cast<std::uint32_t>((now - last_sr_arrival_).count() * 65536 / 1'000'000'000);
  return block;
}

void RtcpResponder::send_report(WallTime now, const SequenceTracker& sequences, std::uint32_t source_ssrc,
                                std::uint32_t jitter) {
  const StatisticsSummary summary{source_ssrc, static_cast<std::uint16_t>(highest_before_ + 1),
                                  static_cast<std::uint16_t>(sequences.highest() + 1),
                                  static_cast<std::uint32_t>(since_last_report(sequences).lost),
                                  static_cast<std::uint32_t>(sequences.duplicates() - duplicates_before_)};
  send(encode({ssrc_, block_of(now, sequences, source_ssrc, jitter), summary}, cname_, false, buffer_));
  expected_before_ = sequences.expected();
  received_before_ = sequences.received();
  duplicates_before_ = sequences.duplicates();
  highest_before_ = sequences.highest();
}

void RtcpResponder::ask_for(std::span<const std::int64_t> missing, WallTime now, const SequenceTracker& sequences,
                            std::uint32_t source_ssrc, std::uint32_t jitter_rtp_units) {
  if (!sender_) receive_reports(source_ssrc);
  if (!sender_) return;
  const ReceiverReport report{ssrc_, block_of(now, sequences, source_ssrc, jitter_rtp_units), std::nullopt};
  while (!missing.empty()) {
    std::size_t taken = 0;
    send(encode(report, cname_, missing, buffer_, taken));
    missing = missing.subspan(taken);
  }
}

void RtcpResponder::keep_clock(std::uint32_t source_ssrc) {
  receive_reports(source_ssrc);
  if (!sender_) return;
  if (const auto asked = clock_->next_request(RawClock::now()))
    send(encode(ssrc_, ClockRequest{static_cast<std::uint64_t>(asked->time_since_epoch().count())}, cname_, buffer_));
}

void RtcpResponder::tell_held(std::uint32_t source_ssrc, const TickSet& held) {
  if (sender_) send(encode(ssrc_, SyncSubject::held, {source_ssrc, held}, cname_, buffer_));
}

const TickSet& RtcpResponder::hear_committed(std::uint32_t source_ssrc) {
  receive_reports(source_ssrc);
  return committed_;
}

void RtcpResponder::tell_delay_needed(std::uint32_t source_ssrc, Nanoseconds delay) {
  const auto microseconds = std::chrono::ceil<std::chrono::microseconds>(std::max(delay, Nanoseconds{0}));
  if (sender_) send(encode(ssrc_, DelayNeed{source_ssrc, microseconds}, cname_, buffer_));
}

const std::optional<PlayoutRamp>& RtcpResponder::hear_delay(std::uint32_t source_ssrc) {
  receive_reports(source_ssrc);
  return delay_;
}

void RtcpResponder::say_goodbye() {
  if (sender_) send(encode({ssrc_, std::nullopt, std::nullopt}, cname_, true, buffer_));
}

void RtcpResponder::send(std::size_t bytes) {
  // A report that does not go out is made good by the next.
  [[maybe_unused]] const auto sent =
      sendto(sockets_[heard_by_].fd(), buffer_.data(), bytes, MSG_DONTWAIT, sender_->raw(), sender_->raw_bytes());
}

}  // namespace lw
