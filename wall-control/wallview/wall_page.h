// The wall, the panel of the selected tile beside it, and the menu of requests for a tile. Asks the server for
// previews only while the wall is visible.
#pragma once

#include "wall-control/models/tile_pictures.h"
#include "wall-control/models/wall_status.h"
#include "wall-control/wallview/tile_panel.h"
#include "wall-control/wallview/wall_view.h"

#include <QThreadPool>
#include <QTimer>
#include <QWidget>

class QMenu;

namespace lw {

class WallPage : public QWidget {
  Q_OBJECT

public:
  // All must outlive this.
  WallPage(ControlLink& link, const FlowHistory& history, const WallStatus& status, const OfferCopies& offer,
           QWidget* parent = nullptr);

  // The history is of another wall, or has new figures.
  void set_wall(const WallInfo& wall);
  void refresh();
  void set_connected(bool connected);

  [[nodiscard]] WallView* view() { return view_; }
  [[nodiscard]] TilePanel* panel() { return panel_; }
  // The menu of a tile: created each time, and deleted when it closes.
  QMenu* make_menu(int column, int row);

protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

private:
  void want_pictures(bool wanted);
  void take_picture(const QJsonObject& picture);
  void open_panel();
  void close_panel();

  ControlLink& link_;
  const WallStatus& status_;
  TilePictures pictures_;
  QTimer repaint_soon_;
  int decoding_ = 0;
  WallView* view_ = nullptr;
  TilePanel* panel_ = nullptr;
  QThreadPool decoder_;  // destroyed before everything that its threads use
};

}  // namespace lw
