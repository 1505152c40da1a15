#include "wall-control/network/path_table_model.h"

#include "wall-control/models/figure_text.h"
#include "wall-control/ui/figure_table.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/tile_names.h"

#include <QBrush>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

const QString nothing = QString::fromUtf8("\u2013");

QString share_words(const std::optional<double>& share) {
  return share ? PathTableModel::tr("%1 %").arg(std::floor(100 * *share)) : nothing;
}

bool is_number(int column) {
  return column == PathTableModel::lost || column == PathTableModel::dropped || column == PathTableModel::repaired;
}

// The station that a column is about.
std::optional<Hop> hop_of(int column) {
  switch (column) {
    case PathTableModel::sender:
      return Hop::server;
    case PathTableModel::uplink:
      return Hop::uplink;
    case PathTableModel::downlink:
      return Hop::downlink;
    case PathTableModel::receiver:
      return Hop::core;
    case PathTableModel::dropped:
      return Hop::buffer;
    case PathTableModel::lost:
      return Hop::path;
    default:
      return std::nullopt;
  }
}

}  // namespace

void PathTableModel::set(std::vector<FlowPath> rows) {
  const bool same = std::ranges::equal(rows, rows_, {}, &FlowPath::part, &FlowPath::part);
  if (!same) beginResetModel();
  rows_ = std::move(rows);
  if (!same) return endResetModel();
  if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, column_count - 1));
}

int PathTableModel::row_of(int flow) const {
  const auto found = std::ranges::find(rows_, flow, &FlowPath::flow);
  return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

QString PathTableModel::words(const FlowPath& row, int column) {
  switch (column) {
    case flow:
      return QString::number(row.flow);
    case tile:
      return tile_name(row.part.column.value_or(0), row.part.row.value_or(0));
    case node:
      return row.node;
    case lost:
      return row.loss.lost ? figure_text::number(*row.loss.lost) : tr("not measured");
    case dropped:
      return row.loss.any() ? share_words(row.loss.dropped_share()) : nothing;
    case repaired:
      return share_words(row.loss.repaired_share());
    default:
      break;
  }
  const auto& name = row.at(*hop_of(column)).name;
  return name.isEmpty() ? nothing : name;
}

QVariant PathTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const auto& row = rows_[static_cast<std::size_t>(index.row())];
  const auto hop = hop_of(index.column());
  switch (role) {
    case Qt::DisplayRole:
      return words(row, index.column());
    case Qt::ToolTipRole: {
      if (!hop) return words(row, index.column());
      QStringList lines{tr("%1: %2").arg(FlowPaths::name_of(*hop), words(row, index.column()))};
      for (const auto& fact : row.at(*hop).evidence) lines << fact.text;
      return lines.join('\n');
    }
    case FigureTable::strong_role:
      return index.column() == lost && row.loss.any();
    case Qt::TextAlignmentRole:
      return int((is_number(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ForegroundRole: {
      const auto state = hop ? row.at(*hop).state : State::note;
      if (state == State::warn || state == State::crit) return QBrush(color_of(state));
      return index.column() == tile || index.column() == node ? QVariant(QBrush(colors::text2)) : QVariant();
    }
    default:
      return {};
  }
}

QVariant PathTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole)
    return int((is_number(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole) {
    if (section == lost) return tr("Packets lost per second, mean of the chosen time");
    if (section == dropped)
      return tr("Share of the lost packets that the node's kernel dropped at a full socket buffer");
    if (section == repaired) return tr("Share of the lost packets that a resend or FEC replaced in time");
    const auto hop = hop_of(section);
    return hop ? QVariant(FlowPaths::name_of(*hop)) : QVariant();
  }
  if (role != Qt::DisplayRole) return {};
  const std::array<QString, column_count> headings{tr("Flow"),      tr("Tile"),    tr("Node"),    tr("Sent by"),
                                                   tr("Leaves by"), tr("Lost/s"),  tr("Dropped"), tr("Enters by"),
                                                   tr("Taken by"),  tr("Repaired")};
  return headings[static_cast<std::size_t>(section)];
}

}  // namespace lw
