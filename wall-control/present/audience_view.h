// For an audience: the wall and four figures, full screen, on the second display if there is one. It shows no state
// colours and no warnings; incidents appear as repairs. Sizes follow the height of the screen, so that the
// smallest text can be read at 5 m. A clicker moves through the playlist.
#pragma once

#include "wall-control/link/control_link.h"
#include "wall-control/models/flow_history.h"
#include "wall-control/models/wall_status.h"
#include "wall-control/present/audience_figures.h"
#include "wall-control/present/entry_history.h"
#include "wall-control/present/repair.h"
#include "wall-control/wallview/tile_previews.h"

#include <QTimer>
#include <QWidget>

#include <functional>

class QScreen;

namespace lw {

// What the views of the window show; all must outlive the view.
struct AudienceModels {
  const FlowHistory& history;
  const WallStatus& status;
  TilePreviews& previews;
  // Of a visualization by its name.
  std::function<QString(const QString& name)> title_of;
  std::function<QString(const QString& name)> description_of;
};

// The display for the audience, if the operator's window is on `operators`: another one, if there is one.
QScreen* audience_screen(QScreen* operators);

class AudienceView : public QWidget {
  Q_OBJECT

public:
  AudienceView(ControlLink& link, AudienceModels models);

  // Full screen; `operators`: the display of the operator's window.
  void open(QScreen* operators);

  void set_wall(const WallInfo& wall);
  void set_state(const StateMessage& state);
  // The connection has ended: nothing is known to play.
  void forget();

signals:
  void closed();

protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void closeEvent(QCloseEvent* event) override;

private:
  void refresh();
  void want_previews();
  void go_back();
  void toggle_black();
  void show_hints();
  void hide_hints();
  [[nodiscard]] bool plays() const;
  [[nodiscard]] double unit() const;  // of 1080 lines
  [[nodiscard]] QFont font_of(double lines, bool strong) const;
  [[nodiscard]] QRectF frame() const;       // between the margins
  [[nodiscard]] QRectF wall_place() const;  // of the wall, to scale
  [[nodiscard]] QRect tile_place(const QRectF& wall, const TileRow& tile) const;
  void draw_idle(QPainter& painter) const;
  void draw_title(QPainter& painter) const;
  void draw_wall(QPainter& painter) const;
  void draw_figures(QPainter& painter) const;
  void draw_progress(QPainter& painter) const;
  void draw_hints(QPainter& painter) const;

  ControlLink& link_;
  AudienceModels models_;
  EntryHistory entries_;
  WallInfo wall_;
  StateMessage state_;
  Repair repair_;
  std::vector<AudienceFigure> figures_;
  QTimer refresh_;
  QTimer hints_;
};

}  // namespace lw
