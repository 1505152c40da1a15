// The figures of every flow, every tile and the wall: the newest, and their history for the plots. Fed by `stats`, ten
// times a second; memory is bounded. Draws nothing; recorded sessions feed the same code.
#pragma once

#include "common/messages/info.h"
#include "common/messages/stats.h"
#include "wall-control/models/sample_times.h"
#include "wall-control/models/time_series.h"

#include <QCoreApplication>
#include <QString>
#include <QStringList>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace lw {

struct FlowRow {
  int flow = 0;
  int column = 0, row = 0;
  QString node;
  bool reported = false;  // the node's report has arrived
  bool receiving = false;
  std::optional<double> gbit_per_s, jitter_us, rtt_us, delay_us_p99;
  qint64 packets = 0, lost = 0, kernel_drops = 0, reordered = 0, duplicates = 0, late = 0, invalid = 0, sent = 0;
  int sender_cpu = -1, receiver_cpu = -1;
  bool in_newest = false;  // of the stats
  QuantityValues others;   // of the newest figures, those not reported by its node
  SeriesSet series{Scope::flow};
};

struct TileRow {
  int column = 0, row = 0;
  QString node;
  bool connected = false;
  bool receiving = false;  // any of its flows does
  std::optional<int> frame;
  std::optional<double> fps;  // mean of the last second: a tenth of a second has 3 or 4 swaps
  std::optional<double> lateness_us_p99;
  qint64 frames_due = 0, shown_whole = 0, shown_repaired = 0, shown_concealed = 0, not_shown = 0, late = 0;
  qint64 troubles = 0;  // concealed, not shown or late in the last two seconds
  std::vector<qint64> trouble_history;
  std::vector<double> fps_history;
  bool in_newest = false;  // of the stats
  SeriesSet series{Scope::tile};
};

struct WallRow {
  std::optional<int> frame;  // as requested
  std::optional<double> skew_us_p50, skew_us_p99, skew_error_us, playout_delay_us;
  bool skew_unknown = false;  // frames were shown, but the bound of the clocks' difference is unknown
  SeriesSet series{Scope::wall};
};

// A line of a plot: a flow, a tile in the order of the wall, or the wall itself.
struct SeriesLine {
  int index = 0;
  QString name;  // "flow 3", "tile 1,0"
  const TimeSeries* series = nullptr;
};

// A part of the wall: all of it, a node, a tile, several tiles, or a flow with its tile.
struct Part {
  std::optional<int> column, row, flow;
  QString node = {};                             // of a tile or a flow: empty
  std::vector<std::pair<int, int>> others = {};  // tiles beside this one: column and row, sorted
  bool operator==(const Part&) const = default;

  // For the wall and for a node, every tile: `node` is left to the caller.
  [[nodiscard]] bool has_tile(int of_column, int of_row) const {
    return !column || (of_column == *column && of_row == *row) ||
           std::ranges::binary_search(others, std::pair{of_column, of_row});
  }
  // Whether it has this tile, or the tile of this flow: a TileRow or a FlowRow.
  [[nodiscard]] bool has(const auto& of) const {
    return has_tile(of.column, of.row) && (node.isEmpty() || of.node == node);
  }
};

class FlowHistory {
  Q_DECLARE_TR_FUNCTIONS(FlowHistory)

public:
  void set_wall(const WallInfo& wall);
  void add(const Stats& stats);
  void add_gap(int samples = 1);  // no report: the connection is lost
  void clear();                   // no wall, nothing measured
  // Another number: the lines are of another wall, and those of before are invalid.
  [[nodiscard]] int generation() const { return generation_; }

  [[nodiscard]] const std::vector<FlowRow>& flows() const { return flows_; }
  [[nodiscard]] const std::vector<TileRow>& tiles() const { return tiles_; }
  [[nodiscard]] const WallRow& wall() const { return wall_; }
  [[nodiscard]] const TileRow* tile(int column, int row) const;
  // The lines of a quantity that belong to the part.
  [[nodiscard]] std::vector<SeriesLine> lines(Quantity quantity, const Part& part = {}) const;
  [[nodiscard]] Part part_of_flow(int number) const;
  // The tile of a line; none for the wall.
  [[nodiscard]] const TileRow* tile_of(Scope scope, int index) const;
  // In the order in which the wall lists them.
  [[nodiscard]] QStringList nodes() const;
  [[nodiscard]] const SampleTimes& times() const { return times_; }

private:
  FlowRow* find_flow(int number);
  TileRow* find_tile(int column, int row);
  void add_missing();
  void take_wall(const WallReport& report, double interval);
  void take_sender(const SenderFlowReport& report);
  void take_report(const NodeReport& report, double interval);
  static void take_flow(FlowRow& row, const ReceiverFlowReport& report, double interval);
  static void take_tile(TileRow& row, const TileReport& report, double interval);
  std::vector<FlowRow> flows_;
  std::vector<TileRow> tiles_;
  WallRow wall_;
  SampleTimes times_;
  int generation_ = 0;
};

}  // namespace lw
