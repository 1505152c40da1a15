// Which thread steps which agent: those on one CPU share one, and each can move to another while it is stepped.
#include "common/concurrency/agent_threads.h"

#include "common/concurrency/pinned_thread.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <deque>
#include <set>

using namespace lw;
using namespace std::chrono_literals;

namespace {

struct Watched final : Agent {
  void begin(Nanoseconds) override { ++begun; }
  void stand_alone(bool is) override { alone = is; }
  Wait step(const Moment&) override {
    ++steps;
    thread = std::this_thread::get_id();
    cpu = current_cpu_pin();
    return {};
  }
  void end() override { ended = true; }

  std::atomic<int> begun{0}, steps{0}, cpu{-2};
  std::atomic<bool> alone{false}, ended{false};
  std::atomic<std::thread::id> thread{};
};

struct Stepped {
  std::deque<Watched> agents;
  AgentThreads threads;  // joined first

  explicit Stepped(const std::vector<int>& cpus) {
    std::vector<AgentThreads::Placed> placed;
    for (const int cpu : cpus) {
      agents.emplace_back();
      placed.push_back({&agents.back(), static_cast<unsigned>(placed.size()), cpu});
    }
    REQUIRE(threads.start({"test", 0, {}}, placed).has_value());
  }
  // Rings for each, and waits until it was stepped for that.
  bool all_answer() {
    for (auto& agent : agents) {
      const int before = agent.steps;
      agent.bell().ring();
      const auto until = LocalClock::now() + 20s;
      while (agent.steps == before && LocalClock::now() < until) std::this_thread::sleep_for(1ms);
      if (agent.steps == before) return false;
    }
    return true;
  }
  [[nodiscard]] std::size_t different_threads() const {
    std::set<std::thread::id> ids;
    for (const auto& agent : agents) ids.insert(agent.thread.load());
    return ids.size();
  }
};

}  // namespace

TEST_CASE("agents on the same CPU share its thread, and one that is alone there knows it") {
  const int cpu = allowed_cpus().front();
  Stepped alone({cpu});
  REQUIRE(alone.all_answer());
  CHECK(alone.agents[0].alone);
  Stepped shared({cpu, cpu, cpu});
  REQUIRE(shared.all_answer());
  CHECK(shared.threads.threads() == 1);
  CHECK(shared.different_threads() == 1);
  for (const auto& agent : shared.agents) {
    CHECK_FALSE(agent.alone);
    CHECK(agent.cpu == cpu);
  }
}

TEST_CASE("agents that are not pinned share as many threads as there are cores") {
  const auto cores = allowed_cpus().size();
  Stepped few(std::vector<int>(cores, -1));
  REQUIRE(few.all_answer());
  CHECK(few.different_threads() == cores);
  Stepped many(std::vector<int>(3 * cores, -1));
  REQUIRE(many.all_answer());
  CHECK(many.different_threads() == cores);
}

TEST_CASE("an agent moves from a shared thread to its own and back, and is rung for all the while") {
  const int cpu = allowed_cpus().front();
  Stepped stepped({cpu, cpu});
  REQUIRE(stepped.all_answer());
  REQUIRE(stepped.threads.move(1, -1).has_value());
  CHECK(stepped.threads.cpu_of(1) == -1);
  REQUIRE(stepped.all_answer());
  CHECK(stepped.different_threads() == 2);
  CHECK(stepped.agents[0].alone);
  CHECK(stepped.agents[1].alone);
  REQUIRE(stepped.threads.move(1, cpu).has_value());
  REQUIRE(stepped.all_answer());
  CHECK(stepped.threads.threads() == 1);
  CHECK(stepped.different_threads() == 1);
  CHECK_FALSE(stepped.agents[0].alone);
  CHECK(stepped.agents[1].begun == 3);
  CHECK_FALSE(stepped.agents[1].ended);
  stepped.threads.stop();
  CHECK(stepped.agents[0].ended);
  CHECK(stepped.agents[1].ended);
}

TEST_CASE("a thread of one agent moves with it, and a CPU that is not allowed is refused") {
  const int cpu = allowed_cpus().front();
  Stepped stepped({cpu});
  REQUIRE(stepped.all_answer());
  REQUIRE(stepped.threads.move(0, -1).has_value());
  CHECK(stepped.agents[0].begun == 2);
  CHECK(stepped.threads.cpu_of(0) == -1);
  CHECK_FALSE(stepped.threads.move(0, 100'000).has_value());
  CHECK(stepped.all_answer());
  CHECK(stepped.threads.turns().size() == 1);
}
