// The Network workspace: the heat map over its lanes and the last hour on the left, flows and distribution on the
// right, and above them what they show. A hidden page costs nothing. GUI thread.
#pragma once

#include "wall-control/network/network_models.h"
#include "wall-control/plots/lane_chart.h"

#include <QWidget>

class QComboBox;
class QPushButton;
class QTabWidget;

namespace lw {

class BurstPanel;
class DistributionPanel;
class LinePanel;
class Overview;
class PathPanel;

class NetworkPage : public QWidget {
  Q_OBJECT

public:
  explicit NetworkPage(NetworkModels& models, QWidget* parent = nullptr);

  [[nodiscard]] HeatMap& heat_map() { return *heat_map_; }
  [[nodiscard]] LaneChart& lanes() { return *lanes_; }
  [[nodiscard]] LinePanel& lines() { return *lines_; }
  [[nodiscard]] DistributionPanel& distribution() { return *distribution_; }
  [[nodiscard]] PathPanel& paths() { return *paths_; }
  [[nodiscard]] BurstPanel& bursts() { return *bursts_; }
  // Shows a quantity, as a health figure wants it.
  void show_quantity(Quantity quantity) { models_.set_quantity(quantity); }
  // Saves what the left side shows. Returns what went wrong, or an empty text.
  QString save(const QString& path);

signals:
  void export_wanted();
  void library_wanted();

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  QWidget* make_bar();
  QWidget* make_left();
  QWidget* make_right();
  void name_buttons();
  void take_choice();
  void refresh();

  NetworkModels& models_;
  QTabWidget* views_ = nullptr;
  HeatMap* heat_map_ = nullptr;
  LaneChart* below_map_ = nullptr;
  LaneChart* lanes_ = nullptr;
  Overview* overview_ = nullptr;
  LinePanel* lines_ = nullptr;
  DistributionPanel* distribution_ = nullptr;
  PathPanel* paths_ = nullptr;
  BurstPanel* bursts_ = nullptr;
  QComboBox* rows_ = nullptr;
  QPushButton* compare_ = nullptr;
  QPushButton* save_ = nullptr;
  QPushButton* hold_ = nullptr;
  int samples_ = 0;
};

}  // namespace lw
