// What nodes send, and how often, follows from who looks: on walls with many flows, all figures of each flow are sent
// once a second, and records of frames not at all, unless somebody wants them. Small walls send everything, always.
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
  static constexpr unsigned every_of_large_wall = 10;             // reports
  static constexpr std::chrono::seconds records_after_trace{60};  // they are sent for so long

  DetailWanted(const Wall& wall, const NodeRegistry& nodes, const Subscribers& subscribers,
               const TelemetryStream& stream)
      : is_small_(wall.flow_count() <= flows_of_small_wall),
        nodes_(nodes),
        subscribers_(subscribers),
        stream_(stream) {}

  // Call ten times a second: tells the nodes when it changes.
  void look(LocalTime now);
  // To a node that has just connected, or of whose next report all is needed.
  void tell(const NodeState& node, bool full = false) const;
  // Somebody asked for records of frames.
  void note_trace(LocalTime now) { records_until_ = now + records_after_trace; }
  // Reports apart from each other that have all figures.
  [[nodiscard]] unsigned every() const { return told_.every; }

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
