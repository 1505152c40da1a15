// What a simulated node plays. The law, whatever happens: a sample is silence, or one that a store has, perhaps
// darkened by a fade; a lost packet is silence; and each is played with the playout delay, not before its time.
#pragma once

#include "common/wire/sound_packet.h"
#include "tests/simulate/content.h"
#include "wall-client/sound/sound_output.h"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace lw::simulate {

class SimSound final : public SoundOutput {
public:
  using Break = std::function<void(const std::string& law)>;

  SimSound(const Wall& wall, const Content& content, Break on_break)
      : wall_(wall), content_(content), on_break_(std::move(on_break)) {}

  void play(const PlayedSound& part) override;
  [[nodiscard]] std::string text() const override { return "simulated"; }

  // The sample that belongs to this one of the wall's time, if it was played lately and is neither silent nor darkened.
  [[nodiscard]] std::optional<SoundPlace> at(std::int64_t sample) const;
  // The longest silence since forget() in the middle of what then runs on as if nothing had been missing.
  [[nodiscard]] Nanoseconds longest_gap() const { return longest_gap_; }
  void forget() { longest_gap_ = Nanoseconds{0}; }
  // The end of what was played.
  [[nodiscard]] std::int64_t end() const { return played_.empty() ? 0 : played_.back().first + sound_packet_samples; }

private:
  static constexpr std::size_t milliseconds_kept = 12'000;
  struct Played {
    std::int64_t first = 0;
    std::array<std::optional<SoundPlace>, sound_packet_samples> samples;
  };
  std::optional<SoundPlace> check(std::int32_t left, std::int32_t right, bool lost) const;
  void measure_gap(const Played& played);

  const Wall& wall_;
  const Content& content_;
  const Break on_break_;
  std::deque<Played> played_;
  std::optional<std::pair<std::int64_t, SoundPlace>> heard_;  // the newest sample that was neither silent nor darkened
  Nanoseconds longest_gap_{0};
};

}  // namespace lw::simulate
