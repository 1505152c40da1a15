#include "server/send/rtcp_reporter.h"

#include "common/concurrency/agent.h"
#include "common/wire/ntp_time.h"

#include <algorithm>

namespace lw {
namespace {

constexpr std::chrono::seconds answer_within{1};
constexpr std::chrono::milliseconds rounding{1};  // of NTP times to 1/65536 s, and of the clocks' rates
// The system clock was set: more than lies between two readings of clocks by a thread that is not interrupted.
constexpr std::chrono::microseconds system_step{100};

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
  reports_[reports_sent_++ % reports_.size()] = {ntp_middle(now), local_of(now, port_->now())};
  tell(encode(report, cname_, bye, told_));
}

// Both clocks are slewed alike: their difference changes when the system clock is set.
void RtcpReporter::look_at_system_clock(const UdpSocket::Datagram& datagram, LocalTime now) {
  const auto system_less_local = datagram.read.time_since_epoch() - now.time_since_epoch();
  if (system_less_local_ && std::chrono::abs(system_less_local - *system_less_local_) > system_step)
    system_clock_set_ = true;
  system_less_local_ = system_less_local;
}

// False if it is refused. The answer is no longer than the request: our name is cut to fit.
bool RtcpReporter::answer(const ClockRequest& request, const UdpSocket::Datagram& datagram) {
  // Its age would be wrong, and the node's bound with it. The node asks again soon.
  if (system_clock_set_) return true;
  const auto age = datagram.read - datagram.system_arrival;
  if (age < Nanoseconds{0} || age > answer_within) return false;
  const auto error = port_->wall_clock_error();
  if (!error) return true;  // this server has just started, and does not know the wall's time
  const auto now = port_->now().wall;
  // Bounds on the wall's clock: a server that follows another one knows it as exactly as that.
  const ClockReply reply{request.asked, now - age + *error, now - *error};
  auto bytes = encode(ssrc_, reply, cname_, told_);
  if (bytes > datagram.bytes) {
    const auto beyond = bytes - datagram.bytes;
    if (beyond >= cname_.size()) return false;
    bytes = encode(ssrc_, reply, std::string_view(cname_).substr(0, cname_.size() - beyond), told_);
  }
  tell(bytes);
  return true;
}

void RtcpReporter::tell_committed(const TickSet& committed) {
  tell(encode(ssrc_, SyncSubject::committed, {ssrc_, committed, true}, cname_, told_));
}

void RtcpReporter::tell_delay(const PlayoutRamp& delay) { tell(encode(ssrc_, DelayKept{ssrc_, delay}, cname_, told_)); }

// A packet that cannot be sent is dropped: the next one replaces it.
void RtcpReporter::tell(std::size_t bytes) {
  std::span<const std::byte> compound(told_.data(), bytes);
  if (sealer_) compound = sealer_->seal_rtcp(compound);
  if (compound.empty()) return;
  port_->tell(compound);
}

// The rest of a flood stays in the socket. When the socket is full, the kernel drops and counts packets.
std::span<const std::uint32_t> RtcpReporter::receive() {
  missing_.clear();
  for (int i = 0; i < compounds_max && !flooded(); ++i) {
    auto datagram = port_->receive_now(buffer_);
    if (!datagram) {
      system_clock_set_ = false;  // all that waited meanwhile has been read
      break;
    }
    const auto now = port_->now().local;
    look_at_system_clock(*datagram, now);
    limit_.take(now);
    if (!open(*datagram) || !take(*datagram)) ++refused_;
  }
  return missing_;
}

// False if it is encrypted with another key, or is a replay.
bool RtcpReporter::open(UdpSocket::Datagram& datagram) {
  if (!opener_) return true;
  std::span<std::byte> compound(buffer_.data(), datagram.bytes);
  if (opener_->open_rtcp(compound, port_->now().local) != PacketOpener::Fate::done) return false;
  datagram.bytes = compound.size();
  return true;
}

// False if it is not about this stream.
bool RtcpReporter::take(const UdpSocket::Datagram& datagram) {
  RtcpContents contents;
  if (!parse_rtcp({buffer_.data(), datagram.bytes}, ssrc_, contents).empty()) return false;
  bool ours = false;
  if (contents.clock_request && contents.clock_request->source_ssrc == ssrc_)
    ours = answer(*contents.clock_request, datagram);
  if (contents.held && contents.held->source_ssrc == ssrc_) {
    feedback_.held = contents.held->ticks;
    feedback_.for_node = contents.held->for_node;
    feedback_.held_at = feedback_.heard = port_->now().local;
    ours = true;
  }
  if (contents.delay_need && contents.delay_need->source_ssrc == ssrc_) {
    feedback_.delay_needed = contents.delay_need->delay;
    feedback_.heard = port_->now().local;
    ours = true;
  }
  if (!contents.receiver || !contents.receiver->block) return ours;
  if (contents.bye) feedback_ = {};
  take_report(*contents.receiver->block, !contents.nacks.empty(), datagram.arrival);
  const auto room = missing_.size() + missing_of_compound_max;
  for_each_missing(contents, [&](std::uint32_t sequence) {
    if (missing_.size() < room) missing_.push_back(sequence);
  });
  return true;
}

void RtcpReporter::take_report(const ReportBlock& block, bool asks, WallTime arrival) {
  if (const auto rtt = round_trip(block, arrival); rtt && left_before(block, *rtt)) round_trip_ = rtt;
  if (block.fraction_lost > 0 || asks) loss_seen_ = arrival;
  last_report_ = port_->now().local;
  lost_ = static_cast<std::uint64_t>(std::max(block.cumulative_lost, 0));
}

// Whether our report that the answer names left at least that long ago. If not, the wall clock was set meanwhile, or
// the answer is wrong.
bool RtcpReporter::left_before(const ReportBlock& block, Nanoseconds round_trip) const {
  const auto& reports = reports_by_ != nullptr ? reports_by_->reports_ : reports_;
  const auto sent = std::ranges::find(reports, block.last_sr, &Sent::middle);
  if (sent == reports.end()) return false;
  const Nanoseconds kept{std::int64_t{block.delay_since_last_sr} * 1'000'000'000 / 65536};
  return round_trip + kept <= port_->now().local - sent->at + rounding;
}

}  // namespace lw
