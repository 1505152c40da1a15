// Collects the figures of the wall ten times a second: those of the server's flows, those that nodes report, and those
// that need both (skew, delays between hosts). Keeps the frame records of all hosts. Reports when a flow begins to lose
// packets or loses one of its paths, and when a site falls silent. Control thread only.
#pragma once

#include "common/clock/system_clock.h"
#include "common/messages/stats.h"
#include "server/control/event_log.h"
#include "server/control/flight_watch.h"
#include "server/control/frame_history.h"
#include "server/control/loss_watch.h"
#include "server/control/node_registry.h"
#include "server/control/path_watch.h"
#include "server/control/server_histograms.h"
#include "server/control/site_watch.h"
#include "server/control/skew_watch.h"
#include "server/play/session.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lw {

class Telemetry {
public:
  // All of these must outlive this object.
  Telemetry(const Wall& wall, Session& session, const NodeRegistry& nodes, EventLog& events);

  // Collects the current figures; `others`: of the flows that other servers send. Without it, figures of senders stay
  // as they were. `others_sites`: what those see of the sites. Call ten times a second.
  void collect(const Moment& now, std::optional<std::vector<SenderFlowReport>> others = std::vector<SenderFlowReport>{},
               const OthersSites& others_sites = {});
  [[nodiscard]] const Stats* stats() const { return stats_.get(); }  // null: none yet
  // The same, for another thread: nobody changes them any more.
  [[nodiscard]] std::shared_ptr<const Stats> shared_stats() const { return stats_; }

  // Notes which nodes report: the skew is that of their tiles. Call ten times a second.
  void look_who_reports();
  // A node was restarted: its counters begin at zero.
  void restart(const std::string& node);
  // Takes a node's report: drops figures of flows and tiles that are not the node's, adds those only the server knows.
  void take(NodeReport report, const std::string& name, NodeState& node, const Moment& now);
  // Takes the records of a node.
  void take(std::span<const FrameRecord> records, const std::string& node);
  // Takes the new records of the reader and the senders.
  void take_records();
  [[nodiscard]] const FrameHistory& history() const { return history_; }
  // As they are now.
  [[nodiscard]] ServerHistograms histograms() const;

private:
  // What a node may report.
  struct NodeParts {
    std::vector<unsigned> flows;                        // ascending
    std::vector<std::pair<GridCell, TileIndex>> tiles;  // ascending
  };
  [[nodiscard]] static NodeParts parts_of(const Wall& wall, const WallNode& node);
  static void keep_its_own(NodeReport& report, const NodeParts& parts);

  std::vector<SenderFlowReport> sender_reports(LocalTime now);
  std::vector<SiteReport> site_reports(const OthersSites& others, const Moment& now);
  [[nodiscard]] std::vector<WallFlowReport> flights() const;
  [[nodiscard]] WallReport wall_report() const;
  void look_for_losses(const NodeReport& report, const std::string& node, const Moment& now);
  void look_for_skew(const NodeReport& report, const NodeParts& parts);
  [[nodiscard]] std::optional<double> clocks_apart_us() const;
  [[nodiscard]] const std::string& node_of_flow(unsigned flow) const;

  const Wall& wall_;
  Session& session_;
  const NodeRegistry& nodes_;
  EventLog& events_;
  std::map<std::string, NodeParts, std::less<>> parts_;
  std::vector<LossWatch> losses_;     // by flow
  std::vector<PathWatch> two_paths_;  // by flow
  std::vector<FlightWatch> flights_;  // by flow
  SkewWatch skew_;
  SiteWatch site_watch_;
  unsigned tiles_missing_ = 0;
  FrameHistory history_;
  SystemClock system_clock_;
  std::vector<SenderFlowStats> sender_before_;
  std::optional<LocalTime> sender_read_;  // for sender_before_
  std::optional<LocalTime> collected_;
  std::shared_ptr<const Stats> stats_;  // as of collected_
};

}  // namespace lw
