// Makes a reflector's reply to a test packet, with the same length (RFC 8762 section 4.3, RFC 8972 section 4). Pure.
// (Fuzzed.)
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
  const StampKey* key = nullptr;  // authenticated: for packets and extensions; else for extensions, if there is one
  StampTimeFormat format = StampTimeFormat::ntp;
  // Answers requests shorter than twamp_reply_bytes with stamp_base_bytes (RFC 8762 section 4.6): the reply is longer
  // than the request.
  bool answer_short = false;
};

// The accuracy of the reflector's clock.
struct StampClock {
  std::optional<Nanoseconds> error;
  std::chrono::seconds tai_less_utc{0};
};

// The kernel's information about a request.
struct StampArrival {
  WallTime time{};
  std::uint8_t ttl = 0;
  std::uint8_t traffic_class = 0;
  bool hardware = false;  // the time is from the network card
};

// The state that a stateful reflector keeps for a session.
struct StampSession {
  std::uint32_t received = 0, reflected = 0;
  StampFollowUp newest;  // newest reply
};

enum class StampRefusal : std::uint8_t { too_short, not_authentic };
// Checks only what must be valid before any other part of the packet is used.
std::variant<StampRequest, StampRefusal> admit_stamp(std::span<const std::byte> packet, const StampRules& rules);

struct StampReflection {
  std::size_t bytes = 0;           // length of the reply
  std::uint8_t traffic_class = 0;  // to send it with
};
// Writes the reply to an admitted packet into `reply`, which has room for as many bytes and for stamp_base_bytes.
// `session`: counts the packet; null without state. Call finish_reflection for the rest.
StampReflection reflect_stamp(std::span<const std::byte> packet, const StampRequest& request,
                              const StampArrival& arrival, const StampRules& rules, const StampClock& clock,
                              StampSession* session, std::span<std::byte> reply);
// Call immediately before the reply is sent.
void finish_reflection(std::span<std::byte> reply, WallTime now, const StampRules& rules, const StampClock& clock,
                       StampSession* session);

// The extensions in a reply with this sequence number, for its sender. `key`: with which they are signed.
struct ReflectedExtensions {
  bool integrity_failed = false;  // the others are then empty
  std::optional<StampClassOfService> class_of_service = {};
  std::optional<StampDirectMeasurement> direct_measurement = {};
  std::optional<StampTimestampInformation> timestamp_information = {};
  std::optional<StampFollowUp> follow_up = {};
};
ReflectedExtensions read_reflected_extensions(std::span<const std::byte> reply, StampMode mode, const StampKey* key);

}  // namespace lw
