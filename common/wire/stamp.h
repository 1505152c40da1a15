// Packets of the Simple Two-way Active Measurement Protocol: test packets of both modes (RFC 8762 section 4), the
// session identifier, and extensions after them (RFC 8972). TWAMP-Light's test packets (RFC 5357 section 4) are the
// same without these. Pure; digests are computed by the owner of the key (probe/stamp/stamp_key.h). (Fuzzed.)
#pragma once

#include "common/base/units.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace lw {

inline constexpr std::uint16_t stamp_port = 862;  // RFC 8762 section 4.1

enum class StampMode : std::uint8_t { unauthenticated, authenticated };

// The size of a packet without extensions, in either direction.
constexpr std::size_t stamp_base_bytes(StampMode mode) { return mode == StampMode::authenticated ? 112 : 44; }
// The least size from a TWAMP-Light sender, and of a complete reply to it (RFC 5357 sections 4.1.2 and 4.2.1).
inline constexpr std::size_t twamp_request_bytes = 14;
inline constexpr std::size_t twamp_reply_bytes = 41;

// HMAC-SHA-256 cut to 128 bits. In an authenticated packet it covers the first 96 bytes and follows them (RFC 8762
// section 4.4).
using StampDigest = std::array<std::byte, 16>;
inline constexpr std::size_t stamp_signed_bytes = 96;

// 64 bits on the wire: NTP (RFC 5905), or the truncated format of PTPv2 (seconds and nanoseconds, 32 bits each).
enum class StampTimeFormat : std::uint8_t { ntp, ptp };

// PTP counts in TAI, which is `tai_less_utc` ahead.
std::uint64_t stamp_time(WallTime time, StampTimeFormat format, std::chrono::seconds tai_less_utc);
// Empty if it is not a time. Seconds wrap after 136 years: returns the time closest to `near`. Some implementations
// write UTC in PTP's format, which is assumed if that is closer to `near`.
std::optional<WallTime> read_stamp_time(std::uint64_t wire, StampTimeFormat format, std::chrono::seconds tai_less_utc,
                                        WallTime near);

// Bound of the error of a clock: multiplier x 2^(scale - 32) s (RFC 4656 section 4.1.2), and the format of the times to
// which it applies (RFC 8186 section 2.3).
struct StampErrorEstimate {
  bool synchronized = false;  // to UTC from outside; if false, the error is unbounded
  StampTimeFormat format = StampTimeFormat::ntp;
  std::uint8_t scale = 63;  // 6 bits
  std::uint8_t multiplier = 255;

  // Rounded up. `error`: empty if there is no guaranteed bound.
  static StampErrorEstimate of(std::optional<Nanoseconds> error, StampTimeFormat format);
  static StampErrorEstimate read(std::uint16_t wire);
  [[nodiscard]] std::uint16_t wire() const;
  // Empty if the clock is not synchronized, or if the estimate is 0, which RFC 4656 forbids.
  [[nodiscard]] std::optional<Nanoseconds> bound() const;

  bool operator==(const StampErrorEstimate&) const = default;
};

struct StampRequest {
  std::uint32_t sequence = 0;
  std::uint64_t time = 0;
  std::uint16_t error_estimate = 0;
  std::uint16_t session = 0;  // SSID; 0: the sender does not use one

  bool operator==(const StampRequest&) const = default;
};
struct StampReply {
  std::uint32_t sequence = 0;
  std::uint64_t time = 0;
  std::uint16_t error_estimate = 0;
  std::uint16_t session = 0;
  std::uint64_t receive_time = 0;
  StampRequest request;  // the request's fields except the session
  std::uint8_t request_ttl = 0;

  bool operator==(const StampReply&) const = default;
};

// Writes all stamp_base_bytes of `packet`; the digest as zeros.
void write_stamp(const StampRequest& request, StampMode mode, std::span<std::byte> packet);
void write_stamp(const StampReply& reply, StampMode mode, std::span<std::byte> packet);
// Empty if it is too short: in authenticated mode for all fields, else for those of TWAMP-Light.
std::optional<StampRequest> read_stamp_request(std::span<const std::byte> packet, StampMode mode);
std::optional<StampReply> read_stamp_reply(std::span<const std::byte> packet, StampMode mode);
// Sets the time of the packet's sender in a packet that is already written.
void set_stamp_time(std::span<std::byte> packet, StampMode mode, std::uint64_t time);
// The bytes after the base packet; may be empty.
template <class Byte>
std::span<Byte> stamp_extensions(std::span<Byte> packet, StampMode mode) {
  return packet.subspan(std::min(packet.size(), stamp_base_bytes(mode)));
}

