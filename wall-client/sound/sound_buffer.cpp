#include "wall-client/sound/sound_buffer.h"

#include <algorithm>

namespace lw {

SoundBuffer::SoundBuffer(std::int64_t milliseconds)
    : slots_(static_cast<std::size_t>(std::max<std::int64_t>(milliseconds, 1))),
      samples_(slots_.size() * samples_per_slot) {}

SoundBuffer::Fate SoundBuffer::put(const SoundPacket& packet, std::int64_t now, std::int64_t next, std::int64_t begun) {
  const auto sample = sample_near(now, packet.header.timestamp);
  if (sample < 0 || sample % sound_packet_samples != 0) return Fate::invalid;
  const auto number = sample / sound_packet_samples;
  if (number < next) return Fate::late;
  if (number >= next + static_cast<std::int64_t>(slots_.size())) return Fate::invalid;
  auto& slot = slots_[place_of(number)];
  const bool again = slot.number == number;
  if (again && !SoundSources::is_surer(begun, slot.begun)) return Fate::duplicate;
  slot = {number, packet.header.channels, begun};
  read_samples(packet.payload, samples_.data() + place_of(number) * samples_per_slot);
  newest_ = std::max(newest_.value_or(number), number);
  return again ? Fate::duplicate : Fate::taken;
}

void SoundBuffer::clear() {
  for (auto& slot : slots_) slot.number = -1;
  newest_.reset();
}

std::optional<SoundBuffer::Held> SoundBuffer::at(std::int64_t number) const {
  const auto place = place_of(number);
  const auto& slot = slots_[place];
  if (number < 0 || slot.number != number) return std::nullopt;
  return Held{slot.channels,
              std::span(samples_).subspan(place * samples_per_slot,
                                          static_cast<std::size_t>(sound_packet_samples) * slot.channels)};
}

}  // namespace lw
