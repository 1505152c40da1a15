// A wall with scripted figures and everything that judges them, joined as the window joins them: a node for each column
// of tiles, and four flows a tile.
#pragma once

#include "common/messages/stats.h"
#include "wall-control/alarms/alarms.h"
#include "wall-control/models/causes.h"
#include "wall-control/models/focus.h"
#include "wall-control/models/health.h"
#include "wall-control/models/problems.h"
#include "wall-control/models/stage_times.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/tile_names.h"

#include <QApplication>
#include <QDateTime>
#include <QFont>
#include <QTest>
#include <QWidget>

#include <fmt/format.h>

#include <vector>

namespace lw::test {

// As if the wall were described tile by tile: the first has this name.
inline void name_first_tile(const char* name) {
  WallInfo named;
  named.tiles.resize(1);
  named.tiles[0].name = name;
  name_tiles(named);
}

// As large as wanted, and on the screen.
inline bool is_shown(QWidget& panel, const QSize& size) {
  panel.resize(size);
  panel.show();
  return QTest::qWaitForWindowExposed(&panel);
}

struct FlowScript {
  int lost = 0, dropped = 0, repaired = 0;  // packets in each step
  double jitter_us = 29, late_us = 200, read_us = 9100, assemble_us = 39'800;
  bool receiving = true;
};

struct TileScript {
  int concealed = 0, not_shown = 0, late = 0;  // frames in each step
  double lateness_us = 1900, upload_us = 3100, skew_us = 80;
};

struct NodeScript {
  bool connected = true, reports = true;
  double age_s = 0.05, clock_error_us = 9, load = 0.31;
};

class RoomOfAnySize {
public:
  static constexpr int flows_per_tile = 4;

  FlowHistory history;
  WallStatus status;
  StageTimes stages{history};
  Health health{history, status};
  Problems problems{history, health};
  Causes causes{history, status, stages, health};
  Focus focus{history};
  Alarms alarms;

  std::vector<FlowScript> flows;
  std::vector<TileScript> tiles;
  std::vector<NodeScript> nodes;
  double skew_us = 420;
  bool playing = true;
  bool use_alarms = true;
  bool receiver_cpus = false;  // are reported

  RoomOfAnySize(unsigned columns, unsigned rows)
      : flows(std::size_t{columns} * rows * flows_per_tile), tiles(std::size_t{columns} * rows), nodes(columns) {
    wall_.name = fmt::format("SARA {}x{}", columns, rows);
    wall_.columns = columns;
    wall_.rows = rows;
    wall_.tile_width = 2560;
    wall_.tile_height = 1600;
    wall_.bezel_x = wall_.bezel_y = 90;
    wall_.flows_per_tile = flows_per_tile;
    wall_.frame_rate = "24";
    for (unsigned column = 0; column < columns; ++column) {
      NodeInfo node{"render-" + std::to_string(column + 1), "10.0.0." + std::to_string(column + 1), {}};
      for (unsigned row = 0; row < rows; ++row) node.tiles.push_back({column, row});
      wall_.nodes.push_back(std::move(node));
    }
    // Tiles are numbered by node.
    for (unsigned flow = 0; flow < flows.size(); ++flow) {
      const unsigned tile = flow / flows_per_tile;
      wall_.flows.push_back({flow, {tile / rows, tile % rows}, wall_.nodes[tile / rows].name, 0, 400, 0});
    }
    history.set_wall(wall_);
    status.set_wall(wall_);
    alarms.set_rules(lan_alarms());
    health.set_limits(alarms.limits());
    causes.set_frame_interval(1e6 / 24);
    counted_flows_.resize(flows.size());
    counted_tiles_.resize(tiles.size());
  }

  // A tenth of a second passes.
  void step() {
    StateMessage state;
    state.status = playing ? PlayStatus::playing : PlayStatus::stopped;
    status.set_state(state);
    const auto stats = next_stats();
    history.add(stats);
    status.add(stats);
    stages.add(stats);
    alarms.step(history);
    health.step(use_alarms ? alarms.raised_for_health() : std::vector<RaisedAlarm>{});
  }
  void steps(int count) {
    for (int i = 0; i < count; ++i) step();
  }
  [[nodiscard]] const WallInfo& wall() const { return wall_; }
  [[nodiscard]] std::size_t tile_at(int column, int row) const {
    return static_cast<std::size_t>(column) * wall_.rows + static_cast<std::size_t>(row);
  }
  [[nodiscard]] TileHealth tile_health(std::size_t tile) const { return health.of(history.tiles()[tile]); }
  [[nodiscard]] qint64 step_count() const { return step_; }

