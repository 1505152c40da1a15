// Decides from the subscriptions which figures nodes send, and how often. On walls with many flows, nodes report five
// times a second unless somebody listens, all figures of each flow once a second, and frame records not at all, unless
// somebody requests them. On small walls everything is sent.
// Control thread only.
#pragma once

#include "common/messages/node_tables.h"
#include "server/control/node_registry.h"
#include "server/control/subscribers.h"
#include "server/control/telemetry_stream.h"

namespace lw {

class DetailWanted {
public:
  static constexpr unsigned flows_of_small_wall = 256;
  static constexpr unsigned every_of_large_wall = 10;             // tenths of a second
  static constexpr std::chrono::seconds records_after_trace{60};  // they are sent for this long

  DetailWanted(const Wall& wall, const NodeRegistry& nodes, const Subscribers& subscribers,
               const TelemetryStream& stream)
      : is_small_(wall.flow_count() <= flows_of_small_wall),
        nodes_(nodes),
        subscribers_(subscribers),
        stream_(stream) {}

  // Call ten times a second: informs the nodes of changes.
  void look(LocalTime now);
  // To a node that has just connected, or whose next report must be full.
  void tell(const NodeState& node, bool full = false) const;
  // Somebody requested frame records.
  void note_trace(LocalTime now) { records_until_ = now + records_after_trace; }
  // Tenths of a second from one report with all figures to the next.
  [[nodiscard]] unsigned every() const { return told_.every * told_.interval_ms / 100; }

private:
  [[nodiscard]] NodeTablesWanted wanted(LocalTime now) const;
  static void send(const NodeState& node, const NodeTablesWanted& wish);

  const bool is_small_;
  const NodeRegistry& nodes_;
  const Subscribers& subscribers_;
  const TelemetryStream& stream_;
  LocalTime records_until_{};
  NodeTablesWanted told_;
};

}  // namespace lw
