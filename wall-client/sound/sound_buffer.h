// Packets of sound from their arrival to their presentation, by the number of their millisecond. Packets come in any
// order, and more than once: from two paths, or from a server and its standby. Allocates when it is made. One thread.
#pragma once

#include "common/wire/sound_packet.h"
#include "wall-client/sound/sound_sources.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lw {

class SoundBuffer {
public:
  enum class Fate : std::uint8_t { taken, duplicate, late, invalid };
  struct Held {
    unsigned channels = 0;
    std::span<const std::int32_t> samples;  // valid until the next call
  };

  // For packets of so many milliseconds at a time, from the next one to be played on.
  explicit SoundBuffer(std::int64_t milliseconds);

  // `now`: a sample near those that are sent now. A packet before `next` is late; one that is too far ahead is invalid.
  // `begun`: of what comes from its sender (sound_sources.h); of two packets for the same time, the surer one stays.
  Fate put(const SoundPacket& packet, std::int64_t now, std::int64_t next, std::int64_t begun = 0);
  // The packet with this number, if it is there. Numbers are first samples divided by sound_packet_samples.
  [[nodiscard]] std::optional<Held> at(std::int64_t number) const;
  // The highest number that was put since the last clear(); empty: none.
  [[nodiscard]] std::optional<std::int64_t> newest() const { return newest_; }
  void clear();

private:
  struct Slot {
    std::int64_t number = -1;
    unsigned channels = 0;
    std::int64_t begun = 0;
  };
  [[nodiscard]] std::size_t place_of(std::int64_t number) const {
    return static_cast<std::size_t>(number) % slots_.size();
  }
  static constexpr std::size_t samples_per_slot = static_cast<std::size_t>(sound_packet_samples) * sound_channels_max;

  std::vector<Slot> slots_;
  std::vector<std::int32_t> samples_;
  std::optional<std::int64_t> newest_;
};

}  // namespace lw
