// The tiles as a table: a row for each, with its node, its state and its figures. A proxy sorts it. Absent figures stay
// absent. GUI thread.
#pragma once

#include "wall-control/models/health.h"

#include <QAbstractTableModel>

namespace lw {

class WallTableModel : public QAbstractTableModel {
  Q_OBJECT

public:
  enum Column {
    tile,
    node,
    state,
    frame,
    shown,
    concealed,
    not_shown,
    late,
    loss,
    lateness,
    skew,
    delay,
    throughput,
    column_count
  };
  // For sorting and export: numbers without their units, which the headings name.
  static constexpr int value_role = Qt::UserRole;

  // All must outlive this.
  WallTableModel(const FlowHistory& history, const WallStatus& status, const Health& health, QObject* parent = nullptr)
      : QAbstractTableModel(parent), history_(history), status_(status), health_(health) {}

  // The history is of another wall.
  void set_wall();
  // After the history received new figures.
  void refresh();

  // Column and row.
  [[nodiscard]] std::pair<int, int> place_of(int row) const { return rows_[static_cast<std::size_t>(row)].place; }
  [[nodiscard]] const QString& node_of(int row) const { return rows_[static_cast<std::size_t>(row)].node; }
  // Comma-separated, as RFC 4180 has it: the headings, then the rows.
  [[nodiscard]] QString as_csv(const std::vector<int>& rows) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
  }
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : column_count;
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  // A copy: views may ask between a change of the history's wall and set_wall().
  struct Row {
    std::pair<int, int> place;
    QString node;
    TileHealth health;
    std::optional<int> frame;
    std::optional<qint64> shown, concealed, not_shown, late;
    std::optional<double> loss_percent, lateness_us, skew_us, delay_us, gbit_per_s;
  };
  [[nodiscard]] Row row_of(std::size_t tile) const;
  void take_flows();
  [[nodiscard]] QVariant value(int row, int column) const;
  [[nodiscard]] QString words(int row, int column) const;

  const FlowHistory& history_;
  const WallStatus& status_;
  const Health& health_;
  std::vector<Row> rows_;
};

}  // namespace lw
