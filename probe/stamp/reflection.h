// What a reflector makes of a test packet: the reply, of the same length (RFC 8762 section 4.3, RFC 8972 section 4).
// Pure. (Fuzzed.)
#pragma once

#include "common/wire/stamp.h"
#include "probe/stamp/stamp_key.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>

namespace lw {

struct StampRules {
  StampMode mode = StampMode::unauthenticated;
  const StampKey* key = nullptr;  // authenticated: of packets and extensions; else of extensions, if there is one
  StampTimeFormat format = StampTimeFormat::ntp;
  // Requests below twamp_reply_bytes are answered with stamp_base_bytes (RFC 8762 section 4.6), which is more than
  // came.
  bool answer_short = false;
};

// How well the reflector's clock is known.
struct StampClock {
  std::optional<Nanoseconds> error;
  std::chrono::seconds tai_less_utc{0};
};

// Of a request, as the kernel says.
struct StampArrival {
  WallTime time{};
  std::uint8_t ttl = 0;
  std::uint8_t traffic_class = 0;
  bool hardware = false;  // whether the time is the card's
};

// What a stateful reflector keeps of a session.
struct StampSession {
  std::uint32_t received = 0, reflected = 0;
  StampFollowUp newest;  // reply
};

enum class StampRefusal : std::uint8_t { too_short, not_authentic };
// Looks only at what must be right before anything else of it is used.
std::variant<StampRequest, StampRefusal> admit_stamp(std::span<const std::byte> packet, const StampRules& rules);

struct StampReflection {
  std::size_t bytes = 0;           // of the reply
  std::uint8_t traffic_class = 0;  // with which it is sent
};
// Of an admitted packet, into `reply`, which has room for as many bytes and for stamp_base_bytes. `session`: null
// without state; counts the packet. What remains is finish_reflection.
StampReflection reflect_stamp(std::span<const std::byte> packet, const StampRequest& request,
                              const StampArrival& arrival, const StampRules& rules, const StampClock& clock,
                              StampSession* session, std::span<std::byte> reply);
// The reply leaves now.
void finish_reflection(std::span<std::byte> reply, WallTime now, const StampRules& rules, const StampClock& clock,
                       StampSession* session);

// What a sender learns from the extensions of a reply with this sequence number. `key`: what signs them.
struct ReflectedExtensions {
  bool integrity_failed = false;  // then there is nothing else
  std::optional<StampClassOfService> class_of_service = {};
  std::optional<StampDirectMeasurement> direct_measurement = {};
  std::optional<StampTimestampInformation> timestamp_information = {};
  std::optional<StampFollowUp> follow_up = {};
};
ReflectedExtensions read_reflected_extensions(std::span<const std::byte> reply, StampMode mode, const StampKey* key);

}  // namespace lw
