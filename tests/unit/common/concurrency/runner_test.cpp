// Agents on a thread: stepped when they ask for it, when they are rung and when a descriptor becomes readable; several
// share a thread; the agent decides when it ends.
#include "common/concurrency/runner.h"

#include "common/base/descriptor.h"
#include "common/concurrency/pinned_thread.h"

#include <sys/eventfd.h>
#include <sys/resource.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <optional>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr auto long_enough = 20s;  // even if the machine stalls meanwhile

struct Counted final : Agent {
  Wait step(const Moment& now) override {
    early += last && last->until > now.local && last->descriptors.empty() && !last->hears_bell;
    ++steps;
    last = wait;
    if (interval) last->until = now.local + *interval;
    return *last;
  }
  void end() override { ended = true; }

  std::atomic<int> steps{0};
  std::atomic<bool> ended{false};
  int early = 0;
  Wait wait;
  std::optional<Nanoseconds> interval;
  std::optional<Wait> last;
};

bool comes_to_be(const auto& true_once) {
  for (const auto until = LocalClock::now() + long_enough; LocalClock::now() < until;) {
    if (true_once()) return true;
    std::this_thread::sleep_for(1ms);
  }
  return false;
}

}  // namespace

TEST_CASE("an agent is stepped once, and then when somebody rings") {
  Counted agent;
  {
    const auto runner = Runner::start({.name = "test"}, {&agent});
    for (int wanted = 1; wanted <= 100; ++wanted) {
      REQUIRE(comes_to_be([&] { return agent.steps >= wanted; }));
      agent.bell().ring();
    }
    CHECK_FALSE(agent.ended);
  }
  CHECK(agent.ended);
}

TEST_CASE("without a free descriptor, no thread starts that nobody could wake or end") {
  Counted agent;
  rlimit limit{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &limit) == 0);
  const rlimit none{.rlim_cur = 0, .rlim_max = limit.rlim_max};
  REQUIRE(setrlimit(RLIMIT_NOFILE, &none) == 0);
  const auto refused = Runner::start({.name = "test"}, {&agent});
  REQUIRE(setrlimit(RLIMIT_NOFILE, &limit) == 0);
  REQUIRE(!refused);
  CHECK(refused.error().mend.find("ulimit -n") != std::string::npos);
  CHECK(agent.steps == 0);
  const auto runner = Runner::start({.name = "test"}, {&agent});
  CHECK(comes_to_be([&] { return agent.steps == 1; }));
}

TEST_CASE("an agent that does not listen to the bell sleeps through it, and its runner still ends") {
  Counted agent;
  agent.wait = {.until = LocalTime::max(), .descriptors = {}, .hears_bell = false};
  Counted other;  // the agent that is rung
  {
    const auto runner = Runner::start({.name = "test"}, {&agent, &other});
    REQUIRE(comes_to_be([&] { return other.steps == 1; }));
    for (int wanted = 2; wanted < 50; ++wanted) {
      agent.bell().ring();
      other.bell().ring();
      REQUIRE(comes_to_be([&] { return other.steps >= wanted; }));
    }
  }
  CHECK(agent.steps == 1);
  CHECK(agent.ended);
}

TEST_CASE("an agent is stepped when one of its descriptors is readable") {
  const Descriptor event(eventfd(0, EFD_NONBLOCK));
  const std::array watched{event.get()};
  Counted agent;
  agent.wait = {.until = LocalTime::max(), .descriptors = watched, .hears_bell = false};
  const auto runner = Runner::start({.name = "test"}, {&agent});
  REQUIRE(comes_to_be([&] { return agent.steps == 1; }));
  REQUIRE(eventfd_write(event.get(), 1) == 0);
  CHECK(comes_to_be([&] { return agent.steps > 10; }));  // never read: it remains readable
}

TEST_CASE("a runner that naps takes what can be read once in a nap, and still steps agents in time") {
  const Descriptor event(eventfd(1, EFD_NONBLOCK));
  const std::array watched{event.get()};
  Counted reading, timed;
  reading.wait = {.until = LocalTime::max(), .descriptors = watched, .hears_bell = false};
  timed.interval = 2ms;
  timed.wait.hears_bell = false;
  const auto began = LocalClock::now();
  int naps = 0, times = 0;
  {
    constexpr auto nap = 100ms;
    const auto runner = Runner::start({.name = "test", .nap = nap}, {&reading, &timed});
    REQUIRE(comes_to_be([&] { return reading.steps >= 5; }));
    naps = static_cast<int>((LocalClock::now() - began) / nap);
    times = timed.steps;
  }
  CHECK(reading.steps <= naps + 3);  // never read: it is always readable
  CHECK(times > 10);
}

