// The dock below the wall: charts, heat map, flows and distribution as tabs, and beside the tabs the part of the wall,
// the time span, live or held, pause and enlarge. A hidden tab costs nothing. GUI thread.
#pragma once

#include "wall-control/network/network_models.h"
#include "wall-control/plots/lane_chart.h"
#include "wall-control/ui/panel.h"

#include <QSortFilterProxyModel>

class QTabWidget;
class QToolButton;

namespace lw {

class DistributionPanel;
class FigureTable;

// The lanes of the dock and of the Network page.
std::vector<Lane> usual_lanes();

class ChartsPanel : public Panel {
  Q_OBJECT

public:
  explicit ChartsPanel(NetworkModels& models, QWidget* parent = nullptr);

  [[nodiscard]] LaneChart& charts() { return *charts_; }
  [[nodiscard]] HeatMap& heat_map() { return *heat_map_; }
  bool take_menu(QWidget* menu) override;
  // Saves what the tab shows. Returns what went wrong, or an empty text.
  QString save(const QString& path);

signals:
  // Enlarge: the same in the Network workspace.
  void page_wanted();

private:
  QWidget* make_controls();
  QWidget* make_flows();
  void refresh();
  void take_choice();

  NetworkModels& models_;
  QTabWidget* tabs_ = nullptr;
  LaneChart* charts_ = nullptr;
  HeatMap* heat_map_ = nullptr;
  FigureTable* flows_ = nullptr;
  DistributionPanel* distribution_ = nullptr;
  QSortFilterProxyModel sorted_flows_;
  int samples_ = 0;
};

}  // namespace lw
