// The network side of the window: plots, heat map and table of the flows, the time they show, and saving what is shown.
#pragma once

#include "wall-control/models/flow_history.h"
#include "wall-control/models/flow_table_model.h"

#include <QSortFilterProxyModel>
#include <QWidget>

class QComboBox;
class QListWidget;
class QTabWidget;

namespace lw {

class HeatMap;
class StripChart;

class NetworkPanel : public QWidget {
  Q_OBJECT

public:
  // `tools` stand above, beside the choice of time. `history` outlives this.
  NetworkPanel(const FlowHistory& history, const QList<QWidget*>& tools, QWidget* parent = nullptr);

  // The history is of another wall.
  void set_wall();
  void refresh_table() { flow_table_.refresh(); }
  void refresh_plots();
  // Figures (.csv, .json) or picture (.png) of what is shown. What went wrong, or nothing.
  QString save(const QString& path);

private:
  QWidget* make_plots();
  QWidget* make_table();
  [[nodiscard]] int seconds() const;

  const FlowHistory& history_;
  FlowTableModel flow_table_{history_};
  QSortFilterProxyModel sorted_flows_;
  QComboBox* time_shown_ = nullptr;
  QTabWidget* tabs_ = nullptr;
  QList<StripChart*> charts_;
  QListWidget* legend_ = nullptr;
  HeatMap* heat_map_ = nullptr;
};

}  // namespace lw
