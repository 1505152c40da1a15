// Where a node's sound goes.
#pragma once

#include "common/base/units.h"
#include "common/metrics/sound_stats.h"

#include <cstdint>
#include <span>
#include <string>

namespace lw {

// One millisecond of sound.
struct PlayedSound {
  std::int64_t first_sample = 0;  // of the wall's time
  unsigned channels = 0;
  std::span<const std::int32_t> samples;  // interleaved, 24 bits in the upper bytes; valid during the call
  WallTime pts{};                         // planned presentation
  WallTime played{};                      // when it was handed over, for a device before it is heard
  bool lost = false;                      // silence instead of a packet that did not come
};

class SoundOutput {
public:
  SoundOutput() = default;
  SoundOutput(const SoundOutput&) = delete;
  SoundOutput& operator=(const SoundOutput&) = delete;
  virtual ~SoundOutput() = default;

  // The receiver's thread, in the order of the samples.
  virtual void play(const PlayedSound& part) = 0;
  // How long before its presentation a part is wanted: until it is heard, it takes a device this long.
  [[nodiscard]] virtual Nanoseconds lead() const { return {}; }
  // The figures of a device, into those that count packets.
  virtual void put_figures(SoundNodeStats& /*into*/) const {}
  // For the log.
  [[nodiscard]] virtual std::string text() const = 0;
};

}  // namespace lw
