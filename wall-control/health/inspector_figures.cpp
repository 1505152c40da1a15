#include "wall-control/health/inspector_figures.h"

#include "wall-control/models/figure_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

struct InspectorTexts {
  Q_DECLARE_TR_FUNCTIONS(Inspector)
};

QString in_ms(const std::optional<double>& us) { return us ? figure_text::milliseconds(*us).joined() : QString(); }
QString in_time(const std::optional<double>& us) { return us ? figure_text::time(*us).joined() : QString(); }

QString frames_text(qint64 frames) {
  return frames == 1 ? InspectorTexts::tr("1 frame")
                     : InspectorTexts::tr("%1 frames").arg(figure_text::number(static_cast<double>(frames)));
}

QString load_text(const NodeRow* node) {
  if (node == nullptr || !node->cpu_share) return {};
  return figure_text::share(std::round(*node->cpu_share * 100) / 100).joined();
}

std::optional<double> larger(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::optional(std::max(*a, *b)) : a ? a : b;
}

struct Sums {
  std::optional<double> gbit_per_s, lost_per_s, jitter_us, lateness_us, behind_us;
  qint64 concealed = 0, not_shown = 0, late = 0;
  int flows = 0;
};

void add_flow(Sums& sums, const FlowRow& flow) {
  ++sums.flows;
  if (flow.in_newest && flow.gbit_per_s) sums.gbit_per_s = sums.gbit_per_s.value_or(0) + *flow.gbit_per_s;
  if (const auto lost = flow.series.of(Quantity::loss).back(0)) sums.lost_per_s = sums.lost_per_s.value_or(0) + *lost;
  if (flow.receiving) sums.jitter_us = larger(sums.jitter_us, flow.jitter_us);
}

void add_tile(Sums& sums, const TileRow& tile, const WallStatus& status) {
  if (tile.in_newest) sums.lateness_us = larger(sums.lateness_us, tile.lateness_us_p99);
  sums.behind_us = larger(sums.behind_us, status.skew_us(tile.column, tile.row));
  sums.concealed += tile.shown_concealed;
  sums.not_shown += tile.not_shown;
  sums.late += tile.late;
}

}  // namespace

std::vector<FigureGrid::Pair> pairs_of_tile(const TileRow& tile, const WallStatus& status) {
  const auto* node = status.node(tile.node);
  const bool fresh = tile.in_newest;
  const auto since_start = InspectorTexts::tr("Since the node's wall-client started.");
  return {
      {InspectorTexts::tr("Frame rate"), fresh && tile.fps ? QString("%1 fps").arg(*tile.fps, 0, 'f', 1) : QString(),
       InspectorTexts::tr("Swaps with a new frame, mean of the last second.")},
      {InspectorTexts::tr("Frame"), fresh && tile.frame ? QString::number(*tile.frame) : QString(),
       InspectorTexts::tr("Number of the visualization's frame that the tile shows.")},
      {InspectorTexts::tr("Lateness, p99"), fresh ? in_ms(tile.lateness_us_p99) : QString(),
       definition_of(info(Quantity::lateness))},
      {InspectorTexts::tr("Skew"), in_ms(status.skew_us(tile.column, tile.row)),
       InspectorTexts::tr("Of the newest frame that all tiles showed: this tile's swap less the earliest of all.")},
      {InspectorTexts::tr("Concealed"), fresh ? frames_text(tile.shown_concealed) : QString(),
       InspectorTexts::tr("Frames shown with rows of the frame before where packets are missing.") + ' ' + since_start,
       fresh && tile.shown_concealed > 0},
      {InspectorTexts::tr("Not shown"), fresh ? frames_text(tile.not_shown) : QString(),
       InspectorTexts::tr("Frames due of which nothing arrived, or a newer one was due at the same swap.") + ' ' +
           since_start,
       fresh && tile.not_shown > 0},
      {InspectorTexts::tr("Late"), fresh ? frames_text(tile.late) : QString(),
       InspectorTexts::tr("Frames swapped more than one frame interval after their presentation time.") + ' ' +
           since_start,
       fresh && tile.late > 0},
      {InspectorTexts::tr("Recovered"), fresh ? frames_text(tile.shown_repaired) : QString(),
       InspectorTexts::tr("Complete frames with packets that were lost and recovered.") + ' ' + since_start},
      {InspectorTexts::tr("Node load"), load_text(node),
       InspectorTexts::tr(
           "CPU time of the node's wall-client by that of the CPUs that it may run on, mean of the last second.")},
      {InspectorTexts::tr("Clock error"), in_time(node == nullptr ? std::nullopt : node->clock_error_us),
       InspectorTexts::tr("The node's clock is off from the server's by no more.")},
  };
}

