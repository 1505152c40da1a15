// A panel in a dock of the window: its header has the title, the panel's note and tools, and a menu that moves the dock
// without the mouse.
#pragma once

#include "wall-control/ui/panel.h"

#include <QDockWidget>

class QLabel;
class QMenu;
class QMainWindow;
class QToolButton;

namespace lw {

class ToolRow;

class Dock : public QDockWidget {
  Q_OBJECT

public:
  // `name`: under which its place is stored.
  Dock(QMainWindow& window, const QString& name, const QString& title, QWidget* content);

  // Shows it, in front of the docks that share its place.
  void bring_up();
  // The same, unless the operator has hidden it.
  void offer();
  // As the operator does it: it is not offered again until it is shown.
  void dismiss();

signals:
  // By its menu or its action in the menu View.
  void dismissed();

private:
  QToolButton* make_menu_button();
  QWidget* make_header(QToolButton* more);
  void show_panel(const Panel& panel);
  void fill_menu(QToolButton& more);
  void offer_tools_without_room(QMenu& menu);
  void move_to(Qt::DockWidgetArea area);

  QMainWindow& window_;
  QLabel* note_ = nullptr;
  ToolRow* tools_ = nullptr;
  bool dismissed_ = false;
};

}  // namespace lw
