// A part of the data path that does its work in steps: each does a bounded amount without blocking and says when the
// next is wanted. Everything an agent has of its host (sockets, disks, a display, the time, chance) is given to it, so
// that the same agent runs on a thread of its own, shares one (common/concurrency/runner.h) or is stepped on virtual
// time by a test.
//
// One thread at a time steps an agent; what other threads may call is said where it stands.
#pragma once

#include "common/base/moment.h"

#include <span>

namespace lw {

// When an agent wants its next step. An earlier step is harmless, but wasted.
struct Wait {
  LocalTime until = LocalTime::max();     // at the latest
  std::span<const int> descriptors = {};  // as soon as one of these can be read; valid until the next step
  // As soon as somebody rings. Who does not hear the bell names a time that is soon: until then nobody can end the
  // thread.
  bool hears_bell = true;
};

class Agent {
public:
  Agent() = default;
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;
  virtual ~Agent() = default;

  // Before the first step, on the thread that steps: how long that sleeps when it asks for less. Who waits for less may
  // as well go on.
  virtual void begin(Nanoseconds /*shortest_sleep*/) {}
  // `now` is on the agent's host. A step may read the time again where what it does takes a while.
  virtual Wait step(const Moment& now) = 0;
  // No step follows. May take some 100 ms.
  virtual void end() {}
};

// A time on the wall's clock as one to wait for: a step of that clock meanwhile does not change how long.
inline LocalTime local_of(WallTime time, const Moment& now) { return now.local + (time - now.wall); }

}  // namespace lw
