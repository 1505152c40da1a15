// A simulated host: its own clocks, which may be off and drift, and agents that are stepped when they ask for it, when
// their bell rings and when something arrives. On a frozen host nobody is stepped, but time continues.
#pragma once

#include "common/clock/host_clock.h"
#include "common/concurrency/agent.h"
#include "common/concurrency/doorbell.h"
#include "tests/simulate/clocks.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace lw::simulate {

// What a descriptor of a simulated host refers to.
class Readable {
public:
  Readable() = default;
  Readable(const Readable&) = delete;
  Readable& operator=(const Readable&) = delete;
  virtual ~Readable() = default;
  [[nodiscard]] virtual bool is_readable() const = 0;
};

class Host {
public:
  Host(Timeline& timeline, Random& random) : clocks(timeline, random), timeline_(timeline), random_(random) {}
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  // Its wall clock, and its monotonic one.
  [[nodiscard]] Moment now() const { return clocks.now(busy_); }
  [[nodiscard]] std::unique_ptr<HostClock> clock() const;
  Clocks clocks;

  // Agents must outlive this host's next clear(). A step takes the time that is passed to take_time(): its clocks run
  // meanwhile, and its next step is not earlier.
  std::size_t add(Agent& agent);
  // A process ends: removes all agents.
  void clear();
  // Something arrived for the agent: it is stepped as soon as its thread wakes up.
  void wake(std::size_t agent);
  // Descriptors that agents wait for, at most one each. They are not this process's own. What they refer to must
  // outlive them.
  [[nodiscard]] int open(const Readable& what);
  void close(int descriptor);
  // There is something to read: steps the agent that waits for it.
  void arrived(int descriptor);
  // Steps the agents whose bells have rung.
  void hear_bells();
  void freeze(bool frozen);
  [[nodiscard]] bool frozen() const { return frozen_; }
  // One of its threads does not run for a while; the others do.
  void delay_thread(std::size_t agent, bool delayed);
  void resume_threads();
  [[nodiscard]] bool delays(std::size_t agent) const { return agent < agents_.size() && agents_[agent].delayed; }
  // Its thread does not run, or has not run since: what it last published may be old.
  [[nodiscard]] bool holds(std::size_t agent) const {
    return frozen_ || (agent < agents_.size() && !agents_[agent].ran);
  }
  [[nodiscard]] std::size_t agents() const { return agents_.size(); }
  void take_time(Nanoseconds time) { busy_ += time; }
  [[nodiscard]] Nanoseconds taken() const { return busy_; }  // by the present step so far
  // A thread has read the clocks ahead of the timeline: their rates must not change.
  [[nodiscard]] bool is_busy() const {
    return std::ranges::any_of(agents_, [&](const Stepped& one) { return one.busy_until > timeline_.now().wall; });
  }
  // A test's check after each step.
  std::function<void(std::size_t agent)> after_step;
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

private:
  struct Stepped {
    Agent* agent = nullptr;
    bool delayed = false;
    bool ran = false;  // since it began, was frozen or was delayed
    std::uint32_t heard = 0;
    Wait wait;
    WallTime next{};           // on the timeline
    WallTime busy_until{};     // likewise
    std::uint64_t number = 0;  // of the step that is planned; others are stale
  };
  struct Opened {
    const Readable* what = nullptr;
    std::optional<std::size_t> waits;  // an agent
  };
  void plan(std::size_t agent, WallTime at);
  Opened* find(int descriptor);
  void wait_for(std::size_t agent);
  void step(std::size_t agent, std::uint64_t number);

  // Answered after each step and each request; nobody sleeps meanwhile.
  class Board final : public BellBoard {
    void wake() override {}
  };

  Timeline& timeline_;
  Random& random_;
  Board board_;
  std::vector<Stepped> agents_;
  std::vector<Opened> opened_;
  std::uint64_t planned_ = 0;
  std::uint64_t steps_ = 0;
  bool frozen_ = false;
  Nanoseconds busy_{0};
};

}  // namespace lw::simulate
