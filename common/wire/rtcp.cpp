#include "common/wire/rtcp.h"

#include "common/base/host_name.h"
#include "common/wire/ntp_time.h"
#include "common/wire/relayed.h"

#include <boost/endian/conversion.hpp>

#include <algorithm>
#include <cassert>
#include <cstring>

namespace lw {
namespace {

enum PacketType : std::uint8_t { sr = 200, rr = 201, sdes = 202, bye_type = 203, app = 204, rtpfb = 205, xr = 207 };
constexpr unsigned generic_nack = 1;                    // format of a transport layer feedback
constexpr std::uint32_t clock_name = 0x4C57434B;        // "LWCK"
constexpr std::uint32_t sync_name = 0x4C575359;         // "LWSY"; subtypes: SyncSubject
constexpr std::uint16_t for_node_bit = 1;               // of its flags
constexpr std::uint32_t delay_name = 0x4C575044;        // "LWPD"
constexpr unsigned clock_request = 0, clock_reply = 1;  // subtypes of LWCK
constexpr unsigned delay_need = 0, delay_kept = 1;      // of LWPD
constexpr std::uint8_t xr_statistics_summary = 6;
constexpr std::size_t block_bytes = 24;

class Writer {
public:
  explicit Writer(std::span<std::byte> out) : out_(out) {}

  void u8(std::uint8_t value) { put<std::uint8_t>(value); }
  void u16(std::uint16_t value) { put(boost::endian::native_to_big(value)); }
  void u32(std::uint32_t value) { put(boost::endian::native_to_big(value)); }
  void u64(std::uint64_t value) {
    u32(static_cast<std::uint32_t>(value >> 32U));
    u32(static_cast<std::uint32_t>(value));
  }
  void text(std::string_view value) {
    assert(at_ + value.size() <= out_.size());
    std::memcpy(out_.data() + at_, value.data(), value.size());
    at_ += value.size();
  }
  void pad_to_word() {
    do u8(0);
    while (at_ % 4 != 0);
  }

