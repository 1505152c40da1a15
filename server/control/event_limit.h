// Limits how many events of one code are reported: the first of a burst at once, then one a second, which stands for
// those before it and gives their number. Every reported event goes to the log, to all subscribers and among the newest
// events, so a wall that loses packets in all its flows must not report each of them ten times a second. Time is passed
// in. Control thread only.
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
  static constexpr unsigned burst = 16;  // of a code; then one a second
  static constexpr std::size_t text_bytes_max = 600;

  using Tell = std::function<void(const PlayEvent&, const std::optional<std::string>& node)>;
  explicit EventLimit(Tell tell) : tell_(std::move(tell)) {}

  void add(PlayEvent event, const std::optional<std::string>& node, LocalTime now);
  // Reports the events whose second is over. Call regularly.
  void flush(LocalTime now);

private:
  struct Kind {
    LogLimit limit{std::chrono::seconds{1}, burst};
    std::optional<PlayEvent> newest;  // of those held back,
    std::optional<std::string> node;  // and which node it is about
  };
  void tell(PlayEvent event, const std::optional<std::string>& node, std::uint64_t others, Kind& kind);

  Tell tell_;
  std::map<std::string, Kind, std::less<>> kinds_;  // by code, of which there are as many as the programs know
};

}  // namespace lw
