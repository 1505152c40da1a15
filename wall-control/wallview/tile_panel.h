// Beside the wall: all figures of the selected tile, its node and its flows, each with its definition as
// a tool tip, and the requests for the tile.
#pragma once

#include "wall-control/models/tile_figures.h"
#include "wall-control/ui/slow_refresh.h"
#include "wall-control/wallview/tile_wishes.h"

#include <QWidget>

#include <functional>
#include <vector>

class QComboBox;
class QLabel;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace lw {

// Gives a control the menu that copies its request.
using OfferCopies = std::function<void(QWidget* control, const std::function<void()>& run)>;

class TilePanel : public QWidget {
  Q_OBJECT

public:
  // All must outlive this.
  TilePanel(ControlLink& link, const FlowHistory& history, const WallStatus& status, const OfferCopies& offer,
            QWidget* parent = nullptr);

  void show_tile(int column, int row);
  // `state` in words, as the wall shows it.
  void refresh(const QString& state);

  [[nodiscard]] QSize sizeHint() const override { return {270, 360}; }

signals:
  void closed();

protected:
  void keyPressEvent(QKeyEvent* event) override;

private:
  QWidget* make_wishes(const OfferCopies& offer);
  QToolButton* make_switch(const QString& text, const QString& tip, const OfferCopies& offer,
                           const std::function<void(bool on)>& ask);
  void show_figures();
  void show_group(int index, const QString& title, const std::vector<ShownFigure>& figures);
  void follow_overlay();

  ControlLink& link_;
  const FlowHistory& history_;
  const WallStatus& status_;
  std::pair<int, int> place_;
  QLabel* title_ = nullptr;
  QLabel* state_ = nullptr;
  QToolButton* identify_ = nullptr;
  QToolButton* mark_ = nullptr;
  QToolButton* blank_ = nullptr;
  QComboBox* pattern_ = nullptr;
  QTreeWidget* figures_ = nullptr;
  QString told_state_;
  SlowRefresh figures_shown_;  // for figures only: the switches follow every report
  bool rows_changed_ = false;
};

}  // namespace lw
