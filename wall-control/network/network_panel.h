// The network side of the window: plots, heat map, distribution and table of the flows, the time and the part of the
// wall that they all show, and saving what is shown.
#pragma once

#include "wall-control/models/flow_table_model.h"
#include "wall-control/models/focus.h"
#include "wall-control/models/time_window.h"
#include "wall-control/plots/time_plot.h"

#include <QSortFilterProxyModel>
#include <QWidget>

class QComboBox;
class QLabel;
class QListWidget;
class QTabWidget;
class QTableView;

namespace lw {

class HeatMap;
class StripChart;
class WorstPanel;

class NetworkPanel : public QWidget {
  Q_OBJECT

public:
  // `tools` are placed above, beside the choice of time. `history` must outlive this.
  NetworkPanel(const FlowHistory& history, const QList<QWidget*>& tools, QWidget* parent = nullptr);

  // The history is of another wall.
  void set_wall();
  // Starts afresh: live, the entire wall.
  void forget();
  void refresh_table();
  // Adds the newest samples. A long time span changes little in a tenth of a second and costs more, so it is drawn less
  // often.
  void refresh_plots();
  [[nodiscard]] TimeWindow& window() { return window_; }
  [[nodiscard]] PlotSource source() { return {history_, window_, focus_}; }
  [[nodiscard]] Focus& focus() { return focus_; }
  // The marked range, in ms since 1970.
  [[nodiscard]] std::optional<std::pair<qint64, qint64>> marked_times() const;
  void point_to(qint64 time_ms);
  // Saves figures (.csv, .json) or the plot (.png, .svg). Returns what went wrong, or an empty text.
  QString save(const QString& path);

protected:
  void changeEvent(QEvent* event) override;

private:
  QWidget* make_plots();
  QWidget* make_table();
  QWidget* make_choices(const QList<QWidget*>& tools);
  void color_legend();
  void list_parts();
  void show_time();
  void show_part();

  const FlowHistory& history_;
  TimeWindow window_{history_.times()};
  Focus focus_{history_};
  FlowTableModel flow_table_{history_};
  QSortFilterProxyModel sorted_flows_;
  QComboBox* time_shown_ = nullptr;
  QComboBox* part_shown_ = nullptr;
  QLabel* time_text_ = nullptr;
  QTabWidget* tabs_ = nullptr;
  QList<StripChart*> charts_;
  QListWidget* legend_ = nullptr;
  HeatMap* heat_map_ = nullptr;
  WorstPanel* worst_ = nullptr;
  QTableView* table_ = nullptr;
  int left_out_ = 0;
  int table_left_out_ = 0;
};

}  // namespace lw
