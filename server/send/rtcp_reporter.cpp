#include "server/send/rtcp_reporter.h"

#include "common/wire/ntp_time.h"

namespace lw {
namespace {

constexpr std::chrono::seconds report_interval{1};
constexpr std::chrono::seconds answer_within{1};

}  // namespace

void RtcpReporter::step(WallTime now, std::uint64_t packets, std::uint64_t payload_bytes) {
  if (!is_due(next_, now, report_interval)) return;
  send_report(now, packets, payload_bytes, false);
  next_ = now + report_interval;
}

void RtcpReporter::say_goodbye(WallTime now, std::uint64_t packets, std::uint64_t payload_bytes) {
  if (packets > 0) send_report(now, packets, payload_bytes, true);
}

void RtcpReporter::send_report(WallTime now, std::uint64_t packets, std::uint64_t payload_bytes, bool bye) {
  const SenderReport report{ssrc_, now, rtp_timestamp(now), static_cast<std::uint32_t>(packets),
                            static_cast<std::uint32_t>(payload_bytes)};
  tell(encode(report, cname_, bye, told_));
}

void RtcpReporter::answer(const ClockRequest& request, WallTime arrival) {
  const auto now = WallClock::now();
  // A clock that was set between the two would tell a lie.
  if (arrival > now || now - arrival > answer_within) return;
  tell(encode(ssrc_, ClockReply{request.asked, arrival, now}, cname_, told_));
}

void RtcpReporter::tell_committed(const TickSet& committed) {
  tell(encode(ssrc_, SyncSubject::committed, {ssrc_, committed}, cname_, told_));
}

void RtcpReporter::tell_delay(const PlayoutRamp& delay) { tell(encode(ssrc_, DelayKept{ssrc_, delay}, cname_, told_)); }

// What does not go out is made good by what is told next.
void RtcpReporter::tell(std::size_t bytes) {
  [[maybe_unused]] const auto sent = send(socket_.fd(), told_.data(), bytes, MSG_DONTWAIT);
}

std::span<const std::uint32_t> RtcpReporter::receive() {
  missing_.clear();
  for (int i = 0; i < compounds_max; ++i) {
    const auto datagram = socket_.receive_now(buffer_);
    if (!datagram) break;
    RtcpContents contents;
    if (!parse_rtcp({buffer_.data(), datagram->bytes}, ssrc_, contents).empty()) continue;
    if (contents.clock_request) answer(*contents.clock_request, datagram->arrival);
    if (contents.held && contents.held->source_ssrc == ssrc_) {
      feedback_.held = contents.held->ticks;
      feedback_.heard = LocalClock::now();
    }
    if (contents.delay_need && contents.delay_need->source_ssrc == ssrc_) {
      feedback_.delay_needed = contents.delay_need->delay;
      feedback_.heard = LocalClock::now();
    }
    if (contents.bye) feedback_ = {};
    if (contents.receiver && contents.receiver->block) {
      const auto& block = *contents.receiver->block;
      if (const auto rtt = round_trip(block, datagram->arrival)) round_trip_ = rtt;
      if (block.fraction_lost > 0 || !contents.nacks.empty()) loss_seen_ = datagram->arrival;
    }
    for_each_missing(contents, [this](std::uint32_t sequence) { missing_.push_back(sequence); });
  }
  return missing_;
}

}  // namespace lw
