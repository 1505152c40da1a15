// The wall's time between servers ([clock] source = "wall"): the answer to a question, and what to do with it. An
// exchange over the servers' connection proves as much as one by UDP: that a message was handled late only makes the
// bounds wider. Control thread only.
#pragma once

#include "common/clock/clock_keeper.h"
#include "common/messages/server_messages.h"

#include <optional>

namespace lw {

// Empty if this server does not know the wall's time. `clock`: as of Session.
inline std::optional<ServerTime> server_time(const ClockKeeper* clock, std::int64_t asked, WallTime came,
                                             WallTime left) {
  const auto error = clock == nullptr ? std::nullopt : clock->error();
  if (!error) return std::nullopt;
  return ServerTime{asked, (came + *error).time_since_epoch().count(), (left - *error).time_since_epoch().count()};
}

inline void take(const std::optional<ServerTime>& time, ClockKeeper* clock) {
  if (!time || clock == nullptr) return;
  clock->take_reply(RawTime{Nanoseconds{time->asked}}, WallTime{Nanoseconds{time->came_ns}},
                    WallTime{Nanoseconds{time->left_ns}});
}

}  // namespace lw