TEST_CASE("an agent hears whether it may have something to read") {
  struct Told final : Agent {
    Wait step(const Moment& now) override {
      if (steps++ > 0) ++(may_read() ? readable : not_readable);
      return {.until = now.local + 1ms, .descriptors = watched, .hears_bell = false};
    }
    std::span<const int> watched;
    std::atomic<int> steps{0}, readable{0}, not_readable{0};
  };
  const Descriptor event(eventfd(0, EFD_NONBLOCK));
  const std::array descriptors{event.get()};
  Told agent, without_descriptors;
  agent.watched = descriptors;
  const auto runner = Runner::start({.name = "test"}, {&agent, &without_descriptors});
  REQUIRE(comes_to_be([&] { return agent.not_readable > 5 && without_descriptors.readable > 5; }));
  CHECK(agent.readable == 0);
  CHECK(without_descriptors.not_readable == 0);
  REQUIRE(eventfd_write(event.get(), 1) == 0);
  CHECK(comes_to_be([&] { return agent.readable > 5; }));
}

TEST_CASE("agents that share a thread are each stepped at their own times, never before", "[clock]") {
  for (const auto spin : {Nanoseconds{0}, Nanoseconds{500us}}) {
    std::array<Counted, 3> agents;
    for (std::size_t i = 0; i < agents.size(); ++i) {
      agents[i].interval = 1ms * (i + 1);
      agents[i].wait.hears_bell = false;
    }
    {
      const auto runner = Runner::start({.name = "test", .spin = spin}, {&agents[0], &agents[1], &agents[2]});
      CHECK(comes_to_be([&] { return agents[2].steps >= 20; }));
      CHECK((*runner)->turns() >= 20);
    }
    CHECK(agents[0].steps > agents[2].steps);
    for (const auto& agent : agents) CHECK(agent.early == 0);
  }
}

TEST_CASE("a ring that comes while the thread goes to sleep is not lost") {
  struct Echo final : Agent {
    Wait step(const Moment&) override {
      seen = asked.load();
      return {};
    }
    std::atomic<int> asked{0};
    std::atomic<int> seen{0};
  } agent;
  const auto runner = Runner::start({.name = "test"}, {&agent});
  for (int i = 1; i <= 20'000; ++i) {
    agent.asked = i;
    agent.bell().ring();
    const auto until = LocalClock::now() + long_enough;
    while (agent.seen != i && LocalClock::now() < until) std::this_thread::yield();
    REQUIRE(agent.seen == i);
  }
}

TEST_CASE("of many agents on a thread only those that have something to do are stepped") {
  constexpr std::size_t many = 500;
  std::deque<Counted> agents(many);
  std::vector<Agent*> all;
  for (auto& agent : agents) all.push_back(&agent);
  const Descriptor event(eventfd(0, EFD_NONBLOCK));
  const std::array watched{event.get()};
  agents[7].wait.descriptors = watched;
  const auto runner = Runner::start({.name = "test"}, all);
  REQUIRE(comes_to_be([&] { return std::ranges::all_of(agents, [](const auto& agent) { return agent.steps == 1; }); }));
  for (int i = 0; i < 50; ++i) {
    const int before = agents[400].steps;
    agents[400].bell().ring();
    REQUIRE(comes_to_be([&] { return agents[400].steps > before; }));
  }
  REQUIRE(eventfd_write(event.get(), 1) == 0);
  REQUIRE(comes_to_be([&] { return agents[7].steps > 10; }));
  int others = 0;
  for (std::size_t i = 0; i < many; ++i) others += i == 7 || i == 400 ? 0 : agents[i].steps - 1;
  CHECK(others == 0);
}

TEST_CASE("what wakes agents is watched from when they want it until they do not") {
  const Descriptor event(eventfd(1, EFD_NONBLOCK));
  const std::array watched{event.get()};
  struct Changing final : Agent {
    Wait step(const Moment& now) override {
      ++steps;
      // Watches, then looks away for as long as others are stepped, then watches again.
      if (steps % 3 == 0) return {.until = now.local + 2ms, .descriptors = {}};
      return {.until = LocalTime::max(), .descriptors = watched};
    }
    std::span<const int> watched;
    std::atomic<int> steps{0};
  } agent;
  agent.watched = watched;
  Counted other;
  const auto runner = Runner::start({.name = "test"}, {&agent, &other});
  CHECK(comes_to_be([&] { return agent.steps >= 30; }));
  CHECK(other.steps == 1);
}

TEST_CASE("CPU time of a thread is charged to the agents that used it") {
  struct Busy final : Agent {
    Wait step(const Moment& now) override {
      while (LocalClock::now() - now.local < 1ms * work) relax_cpu();
      charged = charged_cpu_s().value_or(0);
      return {.until = now.local + 4ms};
    }
    int work = 0;
    std::atomic<double> charged{0};
  };
  std::array<Busy, 3> agents;
  agents[0].work = 2;
  agents[1].work = 1;
  const auto runner = Runner::start({.name = "test"}, {&agents[0], &agents[1], &agents[2]});
  REQUIRE(comes_to_be([&] { return agents[1].charged > 0.05; }));
  CHECK(agents[0].charged > 1.2 * agents[1].charged);
  CHECK(agents[2].charged < agents[1].charged / 2);
}