  // begin() leaves room for the length, which end() fills in.
  void begin(unsigned count, std::uint8_t type) {
    start_ = at_;
    u8(static_cast<std::uint8_t>(0x80U | count));
    u8(type);
    u16(0);
  }
  void end() {
    assert((at_ - start_) % 4 == 0);
    const auto words = boost::endian::native_to_big(static_cast<std::uint16_t>((at_ - start_) / 4 - 1));
    std::memcpy(out_.data() + start_ + 2, &words, 2);
  }
  [[nodiscard]] std::size_t size() const { return at_; }

private:
  template <class T>
  void put(T value) {
    assert(at_ + sizeof(T) <= out_.size());
    std::memcpy(out_.data() + at_, &value, sizeof(T));
    at_ += sizeof(T);
  }
  std::span<std::byte> out_;
  std::size_t at_ = 0;
  std::size_t start_ = 0;
};

void write_source(Writer& out, std::uint32_t ssrc, std::string_view cname, bool bye) {
  cname = cname.substr(0, 255);
  out.begin(1, sdes);
  out.u32(ssrc);
  out.u8(1);  // CNAME
  out.u8(static_cast<std::uint8_t>(cname.size()));
  out.text(cname);
  out.pad_to_word();
  out.end();
  if (!bye) return;
  out.begin(1, bye_type);
  out.u32(ssrc);
  out.end();
}

void write_block(Writer& out, const ReportBlock& block) {
  const auto lost = std::clamp(block.cumulative_lost, -0x800000, 0x7fffff);
  out.u32(block.source_ssrc);
  out.u32(static_cast<std::uint32_t>(block.fraction_lost) << 24U | (static_cast<std::uint32_t>(lost) & 0xffffffU));
  out.u32(block.highest_sequence);
  out.u32(block.jitter);
  out.u32(block.last_sr);
  out.u32(block.delay_since_last_sr);
}

void write_summary(Writer& out, std::uint32_t reporter, const StatisticsSummary& summary) {
  out.begin(0, xr);
  out.u32(reporter);
  out.u8(xr_statistics_summary);
  out.u8(0xC0);  // loss and duplicate counts are reported; jitter and TTL are not
  out.u16(9);
  out.u32(summary.source_ssrc);
  out.u16(summary.begin_sequence);
  out.u16(summary.end_sequence);
  out.u32(summary.lost);
  out.u32(summary.duplicates);
  for (int unreported = 0; unreported < 5; ++unreported) out.u32(0);
  out.end();
}

// Writes as many of `missing` as there is room for, and returns how many.
std::size_t write_nacks(Writer& out, std::uint32_t reporter, std::uint32_t source,
                        std::span<const std::int64_t> missing) {
  out.begin(generic_nack, rtpfb);
  out.u32(reporter);
  out.u32(source);
  std::size_t taken = 0;
  for (std::size_t nacks = 0; nacks < nacks_max && taken < missing.size(); ++nacks) {
    const auto first = missing[taken++];
    unsigned following = 0;
    for (; taken < missing.size() && missing[taken] - first <= 16; ++taken)
      following |= 1U << static_cast<unsigned>(missing[taken] - first - 1);
    out.u16(static_cast<std::uint16_t>(first));
    out.u16(static_cast<std::uint16_t>(following));
  }
  out.end();
  return taken;
}

class Reader {
public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  [[nodiscard]] std::uint32_t u32(std::size_t at) const { return boost::endian::load_big_u32(data(at)); }
  [[nodiscard]] std::uint64_t u64(std::size_t at) const { return boost::endian::load_big_u64(data(at)); }
  [[nodiscard]] std::uint16_t u16(std::size_t at) const { return boost::endian::load_big_u16(data(at)); }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }

private:
  [[nodiscard]] const unsigned char* data(std::size_t at) const {
    return reinterpret_cast<const unsigned char*>(bytes_.data()) + at;
  }
  std::span<const std::byte> bytes_;
};

std::optional<ReportBlock> find_block(const Reader& packet, std::size_t first, unsigned count,
                                      std::optional<std::uint32_t> about) {
  for (unsigned i = 0; i < count; ++i) {
    const std::size_t at = first + i * block_bytes;
    if (about && packet.u32(at) != *about) continue;
    const std::uint32_t lost = packet.u32(at + 4);
    // 24-bit two's complement.
    const auto cumulative = static_cast<std::int32_t>(lost << 8U) >> 8;
    return ReportBlock{packet.u32(at),      static_cast<std::uint8_t>(lost >> 24U),
                       cumulative,          packet.u32(at + 8),
                       packet.u32(at + 12), packet.u32(at + 16),
                       packet.u32(at + 20)};
  }
  return std::nullopt;
}

std::string_view read_clock_packet(const Reader& packet, unsigned subtype, RtcpContents& out) {
  if (subtype == clock_request) {
    if (packet.size() < 36) return "clock request shorter than its reply";
    out.clock_request = ClockRequest{packet.u64(12), packet.u32(20)};
  } else if (subtype == clock_reply) {
    if (packet.size() < 36) return "clock reply without its times";
    out.clock_reply = ClockReply{packet.u64(12), from_ntp(packet.u64(20)), from_ntp(packet.u64(28))};
  }
  return {};
}

std::string_view read_sync_packet(const Reader& packet, unsigned subtype, RtcpContents& out) {
  if (packet.size() < 28) return "frames held or committed without which";
  const SyncTicks ticks{packet.u32(12), {packet.u16(16), packet.u64(20)}, (packet.u16(18) & for_node_bit) != 0};
  if (subtype == static_cast<unsigned>(SyncSubject::held)) out.held = ticks;
  if (subtype == static_cast<unsigned>(SyncSubject::committed)) out.committed = ticks;
  return {};
}

std::string_view read_delay_packet(const Reader& packet, unsigned subtype, RtcpContents& out) {
  const auto microseconds = [&](std::size_t at) { return std::chrono::microseconds{packet.u32(at)}; };
  if (subtype == delay_need) {
    if (packet.size() < 20) return "playout delay needed without a time";
    out.delay_need = DelayNeed{packet.u32(12), microseconds(16)};
  } else if (subtype == delay_kept) {
    if (packet.size() < 36) return "playout delay without its times";
    out.delay_kept =
        DelayKept{packet.u32(12), {from_ntp(packet.u64(16)), microseconds(24), microseconds(28), microseconds(32)}};
  }
  return {};
}

std::string_view read_packet(const Reader& packet, std::uint8_t type, unsigned count,
                             std::optional<std::uint32_t> about, RtcpContents& out) {
  if (type == sr) {
    if (packet.size() < 28 + count * block_bytes) return "sender report shorter than its blocks";
    out.sender = SenderReport{packet.u32(4), from_ntp(packet.u64(8)), packet.u32(16), packet.u32(20), packet.u32(24)};
  } else if (type == rr) {
    if (packet.size() < 8 + count * block_bytes) return "receiver report shorter than its blocks";
    out.receiver = ReceiverReport{packet.u32(4), find_block(packet, 8, count, about), std::nullopt};
  } else if (type == bye_type) {
    out.bye = true;
  } else if (type == rtpfb && count == generic_nack) {
    if (packet.size() < 16) return "NACK without a packet";
    if (about && packet.u32(8) != *about) return {};
    for (std::size_t at = 12; at + 4 <= packet.size() && out.nacks.size() < nacks_max; at += 4)
      out.nacks.push_back({packet.u16(at), packet.u16(at + 2)});
  } else if (type == app && packet.size() >= 12 && packet.u32(8) == clock_name) {
    return read_clock_packet(packet, count, out);
  } else if (type == app && packet.size() >= 12 && packet.u32(8) == sync_name) {
    return read_sync_packet(packet, count, out);
  } else if (type == app && packet.size() >= 12 && packet.u32(8) == delay_name) {
    return read_delay_packet(packet, count, out);
  }
  return {};
}

// An application-defined packet, within a compound that begins with a report (here an empty one) and names its source.
void begin_app(Writer& out, std::uint32_t ssrc, std::string_view cname, unsigned subtype, std::uint32_t name) {
  out.begin(0, rr);
  out.u32(ssrc);
  out.end();
  write_source(out, ssrc, cname, false);
  out.begin(subtype, app);
  out.u32(ssrc);
  out.u32(name);
}

}  // namespace

