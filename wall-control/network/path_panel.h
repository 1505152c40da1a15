// The ways of flows: above, that of one flow with the evidence on each part of it and the likely cause of its losses;
// below, the flows of the selected part of the wall that lost most. GUI thread.
#pragma once

#include "wall-control/network/network_models.h"
#include "wall-control/network/path_table_model.h"
#include "wall-control/ui/slow_refresh.h"
#include "wall-control/ui/work_rest.h"

#include <QWidget>

class QStackedWidget;

namespace lw {

class EmptyState;
class FigureTable;
class PathChain;
class TextLabel;

class PathPanel : public QWidget {
  Q_OBJECT

public:
  explicit PathPanel(NetworkModels& models, QWidget* parent = nullptr);

  void refresh();
  [[nodiscard]] const PathTableModel& table() const { return rows_; }
  [[nodiscard]] const PathChain& chain() const { return *chain_; }
  [[nodiscard]] FigureTable& view() { return *view_; }

signals:
  void library_wanted();

protected:
  void showEvent(QShowEvent* event) override;

private:
  QWidget* make_content();
  [[nodiscard]] Part listed() const;
  void show_paths();
  void show_current();
  void say_cause(const FlowPath& path);

  NetworkModels& models_;
  PathTableModel rows_;
  QStackedWidget* pages_;
  EmptyState* empty_;
  TextLabel *title_ = nullptr, *cause_ = nullptr, *sentence_ = nullptr;
  PathChain* chain_ = nullptr;
  FigureTable* view_ = nullptr;
  std::optional<int> flow_;  // whose way is shown
  bool choosing_ = false;    // the panel itself moves the current row
  SlowRefresh changes_{[this] { refresh(); }};
  WorkRest rest_{std::chrono::seconds(1)};
};

}  // namespace lw
