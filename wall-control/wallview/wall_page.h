// The wall: the canvas or the table of its tiles, with their bar, the strip of problem tiles of large walls, and the
// menu of a tile. Asks the server for previews only while the wall is visible.
#pragma once

#include "wall-control/models/wall_status.h"
#include "wall-control/ui/commands.h"
#include "wall-control/wallview/canvas_bar.h"
#include "wall-control/wallview/problem_strip.h"
#include "wall-control/wallview/wall_table.h"
#include "wall-control/wallview/wall_view.h"

#include <QWidget>

class QMenu;
class QStackedWidget;

namespace lw {

class WallPage : public QWidget {
  Q_OBJECT

public:
  // Commands of the window that also have a button here.
  struct Actions {
    QAction *identify = nullptr, *mark = nullptr, *full_screen = nullptr;
  };
  // All must outlive this.
  WallPage(ControlLink& link, const FlowHistory& history, const WallStatus& status, const Health& health, Focus& focus,
           Commands& commands, const Actions& actions, QWidget* parent = nullptr);

  // The history is of another wall, or has new figures.
  void set_wall(const WallInfo& wall);
  void refresh();
  void set_connected(bool connected);
  // "Flight through the cosmic web"; "13 160 x 4980 pixels", "24 fps", the most important part first.
  void set_playing(const QString& title, const QStringList& detail) { bar_->title().set(title, detail); }

  [[nodiscard]] WallView* view() { return view_; }
  [[nodiscard]] WallTable* table() { return table_; }
  [[nodiscard]] bool shows_table() const;
  void show_table(bool wanted);
  // What takes the keys: the canvas or the rows of the table.
  [[nodiscard]] QWidget* for_keys();
  [[nodiscard]] TilePreviews& previews() { return previews_; }
  [[nodiscard]] ProblemStrip* strip() { return strip_; }
  [[nodiscard]] CanvasBar* bar() { return bar_; }
  // The menu of a tile, or of all that are selected if it is one of them: created each time, and deleted when it
  // closes.
  QMenu* make_menu(int column, int row);
  // What went wrong, or an empty text.
  QString save_image(const QString& path) const;
  QString save_tile_image(const QString& path, int column, int row) const;

signals:
  // Of the selected tile.
  void cause_wanted();
  void network_wanted();
  void hosts_wanted(const QString& node);
  void hovered(const QString& text);  // for the status line
  void told(const QString& text);     // something was done: saved, copied
  void failed(const QString& text);

protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

private:
  void make_table_action(Commands& commands);
  void group_by_node(bool wanted);
  CanvasBar* make_bar(Commands& commands, const Actions& actions);
  void follow_overlays();
  void want_previews(bool wanted);
  void ask_and_save(const QString& name, const std::function<QString(const QString& path)>& save);
  void copy(const QString& text);
  void say_copied(const QString& text);

  ControlLink& link_;
  const FlowHistory& history_;
  const WallStatus& status_;
  TilePreviews previews_;
  QAction* blank_ = nullptr;
  QAction* save_ = nullptr;
  QAction* as_table_ = nullptr;
  QList<QAction*> zooms_;  // of the canvas
  QStackedWidget* faces_ = nullptr;
  WallView* view_ = nullptr;
  WallTable* table_ = nullptr;
  CanvasBar* bar_ = nullptr;
  ProblemStrip* strip_ = nullptr;
};

}  // namespace lw