std::string canonical_name(std::string_view role) { return std::string(role) + "@" + host_name(); }

std::size_t encode(const SenderReport& report, std::string_view cname, bool bye,
                   std::span<std::byte, rtcp_bytes_max> out) {
  Writer writer(out);
  writer.begin(0, sr);
  writer.u32(report.ssrc);
  writer.u64(to_ntp(report.time));
  writer.u32(report.rtp_timestamp);
  writer.u32(report.packet_count);
  writer.u32(report.octet_count);
  writer.end();
  write_source(writer, report.ssrc, cname, bye);
  return writer.size();
}

std::size_t encode(const ReceiverReport& report, std::string_view cname, bool bye,
                   std::span<std::byte, rtcp_bytes_max> out) {
  Writer writer(out);
  writer.begin(report.block ? 1 : 0, rr);
  writer.u32(report.ssrc);
  if (report.block) write_block(writer, *report.block);
  writer.end();
  if (report.summary) write_summary(writer, report.ssrc, *report.summary);
  write_source(writer, report.ssrc, cname, bye);
  return writer.size();
}

std::size_t encode(const ReceiverReport& report, std::string_view cname, std::span<const std::int64_t> missing,
                   std::span<std::byte, rtcp_bytes_max> out, std::size_t& taken) {
  assert(report.block && !missing.empty() && missing.back() - missing.front() < 0x10000);
  Writer writer(out);
  writer.begin(1, rr);
  writer.u32(report.ssrc);
  write_block(writer, *report.block);
  writer.end();
  write_source(writer, report.ssrc, cname, false);
  taken = write_nacks(writer, report.ssrc, report.block->source_ssrc, missing);
  return writer.size();
}

std::size_t encode(std::uint32_t ssrc, const ClockRequest& request, std::string_view cname,
                   std::span<std::byte, rtcp_bytes_max> out) {
  Writer writer(out);
  begin_app(writer, ssrc, cname, clock_request, clock_name);
  writer.u64(request.asked);
  writer.u32(request.source_ssrc);
  for (int room = 0; room < 3; ++room) writer.u32(0);
  writer.end();
  return writer.size();
}

std::size_t encode(std::uint32_t ssrc, const ClockReply& reply, std::string_view cname,
                   std::span<std::byte, rtcp_bytes_max> out) {
  Writer writer(out);
  begin_app(writer, ssrc, cname, clock_reply, clock_name);
  writer.u64(reply.asked);
  writer.u64(to_ntp(reply.came));
  writer.u64(to_ntp(reply.left));
  writer.end();
  return writer.size();
}

