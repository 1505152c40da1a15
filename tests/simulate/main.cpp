// Simulates walls: each seed is a wall and what happens to it. The output depends on the arguments alone. A seed
// that breaks a law is replayed with fewer and fewer events, and the remaining ones are printed; exit 1.
#include "tests/simulate/standby_world.h"
#include "tests/simulate/world.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>

#include <unistd.h>

using namespace lw;
using namespace lw::simulate;

namespace {

struct Options {
  Settings settings;
  double hours = 0.02;
  std::uint64_t seeds = 1;
  std::string standby;
  unsigned servers = 2;
  unsigned harms = 20;
};

struct ContentFolder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("lambdawall-simulate-" + std::to_string(getpid()));
  ContentFolder() = default;
  ~ContentFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  ContentFolder(const ContentFolder&) = delete;
  ContentFolder& operator=(const ContentFolder&) = delete;
};

// Removes what is not needed to break a law: entire episodes first, then halves, then single events.
std::vector<Episode> shrink(const Settings& settings, std::vector<Episode> episodes, const ContentFolder& content) {
  const auto breaks = [&](const std::vector<Episode>& fewer) {
    return !play(settings, fewer, content.path).broken.empty();
  };
  while (episodes.size() > 1) {
    std::vector<Episode> last(
        episodes.end() - static_cast<std::ptrdiff_t>(std::max<std::size_t>(1, episodes.size() / 2)), episodes.end());
    if (!breaks(last)) break;
    episodes = std::move(last);
  }
  for (std::size_t i = 0; i < episodes.size(); ++i)
    for (std::size_t k = 0; k < episodes[i].size();) {
      auto fewer = episodes;
      fewer[i].erase(fewer[i].begin() + static_cast<std::ptrdiff_t>(k));
      if (breaks(fewer))
        episodes = std::move(fewer);
      else
        ++k;
    }
  return episodes;
}

bool run_seed(const Settings& settings, std::size_t count, const ContentFolder& content) {
  const auto nodes = static_cast<unsigned>(wall_of(settings).nodes.size());
  auto episodes = draw_episodes(settings.seed, nodes, count);
  const auto outcome = play(settings, episodes, content.path);
  fmt::print("seed {}: {}\n", settings.seed, describe(settings));
  fmt::print(
      "  {} episodes, {} steps, {} packets ({} lost), {} frames shown complete, {} in part; {} resent, {} rebuilt\n",
      count, outcome.steps, outcome.packets, outcome.lost, outcome.shown_whole, outcome.shown_concealed,
      outcome.repaired, outcome.rebuilt);
  if (outcome.broken.empty()) return true;
  const auto ms = [](Nanoseconds time) { return std::chrono::duration_cast<std::chrono::milliseconds>(time).count(); };
  fmt::print("  broken in episode {}, {} ms after it began: {}\n", outcome.episode, ms(outcome.at), outcome.broken);
  std::fflush(stdout);
  episodes.resize(outcome.episode + 1);
  episodes = shrink(settings, std::move(episodes), content);
  const auto again = play(settings, episodes, content.path);
  fmt::print("  with fewer happenings, in episode {}, {} ms after it began: {}\n", again.episode, ms(again.at),
             again.broken);
  for (std::size_t i = 0; i < episodes.size(); ++i) {
    fmt::print("  episode {}:{}\n", i, episodes[i].empty() ? " nothing happens" : "");
    for (const auto& one : episodes[i]) fmt::print("    {}\n", one.text());
  }
  return false;
}

bool run_standby_seed(const Options& options, const ContentFolder& content) {
  const auto kind = options.standby == "hot" ? Standby::hot : options.standby == "cold" ? Standby::cold : Standby::none;
  const auto outcome = play_with_standby(options.settings, kind, options.servers, options.harms, content.path);
  fmt::print(
      "seed {}: {} standby, {} harms in {:.0f} s, {} frames shown complete, at most {:.1f} ms between two, {:.1f} ms "
      "of silence\n",
      options.settings.seed, options.standby, outcome.harms, std::chrono::duration<double>(outcome.lasted).count(),
      outcome.shown_whole, static_cast<double>(outcome.longest_gap.count()) / 1e6,
      static_cast<double>(outcome.longest_silence.count()) / 1e6);
  if (!outcome.broken.empty()) fmt::print("  broken {}: {}\n", outcome.circumstances, outcome.broken);
  return outcome.broken.empty();
}

}  // namespace

int main(int count, char** arguments) {
  Options options;
  CLI::App app("Simulates a wall, with faults and operators drawn from a seed, on virtual time, and checks its laws.");
  app.add_option("--seed", options.settings.seed, "The first seed")->capture_default_str();
  app.add_option("--seeds", options.seeds, "How many seeds, one after the other")->capture_default_str();
  app.add_option("--hours", options.hours, "Virtual time of each seed")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--tiles", options.settings.tiles, "Tiles of the wall, at least")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  app.add_option("--standby", options.standby,
                 "Simulate several servers, of which one is harmed at a time: half of them with a standby each, or "
                 "without (none)")
      ->check(CLI::IsMember({"hot", "cold", "none"}));
  app.add_option("--servers", options.servers, "With --standby: how many servers, an even number")
      ->check(CLI::IsMember({2, 4, 8}))
      ->capture_default_str();
  app.add_option("--harms", options.harms, "With --standby: how often in each seed")->capture_default_str();
  CLI11_PARSE(app, count, arguments);
  spdlog::set_level(spdlog::level::off);

  const ContentFolder content;
  const auto episodes = static_cast<std::size_t>(
      std::max(1.0, options.hours * 3600 / std::chrono::duration<double>(episode_lasts).count()));
  std::uint64_t broken = 0;
  for (std::uint64_t i = 0; i < options.seeds; ++i, ++options.settings.seed) {
    const bool keeps_laws =
        options.standby.empty() ? run_seed(options.settings, episodes, content) : run_standby_seed(options, content);
    broken += keeps_laws ? 0 : 1;
    std::fflush(stdout);
  }
  if (broken > 0) fmt::print("{} of {} seeds break a law\n", broken, options.seeds);
  return broken > 0 ? 1 : 0;
}
