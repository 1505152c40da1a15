// Flows, tiles or nodes with their figures over the chosen time, the worst first. A row that is selected is selected
// everywhere; Enter goes to it, Backspace one level up. GUI thread.
#pragma once

#include "wall-control/network/line_table_model.h"
#include "wall-control/network/network_models.h"
#include "wall-control/ui/slow_refresh.h"
#include "wall-control/ui/work_rest.h"

#include <QSortFilterProxyModel>
#include <QWidget>

class QLabel;
class QTabBar;

namespace lw {

class FigureTable;

class LinePanel : public QWidget {
  Q_OBJECT

public:
  explicit LinePanel(NetworkModels& models, QWidget* parent = nullptr);

  void refresh();
  [[nodiscard]] const LineTableModel& table() const { return lines_; }
  [[nodiscard]] const QSortFilterProxyModel& sorted() const { return sorted_; }
  [[nodiscard]] FigureTable& view() { return *view_; }

protected:
  void showEvent(QShowEvent* event) override;

private:
  QWidget* make_head();
  void show_lines();
  void open(const QModelIndex& index);

  NetworkModels& models_;
  LineTableModel lines_;
  QSortFilterProxyModel sorted_;
  FigureTable* view_ = nullptr;
  QTabBar* by_ = nullptr;
  QLabel* time_ = nullptr;
  QLabel* sentence_ = nullptr;
  SlowRefresh changes_{[this] { refresh(); }};
  WorkRest rest_{std::chrono::seconds(1)};
};

}  // namespace lw
