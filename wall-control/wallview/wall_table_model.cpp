#include "wall-control/wallview/wall_table_model.h"

#include "wall-control/models/figure_text.h"
#include "wall-control/ui/csv.h"
#include "wall-control/ui/figure_table.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/tile_names.h"
#include "wall-control/wallview/tile_words.h"

#include <QBrush>
#include <QLocale>

#include <algorithm>
#include <array>

namespace lw {
namespace {

// Faults first, and what is healthy last.
int state_order(State state) {
  constexpr std::array order{State::crit, State::off, State::warn, State::note, State::ok};
  return static_cast<int>(std::ranges::find(order, state) - order.begin());
}

template <class Number>
QVariant absent_or(const std::optional<Number>& number) {
  return number ? QVariant(*number) : QVariant();
}

// The state and the figure that explains it.
QString state_words(const TileHealth& health) {
  const auto word = word_of(health.state);
  return health.badge.isEmpty() || health.badge == word ? word : QString("%1, %2").arg(word, health.badge);
}

}  // namespace

void WallTableModel::set_wall() {
  beginResetModel();
  rows_.assign(history_.tiles().size(), {});
  endResetModel();
  refresh();
}

void WallTableModel::refresh() {
  if (rows_.size() != history_.tiles().size()) return set_wall();
  if (rows_.empty()) return;
  for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i] = row_of(i);
  take_flows();
  emit dataChanged(index(0, 0), index(rowCount() - 1, column_count - 1));
}

WallTableModel::Row WallTableModel::row_of(std::size_t tile) const {
  const auto& shown_tile = history_.tiles()[tile];
  const auto& condition = health_.condition(tile);
  Row row;
  row.place = {shown_tile.column, shown_tile.row};
  row.node = shown_tile.node;
  row.health = health_.of(shown_tile);
  row.skew_us = status_.skew_us(shown_tile.column, shown_tile.row);
  if (condition.lost + condition.received > 0) row.loss_percent = 100 * condition.loss_share();
  if (!shown_tile.in_newest) return row;
  row.frame = shown_tile.frame;
  row.shown = shown_tile.shown_whole;
  row.concealed = shown_tile.shown_concealed;
  row.not_shown = shown_tile.not_shown;
  row.late = shown_tile.late;
  row.lateness_us = shown_tile.lateness_us_p99;
  return row;
}

void WallTableModel::take_flows() {
  for (const auto& flow : history_.flows()) {
    const auto tile = health_.tile_of_flow(flow.flow);
    if (!tile || *tile >= rows_.size() || !flow.in_newest) continue;
    auto& row = rows_[*tile];
    if (flow.gbit_per_s) row.gbit_per_s = row.gbit_per_s.value_or(0) + *flow.gbit_per_s;
    if (flow.delay_us_p99) row.delay_us = std::max(row.delay_us.value_or(0), *flow.delay_us_p99);
  }
}

QVariant WallTableModel::value(int row, int column) const {
  const auto& made = rows_[static_cast<std::size_t>(row)];
  const auto in_ms = [](const std::optional<double>& us) { return us ? QVariant(*us / 1000) : QVariant(); };
  switch (column) {
    case tile:
      return tile_name(made.place.first, made.place.second);
    case node:
      return made.node;
    case state:
      return state_words(made.health);
    case frame:
      return absent_or(made.frame);
    case shown:
      return absent_or(made.shown);
    case concealed:
      return absent_or(made.concealed);
    case not_shown:
      return absent_or(made.not_shown);
    case late:
      return absent_or(made.late);
    case loss:
      return absent_or(made.loss_percent);
    case lateness:
      return in_ms(made.lateness_us);
    case skew:
      return in_ms(made.skew_us);
    case delay:
      return in_ms(made.delay_us);
    case throughput:
      return absent_or(made.gbit_per_s);
    default:
      return {};
  }
}