  // The incident that the tests explain: render-4 loses packets in its kernel, and tile 1,2 is late.
  void lose_packets_on_one_node() {
    for (int tile = 0; tile < static_cast<int>(wall_.rows); ++tile)
      for (int band = 0; band < flows_per_tile; ++band) {
        auto& flow = flows[tile_at(3, tile) * flows_per_tile + static_cast<std::size_t>(band)];
        flow.lost = 6 + 2 * tile + band;
        flow.dropped = flow.lost;
        flow.repaired = flow.lost - (tile == 1 && band == 1 ? 2 : 0);
        flow.jitter_us = 380 + 10 * band;
        flow.assemble_us = tile == 1 ? 71'700 : 44'000;
      }
    nodes[3].load = 0.98;
  }
  void be_late_on_one_tile() {
    auto& tile = tiles[tile_at(1, 2)];
    tile.lateness_us = 31'000;
    tile.upload_us = 19'000;
    tile.skew_us = 29'000;
    skew_us = 29'000;
  }

  // What the server says after another tenth of a second.
  Stats next_stats() {
    Stats stats;
    const qint64 time = 1'800'000'000'000 + 100 * ++step_;
    stats.time = QDateTime::fromMSecsSinceEpoch(time, Qt::UTC).toString(Qt::ISODateWithMs).toStdString();
    stats.interval_s = 0.1;
    if (playing) stats.wall.frame = static_cast<unsigned>(step_ * 2);
    stats.wall.figures["playout_delay_us"] = 80'000.0;
    stats.wall.figures["skew_us_p50"] = skew_us / 2;
    stats.wall.figures["skew_us_p99"] = skew_us;
    stats.wall.figures["skew_error_us"] = 18.0;
    for (std::size_t node = 0; node < wall_.nodes.size(); ++node) add_node(stats, node);
    return stats;
  }

private:
  struct CountedFlow {
    std::uint64_t packets = 1, lost = 0, dropped = 0, repaired = 0;
  };
  struct CountedTile {
    std::uint64_t due = 0, whole = 0, concealed = 0, not_shown = 0, late = 0;
  };

