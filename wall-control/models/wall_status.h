// The state of nodes and tiles in addition to the figures of flows: whether the node is connected, how busy it is,
// whether it has the wall's clock; what is drawn over or instead of the stream; how far a tile lags behind the first.
// Fed by `info`, `stats` and `state`. Draws nothing.
#pragma once

#include "common/messages/info.h"
#include "common/messages/play_state.h"
#include "common/messages/stats.h"

#include <QString>

#include <optional>
#include <utility>
#include <vector>

namespace lw {

struct NodeRow {
  QString name, address;
  bool connected = false;
  std::optional<double> age_s;      // of its newest report
  std::optional<double> cpu_share;  // of the CPUs available to it, 0 to 1; mean of the last second
  int cpus = 0;
  QString clock_state;  // "system", "waiting", "kept", "holdover"; empty if not reported
  std::optional<double> clock_error_us;
  std::optional<double> clock_offset_us;  // the wall's clock less the node's system clock
  std::optional<double> phc_offset_us;
  QString renderer;                           // empty: headless, or not reported
  QString swap_group;                         // the result of joining it; empty if the wall file names none
  bool plays_sound = false;                   // has an output for it
  std::optional<double> sound_peak_db;        // of full scale; absent while nothing plays
  std::optional<double> sound_lost;           // packets of a millisecond
  std::optional<double> sound_difference_us;  // of what its device plays
  std::vector<double> share_history;
};

struct OverlayRow {
  QString pattern = "none";
  bool identify = false;
  bool mark = false;
};

class WallStatus {
public:
  void set_wall(const WallInfo& wall);
  void add(const Stats& stats);
  void add_gap();  // no report: the connection is lost
  void set_state(const StateMessage& state);

  [[nodiscard]] const NodeRow* node(const QString& name) const;
  [[nodiscard]] OverlayRow overlay(int column, int row) const;
  // For the newest frame that all tiles showed, with an error of at most skew_error_us().
  [[nodiscard]] std::optional<double> skew_us(int column, int row) const;
  [[nodiscard]] std::optional<double> skew_error_us() const { return skew_error_us_; }
  // Such frames were shown, but the bound of the difference between the nodes' clocks is unknown.
  [[nodiscard]] bool skew_is_unknown() const { return skew_unknown_; }
  // The time from presentation time until the frame reached the screen, if the window system reports it.
  [[nodiscard]] std::optional<double> scanout_us_p99(int column, int row) const;
  // Of the loudest node; none while none plays sound.
  [[nodiscard]] std::optional<double> sound_peak_db() const;
  [[nodiscard]] bool stopped() const { return stopped_; }

private:
  void take_report(NodeRow& node, const NodeReport& report);
  void forget_skew();

  using Place = std::pair<int, int>;
  std::vector<NodeRow> nodes_;
  std::vector<std::pair<Place, OverlayRow>> overlays_;  // of tiles that have one
  std::vector<std::pair<Place, double>> skews_us_;
  std::optional<double> skew_error_us_;
  bool skew_unknown_ = false;
  std::vector<std::pair<Place, double>> scanouts_us_;
  bool stopped_ = true;
};

}  // namespace lw
