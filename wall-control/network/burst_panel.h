// The bursts of the selected part of the wall over the chosen time: how large they were, and those of each flow. GUI
// thread.
#pragma once

#include "wall-control/network/burst_table_model.h"
#include "wall-control/network/network_models.h"
#include "wall-control/ui/slow_refresh.h"
#include "wall-control/ui/work_rest.h"

#include <QSortFilterProxyModel>
#include <QWidget>

class QStackedWidget;
class QTabBar;

namespace lw {

class EmptyState;
class FigureTable;
class Histogram;
class TextLabel;

class BurstPanel : public QWidget {
  Q_OBJECT

public:
  explicit BurstPanel(NetworkModels& models, QWidget* parent = nullptr);

  void refresh();
  [[nodiscard]] const BurstTableModel& table() const { return rows_; }
  [[nodiscard]] const QSortFilterProxyModel& sorted() const { return sorted_; }
  [[nodiscard]] const Histogram& histogram() const { return *histogram_; }
  [[nodiscard]] FigureTable& view() { return *view_; }

signals:
  void library_wanted();

protected:
  void showEvent(QShowEvent* event) override;

private:
  QWidget* make_head();
  QWidget* make_content();
  void make_table();
  struct Found {
    std::vector<BurstTableModel::Row> rows;
    std::vector<double> sizes;
    qint64 flows = 0;                         // of the part
    bool reported = false, measured = false;  // by any of them
  };
  [[nodiscard]] Found find(const TimeWindow::Range& range) const;
  void show_bursts();
  void show_nothing(const Found& found, const QString& before);
  void do_what_helps();
  [[nodiscard]] BurstsOf what() const;

  NetworkModels& models_;
  BurstTableModel rows_;
  QSortFilterProxyModel sorted_;
  QTabBar* what_ = nullptr;
  TextLabel *time_ = nullptr, *sentence_ = nullptr;
  QStackedWidget* pages_ = nullptr;
  EmptyState* empty_ = nullptr;
  Histogram* histogram_ = nullptr;
  FigureTable* view_ = nullptr;
  bool measured_ = false;
  SlowRefresh changes_{[this] { refresh(); }};
  WorkRest rest_{std::chrono::seconds(1)};
};

}  // namespace lw
