#include "wall-control/models/worst_model.h"

#include <array>

namespace lw {

void WorstModel::set(Quantity quantity, std::vector<LineSummary> rows) {
  if (quantity == quantity_ && rows.size() == rows_.size()) {
    rows_ = std::move(rows);
    if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, column_count - 1));
    return;
  }
  beginResetModel();
  quantity_ = quantity;
  rows_ = std::move(rows);
  endResetModel();
}

QVariant WorstModel::value(const LineSummary& row, int column) const {
  if (column == line) return row.line.name;
  if (column == samples) return static_cast<qulonglong>(row.samples);
  if (row.samples == 0) return {};
  switch (column) {
    case least:
      return row.least;
    case median:
      return row.median;
    case p99:
      return row.p99;
    case greatest:
      return row.greatest;
    default:
      return {};
  }
}

QVariant WorstModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  auto content = value(at(index.row()), index.column());
  switch (role) {
    case value_role:
      return content;
    case Qt::DisplayRole:
      if (!content.isValid()) return QString("-");
      return content.typeId() == QMetaType::Double ? QString::number(content.toDouble(), 'g', 4) : content;
    case Qt::TextAlignmentRole:
      return int((index.column() == line ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    default:
      return {};
  }
}

QVariant WorstModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  const std::array headings{tr("Worst"), tr("Least"), tr("Median"), tr("p99"), tr("Greatest"), tr("Samples")};
  return headings[static_cast<std::size_t>(section)];
}

}  // namespace lw