std::vector<FigureGrid::Pair> pairs_of_tiles(const FlowHistory& history, const WallStatus& status,
                                             const std::vector<std::size_t>& tiles, const Part& part) {
  Sums sums;
  for (const auto tile : tiles) add_tile(sums, history.tiles()[tile], status);
  for (const auto& flow : history.flows())
    if (part.has(flow)) add_flow(sums, flow);
  const auto since_start = InspectorTexts::tr("Sum over the tiles, since their nodes started.");
  std::vector<FigureGrid::Pair> pairs{
      {InspectorTexts::tr("Tiles"), QString::number(tiles.size()), {}},
      {InspectorTexts::tr("Flows"), QString::number(sums.flows), {}},
      {InspectorTexts::tr("Throughput"),
       sums.gbit_per_s ? figure_text::of(Quantity::throughput, *sums.gbit_per_s).joined() : QString(),
       InspectorTexts::tr("Sum of the flows.")},
      {InspectorTexts::tr("Packet loss"),
       sums.lost_per_s ? InspectorTexts::tr("%1/s").arg(figure_text::number(*sums.lost_per_s)) : QString(),
       InspectorTexts::tr("Sum of the flows.")},
      {InspectorTexts::tr("Jitter, worst"), in_time(sums.jitter_us), definition_of(info(Quantity::jitter))},
      {InspectorTexts::tr("Lateness, worst"), in_ms(sums.lateness_us), definition_of(info(Quantity::lateness))},
      {InspectorTexts::tr("Concealed"), frames_text(sums.concealed), since_start, sums.concealed > 0},
      {InspectorTexts::tr("Not shown"), frames_text(sums.not_shown), since_start, sums.not_shown > 0},
      {InspectorTexts::tr("Late"), frames_text(sums.late), since_start, sums.late > 0},
  };
  if (part != Part{})
    pairs.push_back(
        {InspectorTexts::tr("Furthest behind"), in_ms(sums.behind_us),
         InspectorTexts::tr("Of the newest frame that all tiles showed: the tile's swap less the earliest of all.")});
  if (part.column) return pairs;
  if (const auto* row = status.node(part.node); row != nullptr) {
    pairs.push_back({InspectorTexts::tr("Node load"), load_text(row),
                     InspectorTexts::tr(
                         "CPU time of the node's wall-client by that of the CPUs that it may run on, mean of the last "
                         "second.")});
    pairs.push_back({InspectorTexts::tr("Clock error"), in_time(row->clock_error_us),
                     InspectorTexts::tr("The node's clock is off from the server's by no more.")});
    return pairs;
  }
  const auto& wall = history.wall();
  pairs.push_back({InspectorTexts::tr("Skew, p99"), in_ms(wall.skew_us_p99), definition_of(info(Quantity::skew))});
  pairs.push_back(
      {InspectorTexts::tr("Clock error"), in_time(wall.skew_error_us), definition_of(info(Quantity::skew_error))});
  pairs.push_back({InspectorTexts::tr("Playout delay"), in_time(wall.playout_delay_us),
                   definition_of(info(Quantity::playout_delay))});
  return pairs;
}

}  // namespace lw
