// A quantity over the chosen time: its distribution, and its figures by flow or tile, the worst first. Enter on a row
// opens that tile or flow.
#pragma once

#include "wall-control/models/worst_model.h"
#include "wall-control/plots/time_plot.h"

#include <QWidget>

class QCheckBox;
class QTableView;

namespace lw {

class Distribution;

class WorstPanel : public QWidget {
  Q_OBJECT

public:
  explicit WorstPanel(const PlotSource& source, QWidget* parent = nullptr);

  void set_quantity(Quantity quantity) { choice_->choose(quantity); }
  // Shows the newest samples, if the panel is visible.
  void refresh();
  [[nodiscard]] const WorstModel& table() const { return worst_; }
  [[nodiscard]] Distribution& distribution() { return *distribution_; }

protected:
  void showEvent(QShowEvent* event) override;

private:
  void make_table();
  void enter(int row);

  PlotSource source_;
  WorstModel worst_;
  QuantityChoice* choice_;
  QCheckBox* together_ = nullptr;
  Distribution* distribution_ = nullptr;
  QTableView* rows_ = nullptr;
};

}  // namespace lw
