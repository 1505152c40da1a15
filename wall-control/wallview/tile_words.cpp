#include "wall-control/wallview/tile_words.h"

#include "wall-control/models/tile_figures.h"
#include "wall-control/ui/tile_names.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <cmath>

namespace lw {
namespace {

struct TileWords {
  Q_DECLARE_TR_FUNCTIONS(TileWords)
};

constexpr double silent_after_s = 1;  // of a node, as the server sees it

QString milliseconds(double us) {
  const double ms = us / 1000;
  return TileWords::tr("%1 ms").arg(QLocale().toString(ms, 'f', std::abs(ms) < 1 ? 2 : std::abs(ms) < 10 ? 1 : 0));
}

void add_group(QStringList& lines, const QString& title, const std::vector<ShownFigure>& figures) {
  lines << title;
  for (const auto& figure : figures)
    lines << figure.name + '\t' + (figure.value.isEmpty() ? TileWords::tr("not measured") : figure.value);
}

}  // namespace

QString words_of_tile(const WallStatus& status, const TileHealth& health, const TileRow& tile) {
  QStringList parts;
  if (!health.badge.isEmpty()) parts << health.badge;
  const auto reason = reason_of_tile(status, tile);
  if (!reason.isEmpty()) parts << reason;
  if (tile.frame) parts << TileWords::tr("frame %1").arg(*tile.frame);
  if (const auto skew = status.skew_us(tile.column, tile.row))
    parts << TileWords::tr("skew %1").arg(milliseconds(*skew));
  if (tile.lateness_us_p99) parts << TileWords::tr("lateness %1").arg(milliseconds(*tile.lateness_us_p99));
  if (parts.isEmpty()) parts << TileWords::tr("nothing measured yet");
  return with_tile(TileWords::tr("Tile %1,%2 on %3: %4"), tile.column, tile.row).arg(tile.node, parts.join(", "));
}

QString line_of_tile(const TileRow& tile) {
  QStringList parts{with_tile(TileWords::tr("Tile %1,%2"), tile.column, tile.row)};
  if (tile.frame) parts << TileWords::tr("frame %1").arg(*tile.frame);
  if (tile.lateness_us_p99) parts << TileWords::tr("%1 late").arg(milliseconds(*tile.lateness_us_p99));
  return parts.join(QString::fromUtf8(" \u00b7 "));
}

QString word_of(State state) {
  switch (state) {
    case State::ok:
      return TileWords::tr("In step");
    case State::warn:
      return TileWords::tr("Degraded, picture intact");
    case State::crit:
      return TileWords::tr("Picture faults");
    case State::off:
      return TileWords::tr("No picture");
    case State::note:
      break;
  }
  return TileWords::tr("Note");
}

QString reason_of_tile(const WallStatus& status, const TileRow& tile) {
  const auto* node = status.node(tile.node);
  if (node == nullptr || !node->connected)
    return TileWords::tr("%1 is not connected; is wall-client running there?").arg(tile.node);
  if (node->age_s.value_or(0) > silent_after_s)
    return TileWords::tr("%1 has not reported for %2 s").arg(tile.node).arg(*node->age_s, 0, 'f', 0);
  const auto pattern = status.overlay(tile.column, tile.row).pattern;
  if (pattern != "none") return TileWords::tr("test pattern %1 instead of the stream").arg(pattern_text(pattern));
  if (node->clock_state == "waiting") return TileWords::tr("%1 waits for the server's clock").arg(tile.node);
  if (tile.receiving) return {};
  if (status.stopped()) return TileWords::tr("nothing is playing");
  return tile.frame ? TileWords::tr("holds its last frame") : TileWords::tr("no packets arrive");
}

QString figures_as_text(const FlowHistory& history, const WallStatus& status, const TileRow& tile) {
  QStringList lines;
  add_group(lines, with_tile(TileWords::tr("Tile %1,%2"), tile.column, tile.row),
            figures_of_tile(history, status, tile));
  if (const auto* node = status.node(tile.node))
    add_group(lines, TileWords::tr("Node %1").arg(tile.node), figures_of_node(*node));
  for (const auto& flow : history.flows())
    if (flow.column == tile.column && flow.row == tile.row)
      add_group(lines, TileWords::tr("Flow %1").arg(flow.flow), figures_of_flow(flow));
  return lines.join('\n');
}

}  // namespace lw
