// The figures of a quantity over the chosen time as a table, the worst flow or tile first.
#pragma once

#include "wall-control/models/line_summary.h"

#include <QAbstractTableModel>

namespace lw {

class WorstModel : public QAbstractTableModel {
  Q_OBJECT

public:
  enum Column { line, least, median, p99, greatest, samples, column_count };
  static constexpr int value_role = Qt::UserRole;  // in the quantity's own unit

  using QAbstractTableModel::QAbstractTableModel;

  void set(Quantity quantity, std::vector<LineSummary> rows);
  [[nodiscard]] const LineSummary& at(int row) const { return rows_[static_cast<std::size_t>(row)]; }
  [[nodiscard]] Quantity quantity() const { return quantity_; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
  }
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : column_count;
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  [[nodiscard]] QVariant value(const LineSummary& row, int column) const;

  Quantity quantity_ = Quantity::throughput;
  std::vector<LineSummary> rows_;
};

}  // namespace lw
