// A part of the data path that works in steps. Each step does a bounded amount of work without blocking and returns
// when it wants the next one. An agent gets everything it needs from its host (sockets, disks, a display, the time,
// random numbers) from outside, so the same agent can run on its own thread, share a thread
// (common/concurrency/runner.h) or be stepped on virtual time by a test.
//
// One thread at a time steps an agent. Functions that other threads may call say so.
#pragma once

#include "common/base/moment.h"

#include <span>

namespace lw {

// When an agent wants its next step. An earlier step is harmless, but wasted.
struct Wait {
  LocalTime until = LocalTime::max();     // at the latest
  std::span<const int> descriptors = {};  // as soon as one of these can be read; valid until the next step
  // As soon as the bell rings. An agent that does not listen to the bell must set `until` to a time soon: its thread
  // cannot be stopped before then.
  bool hears_bell = true;
};

class Agent {
public:
  Agent() = default;
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;
  virtual ~Agent() = default;

  // Called before the first step, on the thread that steps the agent. `shortest_sleep` is how long this thread sleeps
  // at least, however little it asks for: an agent with less time left should act now instead of waiting.
  virtual void begin(Nanoseconds /*shortest_sleep*/) {}
  // `now` is the time on the agent's host. A step that takes a while may read the time again.
  virtual Wait step(const Moment& now) = 0;
  // No step follows. May block for some 100 ms.
  virtual void end() {}
};

// Converts a time on the wall's clock to local time, so that setting the wall's clock does not change how long to wait.
inline LocalTime local_of(WallTime time, const Moment& now) { return now.local + (time - now.wall); }

}  // namespace lw
