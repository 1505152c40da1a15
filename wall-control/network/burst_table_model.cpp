#include "wall-control/network/burst_table_model.h"

#include "wall-control/models/line_summary.h"
#include "wall-control/plots/columns.h"
#include "wall-control/plots/time_ticks.h"
#include "wall-control/ui/figure_table.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/tile_names.h"

#include <QBrush>

#include <algorithm>

namespace lw {
namespace {

BurstTableModel::Row row_of(const FlowRow& flow) {
  return {flow.flow, {flow.column, flow.row, flow.flow}, flow.node, {}};
}

}  // namespace

std::optional<BurstTableModel::Row> BurstTableModel::losses_of(const FlowRow& flow, const FlowBursts& bursts,
                                                               qint64 first, qint64 last, std::vector<double>& sizes) {
  const auto losses = bursts.losses(first, last);
  if (losses.empty()) return std::nullopt;
  auto row = row_of(flow);
  double lost_packets = 0, runs = 0, largest = 0, seconds = 0;
  for (const auto& burst : losses) {
    const auto packets = static_cast<double>(burst.lost);
    lost_packets += packets;
    runs += static_cast<double>(burst.runs);
    largest = std::max(largest, packets);
    seconds = std::max(seconds, burst.seconds());
    sizes.push_back(packets);
  }
  row.figures[BurstTableModel::bursts] = static_cast<double>(losses.size());
  row.figures[lost] = lost_packets;
  row.figures[greatest] = largest;
  row.figures[longest] = seconds;
  if (runs > 0) row.figures[mean_run] = lost_packets / runs;
  if (const auto run = bursts.longest_run()) row.figures[longest_run] = static_cast<double>(*run);
  return row;
}

std::optional<BurstTableModel::Row> BurstTableModel::calls_of(const FlowRow& flow, const FlowBursts& bursts,
                                                              qint64 first, qint64 last, std::vector<double>& sizes) {
  auto values = bursts.per_call(first, last);
  if (values.empty()) return std::nullopt;
  sizes.insert(sizes.end(), values.begin(), values.end());
  sort_samples(values);
  auto row = row_of(flow);
  row.figures[least] = static_cast<double>(values.front());
  row.figures[median] = quantile(values, 0.5);
  row.figures[p90] = quantile(values, 0.9);
  row.figures[p99] = quantile(values, 0.99);
  row.figures[most] = static_cast<double>(values.back());
  row.figures[samples] = static_cast<double>(values.size());
  return row;
}

void BurstTableModel::set(BurstsOf what, std::vector<Row> rows) {
  const bool same = what == what_ && std::ranges::equal(rows, rows_, {}, &Row::flow, &Row::flow);
  if (!same) beginResetModel();
  what_ = what;
  rows_ = std::move(rows);
  if (!same) return endResetModel();
  if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, column_count - 1));
}

QString BurstTableModel::words(const Row& row, int column) const {
  switch (column) {
    case flow:
      return QString::number(row.flow);
    case tile:
      return tile_name(row.part.column.value_or(0), row.part.row.value_or(0));
    case node:
      return row.node;
    default:
      break;
  }
  const auto& figure = row.figures[static_cast<std::size_t>(column)];
  if (!figure) return QString::fromUtf8("\u2013");
  return what_ == BurstsOf::losses && column == longest ? span_words(*figure) : short_number(*figure);
}

QVariant BurstTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const auto& row = rows_[static_cast<std::size_t>(index.row())];
  const int column = index.column();
  switch (role) {
    case value_role: {
      if (column == flow) return row.flow;
      if (column < bursts) return words(row, column);
      const auto& figure = row.figures[static_cast<std::size_t>(column)];
      return figure ? QVariant(*figure) : QVariant();
    }
    case Qt::DisplayRole:
      return words(row, column);
    case Qt::ToolTipRole:
      return column == node ? QVariant(row.node) : QVariant();
    case FigureTable::strong_role:
      return column == sort_column(what_);
    case Qt::TextAlignmentRole:
      return int((column < bursts ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ForegroundRole:
      return column == tile || column == node ? QVariant(QBrush(colors::text2)) : QVariant();
    default:
      return {};
  }
}

QString BurstTableModel::definition(int column) const {
  if (what_ == BurstsOf::calls)
    return column < bursts ? QString() : tr("Packets that one system call received, mean of each tenth of a second");
  switch (column) {
    case bursts:
      return tr("Times without a pause of a tenth of a second in which packets were lost");
    case lost:
      return tr("Packets lost in these bursts");
    case greatest:
      return tr("Packets lost in the largest burst");
    case longest:
      return tr("How long the longest burst lasted, to a tenth of a second");
    case mean_run:
      return tr("Mean length of the uninterrupted runs of lost packets in these bursts (RFC 3611)");
    case longest_run:
      return tr("Longest uninterrupted run of lost packets since the node's program started");
    default:
      return {};
  }
}

QVariant BurstTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return int((section < bursts ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole) return definition(section);
  if (role != Qt::DisplayRole) return {};
  const std::array<QString, column_count> of_losses{tr("Flow"),    tr("Tile"),     tr("Node"),
                                                    tr("Bursts"),  tr("Lost"),     tr("Largest"),
                                                    tr("Longest"), tr("Mean run"), tr("Longest run")};
  const std::array<QString, column_count> of_calls{tr("Flow"), tr("Tile"), tr("Node"),     tr("Least"),  tr("Median"),
                                                   tr("p90"),  tr("p99"),  tr("Greatest"), tr("Samples")};
  return (what_ == BurstsOf::losses ? of_losses : of_calls)[static_cast<std::size_t>(section)];
}

}  // namespace lw
