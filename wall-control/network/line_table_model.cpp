#include "wall-control/network/line_table_model.h"

#include "wall-control/models/flow_loss.h"
#include "wall-control/plots/lane_chart.h"
#include "wall-control/plots/time_ticks.h"
#include "wall-control/ui/figure_table.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/tile_names.h"

#include <QBrush>
#include <QPen>

#include <algorithm>

namespace lw {

void LineTableModel::set_by(LinesBy by) {
  by_ = by;
  refresh(quantity_);
}

std::vector<LineTableModel::Row> LineTableModel::make_rows() const {
  std::vector<Row> rows;
  const auto& history = source_.history;
  const auto scope = info(quantity_).scope;
  for (const auto& line : history.lines(quantity_, source_.focus.part())) {
    const auto* tile = history.tile_of(scope, line.index);
    Row row;
    row.name = line.name;
    row.series.push_back(line.series);
    if (tile != nullptr) {
      row.part = {tile->column, tile->row, {}};
      row.tile = tile_name(tile->column, tile->row);
      row.node = tile->node;
      if (scope == Scope::flow && by_ == LinesBy::flow) {
        row.part.flow = line.index;
        row.name = QString::number(line.index);
      }
      if (by_ == LinesBy::tile) row.name = row.tile;
      if (by_ == LinesBy::node) {
        row.part = {{}, {}, {}, tile->node};
        row.name = tile->node;
        row.tile = QString();
      }
    }
    const auto known = std::ranges::find_if(rows, [&](const Row& other) { return other.part == row.part; });
    if (known != rows.end() && tile != nullptr)
      known->series.push_back(line.series);
    else
      rows.push_back(std::move(row));
  }
  for (auto& row : rows)
    for (std::size_t i = 0; i < history.flows().size(); ++i) {
      const auto& flow = history.flows()[i];
      const bool in_tile = !row.part.column || (flow.column == row.part.column && flow.row == row.part.row);
      const bool in_node = row.part.node.isEmpty() || flow.node == row.part.node;
      if (in_tile && in_node && (!row.part.flow || flow.flow == row.part.flow)) row.flows.push_back(i);
    }
  return rows;
}

void LineTableModel::measure(Row& row) const {
  const auto span = source_.window.span_of(source_.window.chosen());
  std::vector<float> samples;
  for (const auto* series : row.series) {
    const auto more = values_of(*series, span);
    samples.insert(samples.end(), more.begin(), more.end());
  }
  row.samples = samples.size();
  if (!samples.empty()) {
    row.median = quantile_of(samples, 0.5);
    row.p99 = quantile_of(samples, 0.99);
    row.worst = info(quantity_).low_is_bad ? -static_cast<double>(std::ranges::min(samples)) : row.p99;
  }
  FlowLoss loss;
  for (const auto i : row.flows) loss.add(source_.history.flows()[i].series, span);
  row.lost = loss.lost;
  row.kernel_drops = loss.dropped_share();
  row.repaired = loss.repaired_share();
}

void LineTableModel::refresh(Quantity quantity) {
  const bool other = quantity != std::exchange(quantity_, quantity);
  auto rows = make_rows();
  double greatest = 0;
  for (auto& row : rows) {
    measure(row);
    greatest = std::max(greatest, row.p99);
  }
  const auto unit = axis_unit(info(quantity_), greatest);
  const bool same = !other && rows.size() == rows_.size() && unit.name == unit_.name &&
                    std::ranges::equal(rows, rows_, {}, &Row::part, &Row::part);
  if (same) {
    rows_ = std::move(rows);
    find_worst();
    if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, column_count - 1));
    return;
  }
  beginResetModel();
  rows_ = std::move(rows);
  unit_ = unit;
  find_worst();
  endResetModel();
}

void LineTableModel::find_worst() {
  worst_.clear();
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (rows_[i].samples > 0) worst_.push_back(i);
  const auto count = std::min(worst_.size(), LaneChart::worst_max);
  std::ranges::partial_sort(worst_, worst_.begin() + static_cast<std::ptrdiff_t>(count), std::ranges::greater(),
                            [this](std::size_t i) { return rows_[i].worst; });
  worst_.resize(count);
}

QStringList LineTableModel::worst() const {
  QStringList names;
  for (const auto i : worst_) names << rows_[i].name;
  return names;
}

QString LineTableModel::sentence() const {
  int lossy = 0;
  QStringList nodes;
  for (const auto& row : rows_) {
    if (!row.lost || *row.lost <= 0) continue;
    ++lossy;
    if (!nodes.contains(row.node)) nodes << row.node;
  }
  if (rows_.empty()) return tr("Nothing measured yet");
  if (lossy == 0) return tr("No packets lost");
  const auto which = by_ == LinesBy::node   ? tr("%1 of %2 nodes lost packets")
                     : by_ == LinesBy::tile ? tr("%1 of %2 tiles lost packets")
                                            : tr("%1 of %2 flows lost packets");
  const auto words = which.arg(lossy).arg(rows_.size());
  return nodes.size() == 1 && by_ != LinesBy::node && !nodes[0].isEmpty() ? tr("%1, all on %2").arg(words, nodes[0])
                                                                          : words;
}

