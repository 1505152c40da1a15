// The bursts of flows over the chosen time as a table, with a row for each flow: of lost packets, or of packets that
// one call received. A proxy sorts it, the worst first. GUI thread.
#pragma once

#include "wall-control/models/bursts.h"

#include <QAbstractTableModel>

namespace lw {

enum class BurstsOf : unsigned char { losses, calls };

class BurstTableModel : public QAbstractTableModel {
  Q_OBJECT

public:
  // The figures of losses, and of calls in the same places.
  enum Column { flow, tile, node, bursts, lost, greatest, longest, mean_run, longest_run, column_count };
  enum CallColumn { least = bursts, median, p90, p99, most, samples };
  static constexpr int value_role = Qt::UserRole;
  // By which the worst is found.
  static constexpr int sort_column(BurstsOf what) { return what == BurstsOf::losses ? int{greatest} : int{p99}; }

  struct Row {
    int flow = 0;
    Part part;
    QString node;
    std::array<std::optional<double>, column_count> figures;  // from `bursts` on
  };

  using QAbstractTableModel::QAbstractTableModel;

  void set(BurstsOf what, std::vector<Row> rows);
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }

  // Of a flow, with all sizes added to `sizes`; none if it had no bursts.
  static std::optional<Row> losses_of(const FlowRow& flow, const FlowBursts& bursts, qint64 first, qint64 last,
                                      std::vector<double>& sizes);
  static std::optional<Row> calls_of(const FlowRow& flow, const FlowBursts& bursts, qint64 first, qint64 last,
                                     std::vector<double>& sizes);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
  }
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : column_count;
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  [[nodiscard]] QString words(const Row& row, int column) const;
  [[nodiscard]] QString definition(int column) const;

  BurstsOf what_ = BurstsOf::losses;
  std::vector<Row> rows_;
};

}  // namespace lw
