// The details of the selected part of the wall: a tile, several, a node, a flow, or all of it. The likely cause of a
// fault, where the time goes, the flows, and the figures. It follows the selection, unless it is pinned.
#pragma once

#include "wall-control/health/figure_grid.h"
#include "wall-control/models/causes.h"
#include "wall-control/models/focus.h"
#include "wall-control/models/problems.h"
#include "wall-control/models/stage_times.h"
#include "wall-control/ui/panel.h"
#include "wall-control/ui/slow_refresh.h"

class QHBoxLayout;
class QPushButton;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace lw {

class CauseCard;
class FlowRows;
class StateMark;
class TextLabel;
class Waterfall;

class Inspector : public Panel {
  Q_OBJECT

public:
  // All must outlive this.
  struct Models {
    const FlowHistory& history;
    const WallStatus& status;
    const StageTimes& stages;
    const Health& health;
    const Causes& causes;
    Focus& focus;
  };
  explicit Inspector(const Models& models, QWidget* parent = nullptr);

  // After each `stats`; drawn at most 2.5 times a second, and only while it can be seen.
  void refresh() { shown_.ask(); }
  // What it shows: the selection, or the pinned part.
  [[nodiscard]] const Part& part() const { return part_; }
  [[nodiscard]] QAction* pin() const { return pin_; }
  // Everything shown, as text.
  [[nodiscard]] QString as_text() const;

signals:
  void identify_wanted(const lw::Part& part);
  void hosts_wanted(const QString& host);
  void move_wanted(const QString& host, const std::vector<int>& flows);
  void copied(const QString& text);

protected:
  void showEvent(QShowEvent* event) override;

private:
  QWidget* make_content();
  QWidget* make_head();
  QWidget* make_title(TextLabel*& title, TextLabel*& note);
  void follow();
  void show_part();
  void show_crumbs();
  void show_head(const std::vector<std::size_t>& tiles);
  void show_stages(const std::vector<std::size_t>& tiles);
  void show_flows();
  void show_figures(const std::vector<std::size_t>& tiles);
  [[nodiscard]] const TileRow* tile() const;  // none if several are selected
  [[nodiscard]] bool of_wall() const;
  [[nodiscard]] std::vector<const FlowRow*> flows() const;
  [[nodiscard]] State state_of(const std::vector<std::size_t>& tiles) const;
  [[nodiscard]] QString words_of(const std::vector<std::size_t>& tiles, State state) const;
  [[nodiscard]] QString detail_of(const std::vector<std::size_t>& tiles, State state) const;

  Models models_;
  Part part_;
  QAction* pin_;
  QAction* copy_;
  QStackedWidget* pages_ = nullptr;
  QToolButton* wall_crumb_ = nullptr;
  QToolButton* node_crumb_ = nullptr;
  QToolButton* tile_crumb_ = nullptr;
  QToolButton* flow_crumb_ = nullptr;
  QList<QWidget*> crumb_marks_;
  TextLabel* flow_count_ = nullptr;
  StateMark* mark_ = nullptr;
  TextLabel* words_ = nullptr;
  TextLabel* detail_ = nullptr;
  QPushButton* identify_ = nullptr;
  CauseCard* cause_ = nullptr;
  TextLabel* stages_title_ = nullptr;
  TextLabel* stages_note_ = nullptr;
  Waterfall* stages_ = nullptr;
  TextLabel* flows_title_ = nullptr;
  TextLabel* flows_note_ = nullptr;
  FlowRows* flows_ = nullptr;
  TextLabel* figures_title_ = nullptr;
  TextLabel* figures_note_ = nullptr;
  FigureGrid* figures_ = nullptr;
  SlowRefresh shown_{[this] {
    if (isVisible()) show_part();
  }};
};

}  // namespace lw
