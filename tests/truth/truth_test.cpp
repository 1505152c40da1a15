// The truth test: whatever a network does to a flow, a frame delivered as complete is the one sent. See session.h.
// Seeds come from the command line; a broken law is printed with the command to replay it, with exit status 1.
#include "tests/truth/session.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <CLI/CLI.hpp>

#include <atomic>
#include <chrono>
#include <fstream>
#include <mutex>
#include <thread>
#include <vector>

#include <unistd.h>

using namespace lw;
using namespace lw::truth;

namespace {

constexpr unsigned patterns_of_session = 25;

struct Options {
  std::uint64_t seed = 1;
  std::uint64_t patterns = 100'000;
  std::optional<std::uint64_t> session;
  std::uint64_t by_kernel = Combination::count;
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());
};

struct KeyFile {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("lambdawall-truth-" + std::to_string(getpid()) + ".key");
  KeyFile() {
    std::ofstream(path) << std::string(64, '7') << '\n';
    std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  }
  ~KeyFile() { std::filesystem::remove(path); }
  KeyFile(const KeyFile&) = delete;
  KeyFile& operator=(const KeyFile&) = delete;
};

struct Totals {
  std::mutex mutex;
  Outcome sum;
  std::uint64_t failed = 0;
  std::uint64_t sessions = 0;

  void add(const Outcome& outcome, const std::string& name) {
    const std::scoped_lock lock(mutex);
    ++sessions;
    sum.patterns += outcome.patterns;
    sum.whole += outcome.whole;
    sum.incomplete += outcome.incomplete;
    sum.undisturbed += outcome.undisturbed;
    sum.stats.packets += outcome.stats.packets;
    sum.stats.in_place += outcome.stats.in_place;
    sum.stats.rebuilt += outcome.stats.rebuilt;
    sum.stats.repaired += outcome.stats.repaired;
    if (outcome.broken.empty()) return;
    ++failed;
    fmt::print("{}: {}\n", name, outcome.broken);
  }
};

std::string name_of(const Options& options, std::uint64_t session) {
  return fmt::format("--seed {} --session {} ({})", options.seed, session,
                     Combination::number(static_cast<unsigned>(session % Combination::count)).text());
}

// The kernel's own sockets must give the same result for the same patterns: otherwise the stand-in behaves differently.
void compare_with_kernel(const Options& options, const KeyFile& key, Totals& totals, std::uint64_t session) {
  const auto stood_in = play_session(options.seed, session, patterns_of_session, key.path, false);
  auto kernel = play_session(options.seed, session, patterns_of_session, key.path, true);
  if (kernel.broken.empty() && kernel.digest != stood_in.digest)
    kernel.broken = "the kernel's sockets lead to something else than those that stand in for them";
  totals.add(kernel, name_of(options, session) + ", by the kernel");
}

}  // namespace

int main(int count, char** arguments) {
  Options options;
  CLI::App app(
      "Plays random patterns of loss, delay, repetition and changed bits through the receiving half of a flow, and "
      "checks that "
      "what counts as complete is what was sent.");
  app.add_option("--seed", options.seed, "Another seed, other patterns")->capture_default_str();
  app.add_option("--patterns", options.patterns, "How many disturbed frames, over all settings")->capture_default_str();
  app.add_option("--session", options.session, "Only this session of the seed");
  app.add_option("--by-kernel", options.by_kernel, "How many sessions also go through the kernel's own sockets")
      ->capture_default_str();
  app.add_option("--threads", options.threads, "How many sessions at once")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  CLI11_PARSE(app, count, arguments);
  spdlog::set_level(spdlog::level::off);

  const KeyFile key;
  Totals totals;
  const auto began = std::chrono::steady_clock::now();
  const auto sessions = (options.patterns + patterns_of_session - 1) / patterns_of_session;
  if (options.session) {
    totals.add(play_session(options.seed, *options.session, patterns_of_session, key.path, false),
               name_of(options, *options.session));
  } else {
    std::atomic<std::uint64_t> next{0};
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < options.threads; ++i)
      threads.emplace_back([&] {
        for (auto session = next++; session < sessions; session = next++)
          totals.add(play_session(options.seed, session, patterns_of_session, key.path, false),
                     name_of(options, session));
      });
    threads.clear();
    for (std::uint64_t session = 0; session < std::min(options.by_kernel, sessions); ++session)
      compare_with_kernel(options, key, totals, session);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  const auto& sum = totals.sum;
  fmt::print(
      "{} patterns in {} sessions, {:.1f} s: {} bands complete, {} incomplete, {} that had to be complete; of {} "
      "packets "
      "{:.0f} % put in place by the kernel, {} rebuilt, {} sent again\n",
      sum.patterns, totals.sessions, took.count(), sum.whole, sum.incomplete, sum.undisturbed, sum.stats.packets,
      100.0 * static_cast<double>(sum.stats.in_place) /
          static_cast<double>(std::max<std::uint64_t>(1, sum.stats.packets)),
      sum.stats.rebuilt, sum.stats.repaired);
  // A test in which nothing is ever repaired or in place would prove nothing.
  if (!options.session && sessions >= Combination::count &&
      (sum.stats.rebuilt == 0 || sum.stats.repaired == 0 || sum.undisturbed == 0 ||
       sum.stats.in_place * 10 < sum.stats.packets)) {
    fmt::print("the patterns do not reach what they are to try\n");
    return 1;
  }
  return totals.failed == 0 ? 0 : 1;
}