QString WallTableModel::words(int row, int column) const {
  const auto figure = value(row, column);
  if (!figure.isValid()) return QString::fromUtf8("\u2013");
  if (column == frame) return QString::number(figure.toInt());
  return column < frame ? figure.toString() : figure_text::number(figure.toDouble());
}

QVariant WallTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const int column = index.column();
  const auto& made = rows_[static_cast<std::size_t>(index.row())];
  const bool bad = made.health.state == State::crit || made.health.state == State::warn;
  const bool is_fault = column == concealed || column == not_shown || column == late;
  switch (role) {
    case value_role:
      if (column == state) return state_order(made.health.state);
      // In the order of the wall.
      if (column == tile) return qint64{made.place.second} << 16 | made.place.first;
      return value(index.row(), column);
    case Qt::DisplayRole:
      return words(index.row(), column);
    case Qt::ToolTipRole:
      if (const auto* shown_tile = history_.tile(made.place.first, made.place.second); column == state && shown_tile)
        return words_of_tile(status_, made.health, *shown_tile);
      return {};
    case Qt::TextAlignmentRole:
      return int((column <= state ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case FigureTable::strong_role:
      return (column == state && bad) || (is_fault && value(index.row(), column).toLongLong() > 0);
    case Qt::ForegroundRole:
      if (column == state && made.health.state != State::ok) return QBrush(color_of(made.health.state));
      if (column == node) return QBrush(colors::text2);
      return {};
    default:
      return {};
  }
}

QVariant WallTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return int((section <= state ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  struct Heading {
    QString name, definition;
  };
  const auto since = tr("Since the node's wall-client started.");
  const std::array<Heading, column_count> headings{
      Heading{tr("Tile"), tr("Column and row, from the top left")},
      Heading{tr("Node"), tr("The render node that shows the tile")},
      Heading{tr("State"), tr("By what the audience saw in the last 10 s, and the figure that explains it")},
      Heading{tr("Frame"), tr("Number of the visualization's frame that the tile shows")},
      Heading{tr("Shown"), tr("Frames shown with every byte.") + ' ' + since},
      Heading{tr("Concealed"),
              tr("Frames shown with rows of the frame before where packets are missing.") + ' ' + since},
      Heading{tr("Not shown"),
              tr("Frames due of which nothing arrived, or a newer one was due at the same swap.") + ' ' + since},
      Heading{tr("Late"),
              tr("Frames swapped more than one frame interval after their presentation time.") + ' ' + since},
      Heading{tr("Loss, %"), tr("Share of the packets of its flows that were lost in the last 10 s")},
      Heading{tr("Lateness p99, ms"), definition_of(info(Quantity::lateness))},
      Heading{tr("Skew, ms"),
              tr("Of the newest frame that all tiles showed: this tile's swap less the earliest of all")},
      Heading{tr("Delay p99, ms"), tr("The slowest of its flows. %1").arg(definition_of(info(Quantity::delay)))},
      Heading{tr("Gbit/s"), tr("Sum of its flows")}};
  const auto& heading = headings[static_cast<std::size_t>(section)];
  if (role == Qt::DisplayRole) return heading.name;
  return role == Qt::ToolTipRole ? QVariant(heading.definition) : QVariant();
}

QString WallTableModel::as_csv(const std::vector<int>& rows) const {
  QVariantList cells;
  for (int column = 0; column < column_count; ++column) cells << headerData(column, Qt::Horizontal, Qt::DisplayRole);
  QString text = csv_row(cells);
  for (const int row : rows) {
    cells.clear();
    for (int column = 0; column < column_count; ++column) {
      const auto figure = value(row, column);
      const bool fraction = figure.metaType().id() == QMetaType::Double;
      cells << (fraction ? QLocale::c().toString(figure.toDouble(), 'g', 9) : figure);
    }
    text += csv_row(cells);
  }
  return text;
}

}  // namespace lw
