// A part of the data path that works in steps. Each step does a bounded amount of work without blocking and returns
// when it wants the next one. An agent gets everything it needs from its host (sockets, disks, a display, the time,
// random numbers) from outside, so the same agent can run on its own thread, share a thread
// (common/concurrency/runner.h) or be stepped on virtual time by a test.
//
// One thread at a time steps an agent. Functions that other threads may call say so.
#pragma once

#include "common/base/moment.h"
#include "common/concurrency/doorbell.h"

#include <chrono>
#include <optional>
#include <span>

namespace lw {

// When an agent wants its next step. An earlier step is harmless, but wasted.
struct Wait {
  LocalTime until = LocalTime::max();     // at the latest
  std::span<const int> descriptors = {};  // as soon as one of these can be read; valid until the next step
  bool hears_bell = true;                 // as soon as the bell rings
};

class Agent {
public:
  Agent() = default;
  // `bell` is used instead of an own one; it must outlive the agent.
  explicit Agent(Doorbell& bell) : bell_(bell) {}
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;
  virtual ~Agent() = default;

  // Any thread: ring it after handing the agent work.
  [[nodiscard]] Doorbell& bell() { return bell_; }

  // Called before the first step on a thread, on that thread. `shortest_sleep` is how long this thread sleeps at least,
  // however little it asks for: an agent with less time left should act now instead of waiting.
  virtual void begin(Nanoseconds /*shortest_sleep*/) {}
  // Called between steps, on the thread: whether it steps no other agent. An agent that is alone may wait in a call for
  // some milliseconds. Until the first call it may not.
  virtual void stand_alone(bool /*alone*/) {}
  // `now` is the time on the agent's host. A step that takes a while may read the time again.
  virtual Wait step(const Moment& now) = 0;
  // No step follows. May block for some 100 ms.
  virtual void end() {}

  // Called before a step, on the thread: whether one of the descriptors that the agent waited for may have something to
  // read. Without a runner that says so, they always may.
  void tell_readable(bool readable) { readable_ = readable; }
  // The runner adds CPU time of its thread that this agent has used.
  void charge(Nanoseconds cpu) { charged_ = charged_.value_or(Nanoseconds{0}) + cpu; }

protected:
  [[nodiscard]] bool may_read() const { return readable_; }
  // CPU time of the steps in seconds, as charged; empty before the first charge.
  [[nodiscard]] std::optional<double> charged_cpu_s() const {
    if (!charged_) return std::nullopt;
    return std::chrono::duration<double>(*charged_).count();
  }

private:
  Doorbell own_bell_;
  Doorbell& bell_ = own_bell_;
  bool readable_ = true;
  std::optional<Nanoseconds> charged_;
};

// Converts a time on the wall's clock to local time, so that setting the wall's clock does not change how long to wait.
inline LocalTime local_of(WallTime time, const Moment& now) { return now.local + (time - now.wall); }

}  // namespace lw
