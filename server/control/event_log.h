// Reports events to operators as they happen: in the log, to subscribers, and in a list of the newest events, which a
// new subscriber receives. event_limit.h limits how many of a kind are reported. Control thread only.
#pragma once

#include "common/base/moment.h"
#include "common/messages/event.h"
#include "server/control/event_limit.h"
#include "server/control/subscribers.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace lw {

class EventLog {
public:
  // Both must outlive this object.
  EventLog(const Wall& wall, const Subscribers& subscribers) : wall_(wall), subscribers_(subscribers) {}

  // `node`: the node that the event is about.
  void add(const PlayEvent& event, const Moment& now, const std::optional<std::string>& node = {});
  // Reports the events that the limit delayed. Call regularly.
  void flush(const Moment& now);
  [[nodiscard]] const std::deque<EventMessage>& newest() const { return newest_; }

private:
  void tell(const PlayEvent& event, const std::optional<std::string>& node);

  const Wall& wall_;
  const Subscribers& subscribers_;
  WallTime now_{};  // of the current call
  EventLimit limit_{[this](const PlayEvent& event, const std::optional<std::string>& node) { tell(event, node); }};
  std::deque<EventMessage> newest_;
  std::uint64_t count_ = 0;
};

}  // namespace lw