  void add_node(Stats& stats, std::size_t index) {
    const auto& script = nodes[index];
    NodeStats node;
    node.node = wall_.nodes[index].name;
    node.connected = script.connected;
    NodeReport report;
    report.clock = ClockReport{ClockState::kept, {}};
    report.clock->figures["error_us"] = script.clock_error_us;
    report.process = ProcessReport{script.load, {}};
    report.process->figures["cpus"] = std::uint64_t{16};
    for (std::size_t tile = index * wall_.rows; tile < (index + 1) * wall_.rows; ++tile) add_tile(stats, report, tile);
    if (!script.connected || !script.reports) return stats.nodes.push_back(node);
    node.age_s = script.age_s;
    node.report = std::move(report);
    stats.nodes.push_back(std::move(node));
  }
  void add_tile(Stats& stats, NodeReport& report, std::size_t index) {
    const auto& script = tiles[index];
    const GridCell place{static_cast<unsigned>(index) / wall_.rows, static_cast<unsigned>(index) % wall_.rows};
    for (std::size_t flow = index * flows_per_tile; flow < (index + 1) * flows_per_tile; ++flow)
      add_flow(stats, report, flow);
    auto& counted = counted_tiles_[index];
    const auto faults = static_cast<std::uint64_t>(script.concealed + script.not_shown);
    if (playing) {
      counted.due += 2 + faults;
      counted.whole += 2;
      counted.concealed += static_cast<std::uint64_t>(script.concealed);
      counted.not_shown += static_cast<std::uint64_t>(script.not_shown);
      counted.late += static_cast<std::uint64_t>(script.late);
    }
    TileReport tile;
    tile.tile = place;
    tile.fps = playing ? 24.0 : 0.0;
    tile.figures["frame"] = static_cast<std::uint64_t>(2 * step_);
    tile.figures["frames_due"] = counted.due;
    tile.figures["shown_whole"] = counted.whole;
    tile.figures["shown_repaired"] = std::uint64_t{0};
    tile.figures["shown_concealed"] = counted.concealed;
    tile.figures["not_shown"] = counted.not_shown;
    tile.figures["late"] = counted.late;
    tile.figures["lateness_us_p99"] = script.lateness_us;
    tile.figures["playout_frames"] = std::uint64_t{3};
    tile.figures["wait_us_p50"] = 29'000.0;
    tile.figures["wait_us_p99"] = 34'000.0;
    tile.figures["upload_us_p50"] = script.upload_us;
    tile.figures["upload_us_p99"] = script.upload_us * 1.1;
    tile.figures["swap_us_p50"] = 5300.0;
    tile.figures["swap_us_p99"] = 6000.0;
    report.tiles.push_back(std::move(tile));
    WallTileReport in_wall{place, {}};
    in_wall.figures["skew_us"] = script.skew_us;
    stats.wall.tiles.push_back(std::move(in_wall));
  }
  void add_flow(Stats& stats, NodeReport& report, std::size_t index) {
    const auto& script = flows[index];
    auto& counted = counted_flows_[index];
    const auto number = static_cast<unsigned>(index);
    if (playing) {
      counted.packets += script.receiving ? 820 : 0;
      counted.lost += static_cast<std::uint64_t>(script.lost);
      counted.dropped += static_cast<std::uint64_t>(script.dropped);
      counted.repaired += static_cast<std::uint64_t>(script.repaired);
    }
    ReceiverFlowReport flow;
    flow.flow = number;
    flow.receiving = playing && script.receiving;
    flow.gbit_per_s = playing && script.receiving ? 0.59 : 0;
    if (receiver_cpus) flow.cpu = static_cast<int>(number % 16);
    flow.figures["packets"] = counted.packets;
    flow.figures["lost"] = counted.lost;
    flow.figures["lost_settled"] = counted.lost;
    flow.figures["kernel_drops"] = counted.dropped;
    flow.figures["kernel_drops_settled"] = counted.dropped;
    flow.figures["repaired"] = counted.repaired;
    flow.figures["rebuilt"] = std::uint64_t{0};
    flow.figures["jitter_us"] = script.jitter_us + static_cast<double>((step_ + 7 * number) % 5);
    flow.figures["assemble_us_p50"] = script.assemble_us;
    flow.figures["assemble_us_p99"] = script.assemble_us * 1.3;
    report.flows.push_back(std::move(flow));
    SenderFlowReport sender;
    sender.flow = number;
    sender.cpu = static_cast<int>(number % 16);
    sender.figures["packets"] = counted.packets;
    sender.figures["late_us_max"] = script.late_us;
    sender.figures["read_us_p50"] = script.read_us;
    sender.figures["read_us_p99"] = script.read_us * 1.1;
    sender.figures["queue_us_p50"] = 90'900.0;
    sender.figures["queue_us_p99"] = 95'000.0;
    sender.figures["send_us_p50"] = 39'800.0;
    sender.figures["send_us_p99"] = 40'100.0;
    stats.sender.push_back(std::move(sender));
    WallFlowReport both;
    both.flow = number;
    both.figures["flight_us_p50"] = 60.0;
    both.figures["flight_us_p99"] = 90.0;
    stats.wall.flows.push_back(std::move(both));
  }

  WallInfo wall_;
  std::vector<CountedFlow> counted_flows_;
  std::vector<CountedTile> counted_tiles_;
  qint64 step_ = 0;
};

// The wall of the guide: five nodes with three tiles each.
class Room : public RoomOfAnySize {
public:
  static constexpr int columns = 5, rows = 3, tile_count = columns * rows, flow_count = tile_count * flows_per_tile;

  Room() : RoomOfAnySize(columns, rows) {}
  [[nodiscard]] static std::size_t tile_at(int column, int row) {
    return static_cast<std::size_t>(column * rows + row);
  }
};

// The program's look at its usual size of text.
inline void dress(Theme theme) {
  constexpr double points = 9.75;  // 13 pixels
  colors::use(theme);
  QApplication::setStyle("Fusion");
  QApplication::setPalette(colors::palette());
  QFont font;
  font.setFamilies({"Inter", "DejaVu Sans"});
  font.setPointSizeF(points);
  QApplication::setFont(font);
  qApp->setStyleSheet(colors::style_sheet() + QString("QWidget { font-size: %1pt; }").arg(points));
}

}  // namespace lw::test
