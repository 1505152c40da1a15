// The distribution of the chosen quantity over the chosen time: the selected part of the wall against the others and
// against the time before, with a table of the same figures in the same unit. GUI thread.
#pragma once

#include "wall-control/network/network_models.h"
#include "wall-control/plots/distribution.h"
#include "wall-control/ui/slow_refresh.h"
#include "wall-control/ui/work_rest.h"

#include <QAbstractTableModel>

namespace lw {

class FigureTable;

class CurveTableModel : public QAbstractTableModel {
  Q_OBJECT

public:
  enum Column { name, median, p90, p99, greatest, samples, column_count };
  static constexpr int value_role = Qt::UserRole;  // in the quantity's own unit

  using QAbstractTableModel::QAbstractTableModel;

  void set(const std::vector<Distribution::Curve>& curves, const AxisUnit& unit);
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
  }
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : column_count;
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  struct Row {
    QString name;
    std::array<double, column_count> values{};
  };
  AxisUnit unit_;
  std::vector<Row> rows_;
};

// What the panel shows; also for exports.
std::vector<Distribution::Curve> curves_of(NetworkModels& models);

class DistributionPanel : public QWidget {
  Q_OBJECT

public:
  explicit DistributionPanel(NetworkModels& models, QWidget* parent = nullptr);

  void refresh();
  [[nodiscard]] const Distribution& distribution() const { return *distribution_; }
  [[nodiscard]] const CurveTableModel& table() const { return curves_; }

protected:
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

private:
  void show_curves();
  void fit_table();

  NetworkModels& models_;
  CurveTableModel curves_;
  Distribution* distribution_ = nullptr;
  FigureTable* table_ = nullptr;
  SlowRefresh changes_{[this] { refresh(); }};
  WorkRest rest_{std::chrono::milliseconds(500)};
};

}  // namespace lw
