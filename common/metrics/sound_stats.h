// What the sender of sound, and a node that plays it, have counted since the start. Values only.
#pragma once

#include "common/base/units.h"

#include <cstdint>
#include <optional>

namespace lw {

struct SoundSenderStats {
  std::uint64_t packets = 0;        // sent, by all paths of all streams
  std::uint64_t send_errors = 0;    // of these, refused by the kernel
  std::uint64_t skipped = 0;        // milliseconds that were not sent because the thread was late
  std::uint64_t holds = 0;          // times that it has stopped until go_on()
  std::uint64_t read_failures = 0;  // blocks that could not be read: silence was sent
};

// Of packets of one millisecond. received = played + skipped + duplicate + late + invalid + waiting.
struct SoundNodeStats {
  std::uint64_t received = 0;
  std::uint64_t played = 0;
  std::uint64_t skipped = 0;    // that were there, but whose time had passed: the node did not run
  std::uint64_t duplicate = 0;  // by another path, or from the standby
  std::uint64_t late = 0;       // after their time
  std::uint64_t invalid = 0;
  std::uint64_t lost = 0;           // not there at their time: silence was played
  std::optional<double> peak_dbfs;  // the loudest sample of the last 0.1 to 0.2 s; absent while nothing plays
  // Of a device.
  std::optional<std::uint64_t> device_steps;     // times that it went to another sample at once
  std::optional<std::uint64_t> device_gaps;      // times that it found too few samples
  std::optional<Nanoseconds> device_difference;  // what is heard, less what should be; absent while nothing plays

  bool operator==(const SoundNodeStats&) const = default;
};

// Of silence: below the lowest bit of 24.
inline constexpr double silence_dbfs = -144;

}  // namespace lw