// Extensions (RFC 8972 section 4): flags, type, length of the value, value.
enum class StampTlvType : std::uint8_t {
  extra_padding = 1,
  location,
  timestamp_information,
  class_of_service,
  direct_measurement,
  access_report,
  follow_up_telemetry,
  hmac,
};
inline constexpr std::size_t stamp_tlv_head_bytes = 4;
inline constexpr std::uint8_t stamp_unrecognized = 0x80, stamp_malformed = 0x40, stamp_integrity_failed = 0x20;

template <class Byte>
class BasicStampTlv {
public:
  explicit BasicStampTlv(std::span<Byte> whole) : whole_(whole) {}
  [[nodiscard]] std::uint8_t flags() const { return std::to_integer<std::uint8_t>(whole_[0]); }
  [[nodiscard]] StampTlvType type() const { return StampTlvType{std::to_integer<std::uint8_t>(whole_[1])}; }
  [[nodiscard]] std::span<Byte> value() const { return whole_.subspan(stamp_tlv_head_bytes); }
  [[nodiscard]] std::span<Byte> whole() const { return whole_; }

private:
  std::span<Byte> whole_;
};
using StampTlv = BasicStampTlv<std::byte>;
using ConstStampTlv = BasicStampTlv<const std::byte>;

// Takes the first extension off `rest`. Empty if it does not fit; then `rest` stays unchanged.
template <class Byte>
std::optional<BasicStampTlv<Byte>> take_stamp_tlv(std::span<Byte>& rest) {
  if (rest.size() < stamp_tlv_head_bytes) return {};
  const auto length = std::to_integer<std::size_t>(rest[2]) << 8U | std::to_integer<std::size_t>(rest[3]);
  if (rest.size() - stamp_tlv_head_bytes < length) return {};
  const BasicStampTlv<Byte> tlv(rest.first(stamp_tlv_head_bytes + length));
  rest = rest.subspan(tlv.whole().size());
  return tlv;
}
// Whether this program supports the type, from the registry of RFC 8972 section 5.1.
bool is_known_stamp_tlv(StampTlvType type);
// Whether a value of this known type can have this length.
bool is_stamp_tlv_length(StampTlvType type, std::size_t bytes);

// Writes the head, as a sender does, followed by zeros; returns the value. `rest` must have room, and is shortened.
std::span<std::byte> put_stamp_tlv(std::span<std::byte>& rest, StampTlvType type, std::size_t value_bytes);

// Values passed to the functions below must have the size of their type.
// Class of service, section 4.4 (with erratum 8199).
struct StampClassOfService {
  std::uint8_t wanted_dscp = 0;    // requested for the reply
  std::uint8_t received_dscp = 0;  // of the request, at the reflector
  std::uint8_t received_ecn = 0;   // of the request, at the reflector
  std::uint8_t reverse_path = 0;   // not 0: the reflector did not use `wanted_dscp`
  bool operator==(const StampClassOfService&) const = default;
};
StampClassOfService read_class_of_service(std::span<const std::byte> value);
void write_stamp(const StampClassOfService& from, std::span<std::byte> value);

// Direct measurement, section 4.5: packets of the session so far, including this one.
struct StampDirectMeasurement {
  std::uint32_t sent = 0, received = 0, reflected = 0;
  bool operator==(const StampDirectMeasurement&) const = default;
};
StampDirectMeasurement read_direct_measurement(std::span<const std::byte> value);
void write_stamp(const StampDirectMeasurement& from, std::span<std::byte> value);

// Timestamp information, section 4.3: the source of the reflector's times, and how they are taken.
enum class StampSyncSource : std::uint8_t { unknown = 0, ntp = 1, ptp = 2, local = 5 };
enum class StampMethod : std::uint8_t { unknown = 0, hardware = 1, software = 2, control_plane = 3 };
struct StampTimestampInformation {
  StampSyncSource source_in = StampSyncSource::unknown;
  StampMethod method_in = StampMethod::unknown;
  StampSyncSource source_out = StampSyncSource::unknown;
  StampMethod method_out = StampMethod::unknown;
  bool operator==(const StampTimestampInformation&) const = default;
};
StampTimestampInformation read_timestamp_information(std::span<const std::byte> value);
void write_stamp(const StampTimestampInformation& from, std::span<std::byte> value);

// Follow-up telemetry, section 4.7: when the previous reply was sent; zeros if there is none.
struct StampFollowUp {
  std::uint32_t sequence = 0;
  std::uint64_t time = 0;
  StampMethod method = StampMethod::unknown;
  bool operator==(const StampFollowUp&) const = default;
};
StampFollowUp read_follow_up(std::span<const std::byte> value);
void write_stamp(const StampFollowUp& from, std::span<std::byte> value);

}  // namespace lw
