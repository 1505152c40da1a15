// The first row of the window: menus, workspaces, the search for actions, and what the operator may do.
#pragma once

#include "wall-control/ui/commands.h"

#include <QWidget>

class QHBoxLayout;
class QMenu;
class QMenuBar;
class QToolButton;

namespace lw {

class ActionSearch;

class MenuRow : public QWidget {
  Q_OBJECT

public:
  explicit MenuRow(QWidget* parent = nullptr);

  // All actions of the commands that belong to a menu, in the order in which they were added.
  void fill(const Commands& commands);
  void set_workspaces(const QList<QAction*>& workspaces);
  // At the right end.
  void add(QWidget* widget);
  [[nodiscard]] QMenu* menu(Menu menu) const { return menus_[static_cast<std::size_t>(menu)]; }
  [[nodiscard]] ActionSearch& search() { return *search_; }

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  void fit();

  QMenuBar* bar_;
  QHBoxLayout* workspaces_;
  QHBoxLayout* right_;
  ActionSearch* search_;
  QList<QToolButton*> buttons_;  // of the workspaces
  std::array<QMenu*, static_cast<std::size_t>(Menu::help) + 1> menus_{};
};

}  // namespace lw
