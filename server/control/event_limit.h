// Limits how many events of one code are reported: the first of a burst at once, then one a second, with the number of
// events suppressed before it. Every reported event goes to the log, to all subscribers and into the list of the newest
// events, so a wall that loses packets in all flows must not report each loss ten times a second. The caller passes the
// time. Control thread only.
#pragma once

#include "common/base/log_limit.h"
#include "server/play/play_event.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace lw {

class EventLimit {
public:
  static constexpr unsigned burst = 16;  // events of one code; then one a second
  static constexpr std::size_t text_bytes_max = 600;

  using Tell = std::function<void(const PlayEvent&, const std::optional<std::string>& node)>;
  explicit EventLimit(Tell tell) : tell_(std::move(tell)) {}

  void add(PlayEvent event, const std::optional<std::string>& node, LocalTime now);
  // Reports the suppressed events whose second is over. Call regularly.
  void flush(LocalTime now);

private:
  struct Kind {
    LogLimit limit{std::chrono::seconds{1}, burst};
    std::optional<PlayEvent> newest;  // newest suppressed event
    std::optional<std::string> node;  // the node that this event is about
  };
  void tell(PlayEvent event, const std::optional<std::string>& node, std::uint64_t others, Kind& kind);

  Tell tell_;
  std::map<std::string, Kind, std::less<>> kinds_;  // by code; bounded by the number of codes in the programs
};

}  // namespace lw
