// RTCP (RFC 3550 section 6): compound packets of a sender report, receiver reports, SDES CNAME and BYE, the extended
// report's statistics summary (RFC 3611 section 4.6), generic NACKs (RFC 4585 section 6.2.1), and our own
// application-defined packets (RFC 3550 section 6.7; docs/protocol.md). One flow is one RTP session, so our compounds
// have at most one report block; those of others may have 31.
#pragma once

#include "common/base/units.h"
#include "common/wire/playout_ramp.h"
#include "common/wire/tick_set.h"

#include <boost/container/static_vector.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lw {

inline constexpr std::size_t rtcp_bytes_max = 1200;

// The name of a program in SDES CNAME: "server@host", "NODE@host".
std::string canonical_name(std::string_view role);

struct SenderReport {
  std::uint32_t ssrc = 0;
  WallTime time{};                  // NTP timestamp
  std::uint32_t rtp_timestamp = 0;  // the same instant
  std::uint32_t packet_count = 0;   // modulo 2^32
  std::uint32_t octet_count = 0;
};

struct ReportBlock {
  std::uint32_t source_ssrc = 0;
  std::uint8_t fraction_lost = 0;         // in the last interval, in 1/256
  std::int32_t cumulative_lost = 0;       // 24 bits signed on the wire
  std::uint32_t highest_sequence = 0;     // extended
  std::uint32_t jitter = 0;               // RTP timestamp units
  std::uint32_t last_sr = 0;              // middle 32 bits of the NTP time of the last sender report; 0: none yet
  std::uint32_t delay_since_last_sr = 0;  // in 1/65536 s
};

// RFC 3611 section 4.6, over the interval since the previous report.
struct StatisticsSummary {
  std::uint32_t source_ssrc = 0;
  std::uint16_t begin_sequence = 0, end_sequence = 0;
  std::uint32_t lost = 0;
  std::uint32_t duplicates = 0;
};

struct ReceiverReport {
  std::uint32_t ssrc = 0;  // of the reporter
  std::optional<ReportBlock> block;
  std::optional<StatisticsSummary> summary;
};

// RFC 4585 section 6.2.1: a lost packet, and a bit for each of the next 16 that is also lost. Its 16-bit sequence
// number means the newest such number up to the highest of the report block in the same compound.
struct GenericNack {
  std::uint16_t first = 0;
  std::uint16_t following = 0;
};
inline constexpr std::size_t nacks_max = 200;  // in one compound

// Two-way time transfer, APP "LWCK": the requester's own time, which is only returned, and the responder's times. A
// request is as long as its reply, so that nobody can use it to amplify traffic to another host.
struct ClockRequest {
  std::uint64_t asked = 0;
  std::uint32_t source_ssrc = 0;  // of the flow, whose sender answers
};
struct ClockReply {
  std::uint64_t asked = 0;
  WallTime came{};  // the request
  WallTime left{};  // this reply
};

// [sync] mode = "wall", APP "LWSY": the frames of a stream that a receiver holds completely, or that all tiles show.
enum class SyncSubject : std::uint8_t { held, committed };
struct SyncTicks {
  std::uint32_t source_ssrc = 0;
  TickSet ticks;
  // Of a receiver: all flows of its node hold them. Of a server: it accepts that.
  bool for_node = false;
};

// An adapted playout delay, APP "LWPD": what a receiver would need, and what all tiles use.
struct DelayNeed {
  std::uint32_t source_ssrc = 0;
  std::chrono::microseconds delay{0};
};
struct DelayKept {
  std::uint32_t source_ssrc = 0;
  PlayoutRamp ramp;  // to the microsecond
};

// Encodes compound packets into `out`; returns the bytes used. `cname` is cut to 255 characters.
std::size_t encode(const SenderReport& report, std::string_view cname, bool bye,
                   std::span<std::byte, rtcp_bytes_max> out);
std::size_t encode(const ReceiverReport& report, std::string_view cname, bool bye,
                   std::span<std::byte, rtcp_bytes_max> out);

// The report, with a request to its block's source to resend `missing`: sequence numbers in ascending order; the first
// `taken` of them found room.
std::size_t encode(const ReceiverReport& report, std::string_view cname, std::span<const std::int64_t> missing,
                   std::span<std::byte, rtcp_bytes_max> out, std::size_t& taken);

std::size_t encode(std::uint32_t ssrc, const ClockRequest& request, std::string_view cname,
                   std::span<std::byte, rtcp_bytes_max> out);
std::size_t encode(std::uint32_t ssrc, const ClockReply& reply, std::string_view cname,
                   std::span<std::byte, rtcp_bytes_max> out);

std::size_t encode(std::uint32_t ssrc, SyncSubject subject, const SyncTicks& ticks, std::string_view cname,
                   std::span<std::byte, rtcp_bytes_max> out);

std::size_t encode(std::uint32_t ssrc, const DelayNeed& need, std::string_view cname,
                   std::span<std::byte, rtcp_bytes_max> out);
std::size_t encode(std::uint32_t ssrc, const DelayKept& kept, std::string_view cname,
                   std::span<std::byte, rtcp_bytes_max> out);

struct RtcpContents {
  std::optional<SenderReport> sender;
  std::optional<ReceiverReport> receiver;  // with the block about `about_ssrc` if that is given
  bool bye = false;
  std::optional<ClockRequest> clock_request;
  std::optional<ClockReply> clock_reply;
  std::optional<SyncTicks> held;
  std::optional<SyncTicks> committed;
  std::optional<DelayNeed> delay_need;
  std::optional<DelayKept> delay_kept;
  boost::container::static_vector<GenericNack, nacks_max> nacks;  // about `about_ssrc`; excess ones are ignored
};
// Calls on_missing(extended sequence number, 32 bits) for each packet that the compound requests. Only those up to the
// highest received have such a number.
template <class OnMissing>
void for_each_missing(const RtcpContents& contents, OnMissing on_missing) {
  if (!contents.receiver || !contents.receiver->block) return;
  const auto highest = contents.receiver->block->highest_sequence;
  for (const auto& nack : contents.nacks) {
    const std::uint32_t first = highest - static_cast<std::uint16_t>(highest - nack.first);
    on_missing(first);
    for (unsigned bit = 0; bit < 16; ++bit)
      if (((nack.following >> bit) & 1U) != 0 && bit < highest - first) on_missing(first + bit + 1);
  }
}
// Empty, or why the datagram is not a valid compound (RFC 3550 appendix A.2). (Fuzzed.)
std::string_view parse_rtcp(std::span<const std::byte> datagram, std::optional<std::uint32_t> about_ssrc,
                            RtcpContents& out);

// Round-trip time by RFC 3550 section 6.4.1 from a report block that arrived at `now`; empty before the first sender
// report.
std::optional<Nanoseconds> round_trip(const ReportBlock& block, WallTime now);
// The middle 32 bits of the NTP time, as used in LSR.
std::uint32_t ntp_middle(WallTime time);

}  // namespace lw
