// The flows' figures as a table; sorted by the caller's proxy, worst first by default.
#pragma once

#include "wall-control/models/flow_history.h"

#include <QAbstractTableModel>

namespace lw {

class FlowTableModel : public QAbstractTableModel {
  Q_OBJECT

public:
  enum Column {
    flow,
    tile,
    node,
    rate,
    lost,
    kernel_drops,
    reordered,
    duplicates,
    late,
    jitter,
    delay,
    rtt,
    sender_cpu,
    receiver_cpu,
    column_count
  };
  static constexpr int sort_role = Qt::UserRole;

  explicit FlowTableModel(const FlowHistory& history, QObject* parent = nullptr)
      : QAbstractTableModel(parent), history_(history) {}

  // After the history received new figures (or another wall).
  void refresh();

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : rows_; }
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : column_count;
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  [[nodiscard]] QVariant value(const FlowRow& row, int column) const;
  const FlowHistory& history_;
  int rows_ = 0;
};

}  // namespace lw