std::size_t encode(std::uint32_t ssrc, SyncSubject subject, const SyncTicks& ticks, std::string_view cname,
                   std::span<std::byte, rtcp_bytes_max> out) {
  Writer writer(out);
  begin_app(writer, ssrc, cname, static_cast<unsigned>(subject), sync_name);
  writer.u32(ticks.source_ssrc);
  writer.u16(ticks.ticks.newest());
  writer.u16(ticks.for_node ? for_node_bit : 0);
  writer.u64(ticks.ticks.mask());
  writer.end();
  return writer.size();
}

std::size_t encode(std::uint32_t ssrc, const DelayNeed& need, std::string_view cname,
                   std::span<std::byte, rtcp_bytes_max> out) {
  Writer writer(out);
  begin_app(writer, ssrc, cname, delay_need, delay_name);
  writer.u32(need.source_ssrc);
  writer.u32(static_cast<std::uint32_t>(need.delay.count()));
  writer.end();
  return writer.size();
}

std::size_t encode(std::uint32_t ssrc, const DelayKept& kept, std::string_view cname,
                   std::span<std::byte, rtcp_bytes_max> out) {
  const auto microseconds = [](Nanoseconds time) { return static_cast<std::uint32_t>(time.count() / 1000); };
  Writer writer(out);
  begin_app(writer, ssrc, cname, delay_kept, delay_name);
  writer.u32(kept.source_ssrc);
  writer.u64(to_ntp(kept.ramp.start));
  writer.u32(microseconds(kept.ramp.from));
  writer.u32(microseconds(kept.ramp.to));
  writer.u32(microseconds(kept.ramp.length));
  writer.end();
  return writer.size();
}

std::size_t replace_nacks(std::span<const std::byte> compound, std::uint32_t reporter, std::uint32_t source,
                          std::span<const std::int64_t> missing, std::span<std::byte, rtcp_bytes_max> out) {
  constexpr std::size_t nack_head_bytes = 12;
  if (compound.size() + (missing.empty() ? 0 : nack_head_bytes) > out.size()) return 0;
  std::size_t to = 0;
  for (std::size_t at = 0; at + 4 <= compound.size();) {
    const std::size_t bytes = (std::size_t{Reader(compound.subspan(at)).u16(2)} + 1) * 4;
    if (bytes > compound.size() - at) return 0;
    const bool nack = std::to_integer<unsigned>(compound[at + 1]) == rtpfb &&
                      (std::to_integer<unsigned>(compound[at]) & 0x1fU) == generic_nack;
    if (!nack) {
      std::ranges::copy(compound.subspan(at, bytes), out.data() + to);
      to += bytes;
    }
    at += bytes;
  }
  if (missing.empty()) return to;
  Writer writer(out.subspan(to));
  write_nacks(writer, reporter, source, missing);
  return to + writer.size();
}

std::string_view parse_rtcp(std::span<const std::byte> datagram, std::optional<std::uint32_t> about_ssrc,
                            RtcpContents& out) {
  out = RtcpContents{};
  std::size_t at = 0;
  while (at < datagram.size()) {
    if (datagram.size() - at < 4) return "shorter than an RTCP header";
    const Reader header(datagram.subspan(at));
    const auto first = std::to_integer<unsigned>(datagram[at]);
    const auto type = std::to_integer<std::uint8_t>(datagram[at + 1]);
    const std::size_t bytes = (std::size_t{header.u16(2)} + 1) * 4;
    if (first >> 6U != 2) return "not RTCP version 2";
    if (at == 0 && type != sr && type != rr) return "compound does not begin with a report";
    if (bytes > datagram.size() - at) return "RTCP packet runs past the datagram";
    if (const auto problem = read_packet(Reader(datagram.subspan(at, bytes)), type, first & 0x1fU, about_ssrc, out);
        !problem.empty())
      return problem;
    at += bytes;
  }
  return at == 0 ? "empty" : std::string_view{};
}

std::uint32_t ntp_middle(WallTime time) { return static_cast<std::uint32_t>(to_ntp(time) >> 16U); }

std::optional<Nanoseconds> round_trip(const ReportBlock& block, WallTime now) {
  if (block.last_sr == 0) return std::nullopt;
  const auto ticks = static_cast<std::int32_t>(ntp_middle(now) - block.last_sr - block.delay_since_last_sr);
  if (ticks < 0) return std::nullopt;
  return Nanoseconds{std::int64_t{ticks} * 1'000'000'000 / 65536};
}

}  // namespace lw
