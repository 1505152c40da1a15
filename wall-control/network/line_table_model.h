// The figures of the chosen quantity over the chosen time as a table, with a row for each flow, tile or node: how it
// went, its median and p99, and how many lost packets were repaired. A proxy sorts it, the worst first. GUI thread.
#pragma once

#include "wall-control/models/line_summary.h"
#include "wall-control/plots/columns.h"
#include "wall-control/plots/plot_notes.h"
#include "wall-control/plots/time_plot.h"

#include <QAbstractTableModel>

namespace lw {

enum class LinesBy : unsigned char { flow, tile, node };

class LineTableModel : public QAbstractTableModel {
  Q_OBJECT

public:
  enum Column { line, tile, node, spark, median, p99, lost, kernel_drops, repaired, column_count };
  static constexpr int value_role = Qt::UserRole;  // in the quantity's own unit
  static constexpr int spark_columns = 60;

  struct Row {
    QString name, tile, node;
    Part part;
    std::vector<const TimeSeries*> series;
    std::vector<std::size_t> flows;  // whose packets are counted
    std::size_t samples = 0;
    double median = 0, p99 = 0, worst = 0;
    std::optional<double> lost, kernel_drops, repaired;  // packets per second; shares of the lost
  };

  explicit LineTableModel(const PlotSource& source, QObject* parent = nullptr)
      : QAbstractTableModel(parent), source_(source) {}

  void set_by(LinesBy by);
  [[nodiscard]] LinesBy by() const { return by_; }
  // Measures again.
  void refresh(Quantity quantity);
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  [[nodiscard]] Quantity quantity() const { return quantity_; }
  [[nodiscard]] const AxisUnit& unit() const { return unit_; }
  // The names of the worst, as many as have pens.
  [[nodiscard]] QStringList worst() const;
  // "12 of 60 flows lost packets, all on render-4"
  [[nodiscard]] QString sentence() const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
  }
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : column_count;
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  [[nodiscard]] std::vector<Row> make_rows() const;
  void measure(Row& row) const;
  [[nodiscard]] QVariant value(const Row& row, int column) const;
  [[nodiscard]] QString words(const Row& row, int column) const;
  [[nodiscard]] QVariant spark_of(const Row& row) const;
  void find_worst();

  PlotSource source_;
  LinesBy by_ = LinesBy::flow;
  Quantity quantity_ = Quantity::jitter;
  AxisUnit unit_;
  std::vector<Row> rows_;
  std::vector<std::size_t> worst_;
};

}  // namespace lw
