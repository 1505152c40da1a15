#include "tests/simulate/sound.h"

#include <algorithm>
#include <cstdlib>

namespace lw::simulate {

void SimSound::play(const PlayedSound& part) {
  const auto delay = part.pts - time_of_sample(part.first_sample);
  if (delay < wall_.streaming.playout_delay || delay > wall_.streaming.longest_playout_delay())
    on_break_("sound is not played with the playout delay");
  if (part.played < part.pts) on_break_("sound is played before its time");
  Played played{part.first_sample, {}};
  for (std::size_t i = 0; part.channels == sound_channels && i < played.samples.size(); ++i)
    played.samples.at(i) = check(part.samples[2 * i], part.samples[2 * i + 1], part.lost);
  if (part.channels != sound_channels && !part.lost)
    on_break_("sound of another number of channels than any store has");
  measure_gap(played);
  played_.push_back(played);
  if (played_.size() > milliseconds_kept) played_.pop_front();
}

std::optional<SoundPlace> SimSound::check(std::int32_t left, std::int32_t right, bool lost) const {
  if (left == 0 && right == 0) return std::nullopt;
  if (lost) on_break_("a lost packet of sound is not silent");
  const auto sum = std::int64_t{left} + right;
  constexpr std::int64_t rounding = 2;
  if (left < 0 || right < 0 || sum > sound_sum + rounding) on_break_("a sample that no store has is played");
  if (sum != sound_sum) return std::nullopt;  // in a fade
  const auto place = place_of_sample(left);
  if (place.visualization >= content_.all().size() || place.sample < 0 || !content_.all()[place.visualization].sounds)
    on_break_("a sample that no store has is played");
  return place;
}

void SimSound::measure_gap(const Played& played) {
  constexpr std::int64_t rounding = 1;
  for (std::int64_t i = 0; const auto& place : played.samples) {
    const auto at = played.first + i++;
    if (!place) continue;
    const auto before = std::exchange(heard_, std::pair(at, *place));
    if (!before || at == before->first + 1 || before->second.visualization != place->visualization) continue;
    const auto gap = at - before->first;
    if (std::abs(place->sample - before->second.sample - gap) <= rounding)
      longest_gap_ = std::max(longest_gap_, time_of_sample(gap - 1).time_since_epoch());
  }
}

// Played milliseconds follow each other, except if no packet came for a while or the clock was set.
std::optional<SoundPlace> SimSound::at(std::int64_t sample) const {
  const auto holds = [sample](const Played& one) {
    return one.first <= sample && sample < one.first + sound_packet_samples;
  };
  auto played = played_.end();
  if (const auto back = (end() - 1 - sample) / sound_packet_samples;
      back >= 0 && back < static_cast<std::int64_t>(played_.size()))
    played = played_.end() - 1 - back;
  if (played == played_.end() || !holds(*played)) played = std::ranges::find_if(played_, holds);
  return played == played_.end() ? std::nullopt : played->samples.at(static_cast<std::size_t>(sample - played->first));
}

}  // namespace lw::simulate
