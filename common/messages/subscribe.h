// subscribe: what a connection receives from now on. The answer has the current state.
#pragma once

#include "common/messages/event.h"
#include "common/messages/play_state.h"
#include "common/messages/requests.h"

#include <vector>

namespace lw {

struct SubscribeRequest {
  bool stats = true;
  bool events = true;
  bool pictures = false;

  static constexpr bool closed = true;
  static void members(auto& request, auto& visit) {
    visit("stats", request.stats, MayBeAbsent{});
    visit("events", request.events, MayBeAbsent{});
    visit("pictures", request.pictures, MayBeAbsent{});
  }
  bool operator==(const SubscribeRequest&) const = default;
};

struct SubscribeReply {
  StateMessage state;
  std::vector<EventMessage> events;  // the newest events, oldest first

  static constexpr bool closed = false;
  static void members(auto& reply, auto& visit) {
    visit("state", reply.state);
    visit("events", reply.events);
  }
  bool operator==(const SubscribeReply&) const = default;
};

}  // namespace lw
