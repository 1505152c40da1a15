// The packets of a capacity measurement (RFC 9097 leaves them to the implementation): a hello of the client's, load
// packets of the sender's, and a status of the receiver's several times a second. All begin alike, big-endian:
//
//    0  "LWC" and the version, 1      4  type: 1 hello, 2 load, 3 status      5  zero (3)      8  session (8)
//   load:    16 number (8)   24 sent (8)   32 time of the newest status (8)   40 how long the sender has had it (8)
//            48 filling
//   status:  16 number (4)   20 packets (4)   24 lost (4)   28 reordered (4)   32 duplicates (4)
//            36 one-way delay range in us (4)   40 round-trip delay range in us (4)   44 zero (4)   48 time (8)
// Times are nanoseconds of their writer's monotonic clock, which the other side returns or takes differences of. The
// session is a random number that both sides have of the control connection. Pure. (Fuzzed.)
#pragma once

#include "common/base/units.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace lw {

inline constexpr std::size_t hello_bytes = 16, load_header_bytes = 48, status_bytes = 56;

struct LoadPacket {
  std::uint64_t sequence = 0;  // below 2^62
  LocalTime sent{};            // the sender's
  // The newest status that the sender has, by the receiver's clock; nothing before the first.
  std::optional<LocalTime> status_time = {};
  Nanoseconds status_held{0};  // since it came; 0 to an hour

  bool operator==(const LoadPacket&) const = default;
};

struct StatusPacket {
  std::uint32_t number = 0;
  std::uint32_t packets = 0, lost = 0, reordered = 0, duplicates = 0;    // since the one before
  std::optional<Nanoseconds> one_way_range = {}, round_trip_range = {};  // whole microseconds
  LocalTime time{};                                                      // the receiver's

  bool operator==(const StatusPacket&) const = default;
};

std::array<std::byte, hello_bytes> write_hello(std::uint64_t session);
void write_load(const LoadPacket& packet, std::uint64_t session, std::span<std::byte, load_header_bytes> out);
std::array<std::byte, status_bytes> write_status(const StatusPacket& packet, std::uint64_t session);

// Nothing for anything else, and for packets of other sessions.
bool is_hello(std::span<const std::byte> datagram, std::uint64_t session);
std::optional<LoadPacket> read_load(std::span<const std::byte> datagram, std::uint64_t session);
std::optional<StatusPacket> read_status(std::span<const std::byte> datagram, std::uint64_t session);

}  // namespace lw