QVariant LineTableModel::value(const Row& row, int column) const {
  const auto optional = [](const std::optional<double>& figure) { return figure ? QVariant(*figure) : QVariant(); };
  switch (column) {
    case line: {
      bool number = false;
      const int flow = row.name.toInt(&number);
      return number ? QVariant(flow) : QVariant(row.name);
    }
    case tile:
      return row.tile;
    case node:
      return row.node;
    case median:
      return row.samples == 0 ? QVariant() : QVariant(row.median);
    case p99:
      return row.samples == 0 ? QVariant() : QVariant(row.p99);
    case lost:
      return optional(row.lost);
    case kernel_drops:
      return optional(row.kernel_drops);
    case repaired:
      return optional(row.repaired);
    default:
      return {};
  }
}

QString LineTableModel::words(const Row& row, int column) const {
  const auto figure = value(row, column);
  const QString none = QString::fromUtf8("\u2013");
  switch (column) {
    case line:
      return row.name;
    case tile:
    case node:
      return figure.toString().isEmpty() ? none : figure.toString();
    case median:
    case p99:
      return figure.isValid() ? short_number(figure.toDouble() / unit_.size) : tr("not measured");
    case lost: {
      if (!figure.isValid()) return tr("not measured");
      const bool exact = TimeSeries::kept_whole(source_.window.span_of(source_.window.chosen()));
      const auto number = short_number(figure.toDouble());
      return exact || figure.toDouble() <= 0 ? number : QString::fromUtf8("\u2264 ") + number;
    }
    case kernel_drops:
    case repaired:
      return figure.isValid() ? tr("%1 %").arg(short_number(std::floor(100 * figure.toDouble()))) : none;
    default:
      return {};
  }
}

QVariant LineTableModel::spark_of(const Row& row) const {
  const auto span = source_.window.span_of(source_.window.shown());
  std::vector<Cell> all(spark_columns);
  for (const auto* series : row.series) {
    const auto columns = columns_of(*series, span, std::min(spark_columns, lw::samples_of(span)));
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (columns[i].any) all[i].add(static_cast<float>(columns[i].min), static_cast<float>(columns[i].max));
  }
  QList<float> values;
  for (const auto& cell : all) values << (info(quantity_).low_is_bad ? cell.min : cell.max);
  return QVariant::fromValue(values);
}

QVariant LineTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const auto at = static_cast<std::size_t>(index.row());
  const auto& row = rows_[at];
  switch (role) {
    case value_role:
      return value(row, index.column());
    case Qt::DisplayRole:
      return words(row, index.column());
    case FigureTable::spark_role:
      return index.column() == spark ? spark_of(row) : QVariant();
    case FigureTable::pen_role:
      if (const auto rank = std::ranges::find(worst_, at); index.column() == line && rank != worst_.end())
        return LaneChart::pen_of_rank(static_cast<std::size_t>(rank - worst_.begin()));
      return index.column() == line ? QVariant(QPen(Qt::NoPen)) : QVariant();
    case FigureTable::strong_role:
      return index.column() == p99 || (index.column() == lost && row.lost > 0.0);
    case Qt::TextAlignmentRole:
      return int((index.column() <= spark ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ForegroundRole: {
      if (index.column() == lost && row.lost > 0.0) return QBrush(row.repaired >= 1.0 ? colors::warn : colors::crit);
      const auto limit = source_.notes == nullptr ? std::nullopt : source_.notes->limit(quantity_);
      if (index.column() == p99 && limit && row.samples > 0 && row.p99 > *limit) return QBrush(colors::warn);
      if (index.column() == node || index.column() == tile) return QBrush(colors::text2);
      return {};
    }
    default:
      return {};
  }
}

QVariant LineTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return int((section <= spark ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  const auto seconds = static_cast<double>(source_.window.shown().count()) / TimeSeries::samples_per_second;
  const auto quantity = name_of(info(quantity_));
  if (role == Qt::ToolTipRole) switch (section) {
      case spark:
        return tr("%1 over the time shown").arg(quantity);
      case median:
      case p99:
        return tr("%1 in %2, over the chosen time: half, or 99 %, of the samples are at or below")
            .arg(quantity, unit_.name);
      case lost:
        return tr("Packets lost per second, mean of the chosen time; beyond ten minutes, at most that");
      case kernel_drops:
        return tr("Share of the lost packets that the node's kernel dropped at a full receive buffer");
      case repaired:
        return tr("Share of the lost packets that a resend or FEC replaced in time");
      default:
        return {};
    }
  if (role != Qt::DisplayRole) return {};
  const bool flows = by_ == LinesBy::flow && info(quantity_).scope == Scope::flow;
  const std::array<QString, column_count> headings{flows                  ? tr("Flow")
                                                   : by_ == LinesBy::node ? tr("Node")
                                                                          : tr("Tile"),
                                                   tr("Tile"),
                                                   tr("Node"),
                                                   span_words(seconds),
                                                   tr("p50, %1").arg(unit_.name),
                                                   tr("p99, %1").arg(unit_.name),
                                                   tr("Lost/s"),
                                                   tr("Kernel drops"),
                                                   tr("Repaired")};
  return headings[static_cast<std::size_t>(section)];
}

}  // namespace lw
