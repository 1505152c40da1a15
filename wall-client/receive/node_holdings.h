// The frames that all flows of a node hold ([sync] mode = "wall"), so that a wall of many flows exchanges a few packets
// for each frame and node, not for each flow: the last flow to hold a frame reports it for all, and one flow, the
// speaker, repeats that. The speaker is the first flow that has heard its server lately.
//
// Until the server says that it accepts reports for a node, each flow reports for itself: servers of earlier versions
// do not know them. What the speaker says is also true for itself.
//
// Any flow's thread. A flow takes its place before any thread runs.
#pragma once

#include "common/base/units.h"
#include "common/concurrency/snapshot.h"
#include "common/wall/wall_file.h"
#include "common/wire/tick_set.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lw {

class NodeHoldings {
public:
  // Flows that have not heard their server for longer do not report for others. A server reports every second.
  static constexpr std::chrono::milliseconds silent_after{2500};

  explicit NodeHoldings(LostNode lost_node) : waits_(lost_node == LostNode::hold) {}

  std::size_t take_place();

  // The flow of this place holds `tick` now; `held`: all that it holds. True if it may be the last one to.
  bool hold(std::size_t place, std::uint16_t tick, const TickSet& held);
  // It heard its server.
  void hear(std::size_t place, LocalTime when) {
    flows_[place]->heard.store(when.time_since_epoch().count(), std::memory_order_relaxed);
  }
  // Its server accepts reports for the node.
  void accept() { accepted_.store(true, std::memory_order_relaxed); }
  // Its stream was replaced, perhaps by one of another server.
  void restart(std::size_t place);

  // Who reports at `now`: this flow for the node, this flow for itself, or another one.
  enum class Speaker : std::uint8_t { for_node, for_itself, another };
  [[nodiscard]] Speaker speaker(std::size_t place, LocalTime now) const;
  // What all of them hold. Flows that have never heard their server do not count, nor do those that have not heard it
  // lately, unless the wall waits for lost nodes.
  struct Held {
    TickSet ticks;
    bool more = false;  // some hold newer frames, which others may hold soon
  };
  [[nodiscard]] Held held(LocalTime now);

private:
  static constexpr std::int64_t never = INT64_MIN;
  struct Flow {
    Snapshot<TickSet> held;
    std::atomic<std::int64_t> heard{never};  // local time in ns
  };
  [[nodiscard]] bool heard_lately(const Flow& flow, LocalTime now) const;
  [[nodiscard]] bool counts(const Flow& flow, LocalTime now) const;
  [[nodiscard]] std::optional<std::size_t> first_alive(LocalTime now) const;

  const bool waits_;
  std::vector<std::unique_ptr<Flow>> flows_;
  std::atomic<bool> accepted_{false};
  std::atomic<std::uint32_t> counting_{0};  // flows that counted when held() was last called
  // How many flows hold a tick, by tick modulo the span: only a hint, since held() costs a look at each flow. Tick in
  // the upper half.
  std::array<std::atomic<std::uint32_t>, TickSet::span> holders_{};
};

}  // namespace lw
