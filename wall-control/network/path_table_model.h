// The flows of a part of the wall that lost most, with where on their way they did: one row each. GUI thread.
#pragma once

#include "wall-control/models/flow_paths.h"

#include <QAbstractTableModel>

namespace lw {

class PathTableModel : public QAbstractTableModel {
  Q_OBJECT

public:
  enum Column { flow, tile, node, sender, uplink, lost, dropped, downlink, receiver, repaired, column_count };
  static constexpr std::size_t rows_max = 64;  // of a large wall, only these are looked at

  using QAbstractTableModel::QAbstractTableModel;

  void set(std::vector<FlowPath> rows);
  [[nodiscard]] const std::vector<FlowPath>& rows() const { return rows_; }
  [[nodiscard]] int row_of(int flow) const;  // -1: not listed

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
  }
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : column_count;
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  [[nodiscard]] static QString words(const FlowPath& row, int column);

  std::vector<FlowPath> rows_;
};

}  // namespace lw
