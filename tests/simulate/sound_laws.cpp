#include "tests/simulate/sound_laws.h"

#include "common/store/sound_file.h"

#include <fmt/format.h>

#include <cstdlib>

namespace lw::simulate {
namespace {

// Frames and samples begin at whole nanoseconds and at whole samples: one sample more or less.
constexpr std::int64_t apart_max = 1;

}  // namespace

std::uint64_t SoundLaws::missed(const Node& node) {
  const auto stats = node.sound_stats();
  return stats.lost + stats.skipped;
}

void SoundLaws::begin(const std::vector<std::unique_ptr<Node>>& nodes) {
  missed_before_.clear();
  for (const auto& node : nodes) missed_before_.push_back(node->sound() != nullptr ? missed(*node) : 0);
}

void SoundLaws::judge(const std::vector<std::unique_ptr<Node>>& nodes, const Visualization& plays,
                      const std::string& circumstances) const {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i]->sound() == nullptr) continue;
    if (const auto more = missed(*nodes[i]) - missed_before_[i]; more > 0)
      return on_break_(fmt::format("{} lacks {} ms of sound {}", nodes[i]->name(), more, circumstances));
    judge_frames(*nodes[i], plays, circumstances);
  }
}

void SoundLaws::judge_frames(Node& node, const Visualization& plays, const std::string& circumstances) const {
  const auto& sound = *node.sound();
  for (const auto& frame : node.display().frames()) {
    const auto sample = sample_from(frame.media_time);
    if (sample >= sound.end()) continue;  // is yet to be heard
    const auto heard = sound.at(sample);
    if (!plays.sounds && heard) return on_break_(fmt::format("{} plays sound that {} lacks", node.name(), plays.name));
    if (!plays.sounds) continue;
    const auto seen = sample_of_frame(frame.frame, plays.rate);
    if (!heard) return on_break_(fmt::format("{} is silent with frame {} {}", node.name(), frame.frame, circumstances));
    if (content_.all()[heard->visualization].name != plays.name || std::abs(heard->sample - seen) > apart_max)
      return on_break_(fmt::format("{} plays sample {} of {} with frame {} of {}, which begins with sample {}, {}",
                                   node.name(), heard->sample, content_.all()[heard->visualization].name, frame.frame,
                                   plays.name, seen, circumstances));
  }
}

// Not from the last to the first one: at twice the rate as well, and as another entry of a playlist.
bool SoundLaws::plays_on(const Shown& frame, const Shown& next) const {
  constexpr std::chrono::microseconds rounding{1};
  if (frame.version != next.version) return false;
  const auto& visualization = content_.all()[frame.version->visualization];
  return next.frame == frame.frame + 1 &&
         std::chrono::abs(next.media_time - frame.media_time - visualization.rate.duration_of(1)) <= rounding;
}

void SoundLaws::judge_heard(Node& node, bool may_miss, const std::string& circumstances) const {
  constexpr std::chrono::milliseconds yet_to_be_heard{100};
  const auto& frames = node.display().frames();
  for (std::size_t i = 0; i + 1 < frames.size(); ++i) {
    const auto& frame = frames[i];
    if (frame.media_time + yet_to_be_heard > frames.back().media_time) return;
    const auto& seen = content_.all()[frame.version->visualization];
    const auto heard = node.sound()->at(sample_from(frame.media_time));
    const auto begins = sample_of_frame(frame.frame, seen.rate);
    const bool runs = i > 0 && plays_on(frames[i - 1], frame) && plays_on(frame, frames[i + 1]);
    if (!heard && !may_miss && seen.sounds && runs)
      return on_break_(
          fmt::format("{} is silent with frame {} of {} {}", node.name(), frame.frame, seen.name, circumstances));
    if (!heard) continue;
    const auto& plays = content_.all()[heard->visualization];
    if (plays.name != seen.name || std::abs(heard->sample - begins) > apart_max)
      return on_break_(fmt::format("{} plays sample {} of {} with frame {} of {}, which begins with sample {}, {}",
                                   node.name(), heard->sample, plays.name, frame.frame, seen.name, begins,
                                   circumstances));
  }
}

}  // namespace lw::simulate
