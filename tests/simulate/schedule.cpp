#include "tests/simulate/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lw::simulate {
namespace {

constexpr std::array<const char*, static_cast<std::size_t>(Fault::count)> names{
    "a lossy link",     "a slow link",      "a cut link",      "a cut network",       "a path that refuses segments",
    "a slow disk",      "a failing disk",   "a hanging disk",  "a frozen server",     "a frozen node",
    "a delayed thread", "a crashed server", "a crashed node",  "a clock that is off", "a clock that drifts",
    "clocks are set",   "a late screen",    "a changed store", "an operator"};

Episode draw_episode(truth::Random& random, unsigned nodes) {
  Episode episode;
  const auto count = random.below(14);
  for (std::size_t i = 0; i < count; ++i) {
    Happening one;
    one.at = std::chrono::milliseconds{random.below(7000)};
    const auto left = std::chrono::milliseconds{faults_last} - one.at;
    one.lasts =
        std::min<Nanoseconds>(left, std::chrono::milliseconds{random.between(10, random.once_in(3) ? 6000 : 1000)});
    // Operators and bad paths are the most frequent faults of a real wall.
    const auto kind = random.below(3);
    one.fault = kind == 0   ? Fault::operator_does
                : kind == 1 ? Fault::lossy_link
                            : static_cast<Fault>(random.below(static_cast<std::size_t>(Fault::count)));
    one.where = static_cast<unsigned>(random.below(nodes));
    one.chance = std::uint64_t{random.word()} << 32U | random.word();
    episode.push_back(one);
  }
  std::ranges::sort(episode, {}, &Happening::at);
  return episode;
}

}  // namespace

std::string Happening::text() const {
  const auto ms = [](Nanoseconds time) { return std::chrono::duration_cast<std::chrono::milliseconds>(time).count(); };
  return fmt::format("{:>6} ms  {:>5} ms  {} (of {}, {:016x})", ms(at), ms(lasts),
                     names[static_cast<std::size_t>(fault)], where, chance);
}

std::vector<Episode> draw_episodes(std::uint64_t seed, unsigned nodes, std::size_t count) {
  truth::Random random(seed ^ 0x5bd1e995U);
  std::vector<Episode> episodes(count);
  for (auto& episode : episodes) episode = draw_episode(random, nodes);
  return episodes;
}

}  // namespace lw::simulate
