#include "common/wire/stamp.h"

#include "common/wire/ntp_time.h"

#include <boost/endian/conversion.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace lw {
namespace {

using boost::endian::load_big_u16;
using boost::endian::load_big_u32;
using boost::endian::load_big_u64;

// Offsets of the fields (RFC 8762 figures 2, 4, 5 and 7; the session: RFC 8972 section 3). The rest must be zero.
struct StampRequestPlaces {
  std::size_t time, error_estimate, session;
};
struct StampReplyPlaces {
  StampRequestPlaces own;
  std::size_t receive_time, sender_sequence, sender_time, sender_error_estimate, sender_ttl;
};
constexpr StampReplyPlaces plain_places{{4, 12, 14}, 16, 24, 28, 36, 40};
constexpr StampReplyPlaces authenticated_places{{16, 24, 26}, 32, 48, 64, 72, 80};

const StampReplyPlaces& places_of(StampMode mode) {
  return mode == StampMode::authenticated ? authenticated_places : plain_places;
}

// A packet as unsigned char, for Boost.
class StampWriter {
public:
  explicit StampWriter(std::span<std::byte> packet) : to_(reinterpret_cast<unsigned char*>(packet.data())) {}
  void u8(std::size_t at, std::uint8_t value) { to_[at] = value; }
  void u16(std::size_t at, std::uint16_t value) { boost::endian::store_big_u16(to_ + at, value); }
  void u32(std::size_t at, std::uint32_t value) { boost::endian::store_big_u32(to_ + at, value); }
  void u64(std::size_t at, std::uint64_t value) { boost::endian::store_big_u64(to_ + at, value); }

private:
  unsigned char* to_;
};
class StampReader {
public:
  explicit StampReader(std::span<const std::byte> packet)
      : from_(reinterpret_cast<const unsigned char*>(packet.data())) {}
  [[nodiscard]] std::uint8_t u8(std::size_t at) const { return from_[at]; }
  [[nodiscard]] std::uint16_t u16(std::size_t at) const { return load_big_u16(from_ + at); }
  [[nodiscard]] std::uint32_t u32(std::size_t at) const { return load_big_u32(from_ + at); }
  [[nodiscard]] std::uint64_t u64(std::size_t at) const { return load_big_u64(from_ + at); }

private:
  const unsigned char* from_;
};

Nanoseconds distance(WallTime a, WallTime b) { return a > b ? a - b : b - a; }

std::optional<WallTime> read_ptp(std::uint64_t wire, WallTime near) {
  const auto nanoseconds = static_cast<std::int64_t>(wire & 0xffffffffU);
  if (nanoseconds >= 1'000'000'000) return {};
  constexpr std::int64_t era = std::int64_t{1} << 32U;
  const auto near_s = std::chrono::floor<std::chrono::seconds>(near).time_since_epoch().count();
  auto seconds = (near_s & ~(era - 1)) + static_cast<std::int64_t>(wire >> 32U);
  if (seconds - near_s > era / 2) seconds -= era;
  if (near_s - seconds > era / 2) seconds += era;
  return WallTime{std::chrono::seconds{seconds} + Nanoseconds{nanoseconds}};
}

}  // namespace

std::uint64_t stamp_time(WallTime time, StampTimeFormat format, std::chrono::seconds tai_less_utc) {
  if (format == StampTimeFormat::ntp) return to_ntp(time);
  const auto since = time.time_since_epoch() + tai_less_utc;
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
  return static_cast<std::uint64_t>(seconds.count()) << 32U | static_cast<std::uint64_t>((since - seconds).count());
}

std::optional<WallTime> read_stamp_time(std::uint64_t wire, StampTimeFormat format, std::chrono::seconds tai_less_utc,
                                        WallTime near) {
  if (format == StampTimeFormat::ntp) return from_ntp(wire);
  const auto as_utc = read_ptp(wire, near);
  if (!as_utc) return {};
  const auto from_tai = *as_utc - tai_less_utc;
  return distance(from_tai, near) <= distance(*as_utc, near) ? from_tai : *as_utc;
}

StampErrorEstimate StampErrorEstimate::of(std::optional<Nanoseconds> error, StampTimeFormat format) {
  StampErrorEstimate estimate{error.has_value(), format};
  if (!error) return estimate;
  const double units = std::max(std::ldexp(static_cast<double>(error->count()) * 1e-9, 32), 1.0);
  for (estimate.scale = 0; estimate.scale < 63; ++estimate.scale)
    if (std::ceil(std::ldexp(units, -estimate.scale)) <= 255) break;
  estimate.multiplier = static_cast<std::uint8_t>(std::min(std::ceil(std::ldexp(units, -estimate.scale)), 255.0));
  return estimate;
}

StampErrorEstimate StampErrorEstimate::read(std::uint16_t wire) {
  return {(wire & 0x8000U) != 0, (wire & 0x4000U) != 0 ? StampTimeFormat::ptp : StampTimeFormat::ntp,
          static_cast<std::uint8_t>(wire >> 8U & 0x3fU), static_cast<std::uint8_t>(wire & 0xffU)};
}

std::uint16_t StampErrorEstimate::wire() const {
  return static_cast<std::uint16_t>((synchronized ? 0x8000U : 0U) | (format == StampTimeFormat::ptp ? 0x4000U : 0U) |
                                    (scale & 0x3fU) << 8U | multiplier);
}

std::optional<Nanoseconds> StampErrorEstimate::bound() const {
  if (!synchronized || multiplier == 0) return {};
  const double ns = std::ceil(std::ldexp(static_cast<double>(multiplier), scale - 32) * 1e9);
  constexpr double most = 3.2e18;  // a century; more is unknown
  return ns < most ? std::optional(Nanoseconds{static_cast<std::int64_t>(ns)}) : std::nullopt;
}

void write_stamp(const StampRequest& request, StampMode mode, std::span<std::byte> packet) {
  assert(packet.size() == stamp_base_bytes(mode));
  std::ranges::fill(packet, std::byte{0});
  const auto& places = places_of(mode).own;
  StampWriter to(packet);
  to.u32(0, request.sequence);
  to.u64(places.time, request.time);
  to.u16(places.error_estimate, request.error_estimate);
  to.u16(places.session, request.session);
}

void write_stamp(const StampReply& reply, StampMode mode, std::span<std::byte> packet) {
  write_stamp(StampRequest{reply.sequence, reply.time, reply.error_estimate, reply.session}, mode, packet);
  const auto& places = places_of(mode);
  StampWriter to(packet);
  to.u64(places.receive_time, reply.receive_time);
  to.u32(places.sender_sequence, reply.request.sequence);
  to.u64(places.sender_time, reply.request.time);
  to.u16(places.sender_error_estimate, reply.request.error_estimate);
  to.u8(places.sender_ttl, reply.request_ttl);
}

std::optional<StampRequest> read_stamp_request(std::span<const std::byte> packet, StampMode mode) {
  const bool short_one = packet.size() < stamp_base_bytes(mode);
  if (short_one && (mode == StampMode::authenticated || packet.size() < twamp_request_bytes)) return {};
  const auto& places = places_of(mode).own;
  const StampReader from(packet);
  // Shorter packets are TWAMP-Light's: padding follows the error estimate.
  return StampRequest{from.u32(0), from.u64(places.time), from.u16(places.error_estimate),
                      short_one ? std::uint16_t{0} : from.u16(places.session)};
}

std::optional<StampReply> read_stamp_reply(std::span<const std::byte> packet, StampMode mode) {
  if (packet.size() < (mode == StampMode::authenticated ? stamp_base_bytes(mode) : twamp_reply_bytes)) return {};
  const auto& places = places_of(mode);
  const StampReader from(packet);
  return StampReply{
      from.u32(0),
      from.u64(places.own.time),
      from.u16(places.own.error_estimate),
      from.u16(places.own.session),
      from.u64(places.receive_time),
      {from.u32(places.sender_sequence), from.u64(places.sender_time), from.u16(places.sender_error_estimate), 0},
      from.u8(places.sender_ttl)};
}

void set_stamp_time(std::span<std::byte> packet, StampMode mode, std::uint64_t time) {
  StampWriter(packet).u64(places_of(mode).own.time, time);
}

bool is_known_stamp_tlv(StampTlvType type) {
  return type != StampTlvType::location && type >= StampTlvType::extra_padding && type <= StampTlvType::hmac;
}

bool is_stamp_tlv_length(StampTlvType type, std::size_t bytes) {
  switch (type) {
    case StampTlvType::timestamp_information:
    case StampTlvType::class_of_service:
    case StampTlvType::access_report:
      return bytes == 4;
    case StampTlvType::direct_measurement:
      return bytes == 12;
    case StampTlvType::follow_up_telemetry:
    case StampTlvType::hmac:
      return bytes == 16;
    default:
      return true;
  }
}

std::span<std::byte> put_stamp_tlv(std::span<std::byte>& rest, StampTlvType type, std::size_t value_bytes) {
  assert(rest.size() >= stamp_tlv_head_bytes + value_bytes && value_bytes <= 0xffff);
  const auto whole = rest.first(stamp_tlv_head_bytes + value_bytes);
  std::ranges::fill(whole, std::byte{0});
  StampWriter head(whole);
  head.u8(0, stamp_unrecognized);  // unless a reflector changes it
  head.u8(1, static_cast<std::uint8_t>(type));
  head.u16(2, static_cast<std::uint16_t>(value_bytes));
  rest = rest.subspan(whole.size());
  return whole.subspan(stamp_tlv_head_bytes);
}

StampClassOfService read_class_of_service(std::span<const std::byte> value) {
  const unsigned bits = StampReader(value).u16(0);
  return {static_cast<std::uint8_t>(bits >> 10U), static_cast<std::uint8_t>(bits >> 4U & 0x3fU),
          static_cast<std::uint8_t>(bits >> 2U & 3U), static_cast<std::uint8_t>(bits & 3U)};
}
void write_stamp(const StampClassOfService& from, std::span<std::byte> value) {
  StampWriter to(value);
  to.u16(0, static_cast<std::uint16_t>((from.wanted_dscp & 0x3fU) << 10U | (from.received_dscp & 0x3fU) << 4U |
                                       (from.received_ecn & 3U) << 2U | (from.reverse_path & 3U)));
  to.u16(2, 0);
}

StampDirectMeasurement read_direct_measurement(std::span<const std::byte> value) {
  const StampReader from(value);
  return {from.u32(0), from.u32(4), from.u32(8)};
}
void write_stamp(const StampDirectMeasurement& from, std::span<std::byte> value) {
  StampWriter to(value);
  to.u32(0, from.sent);
  to.u32(4, from.received);
  to.u32(8, from.reflected);
}

StampTimestampInformation read_timestamp_information(std::span<const std::byte> value) {
  const StampReader from(value);
  return {StampSyncSource{from.u8(0)}, StampMethod{from.u8(1)}, StampSyncSource{from.u8(2)}, StampMethod{from.u8(3)}};
}
void write_stamp(const StampTimestampInformation& from, std::span<std::byte> value) {
  StampWriter to(value);
  to.u8(0, static_cast<std::uint8_t>(from.source_in));
  to.u8(1, static_cast<std::uint8_t>(from.method_in));
  to.u8(2, static_cast<std::uint8_t>(from.source_out));
  to.u8(3, static_cast<std::uint8_t>(from.method_out));
}

StampFollowUp read_follow_up(std::span<const std::byte> value) {
  const StampReader from(value);
  return {from.u32(0), from.u64(4), StampMethod{from.u8(12)}};
}
void write_stamp(const StampFollowUp& from, std::span<std::byte> value) {
  StampWriter to(value);
  to.u32(0, from.sequence);
  to.u64(4, from.time);
  to.u32(12, static_cast<std::uint32_t>(from.method) << 24U);
}

}  // namespace lw
