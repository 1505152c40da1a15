// What the operator can do with keys and buttons: actions with their keys, and for every control a menu that copies its
// request to the server.
#pragma once

#include "wall-control/link/control_link.h"

#include "wall-control/ui/icons.h"

#include <QAction>
#include <QHash>
#include <QList>
#include <QObject>
#include <QUndoStack>

#include <functional>

class QToolButton;
class QWidget;

namespace lw {

// The menus of the window, in their order.
enum class Menu : unsigned char { none, file, edit, view, playback, wall, analysis, window, help };

class Commands : public QObject {
  Q_OBJECT

public:
  // The keys work anywhere in `window`. Both must outlive this.
  Commands(ControlLink& link, QWidget& window);

  QAction* add(const QString& text, const QList<QKeySequence>& keys, const QString& tip,
               const std::function<void()>& run, Icon meaning = Icon::none);
  // An action that Qt made.
  void adopt(QAction* action);
  // The menu of all actions added from now on, until the next call.
  void set_menu(Menu menu) { menu_ = menu; }
  [[nodiscard]] Menu menu_of(const QAction* action) const { return menus_.value(action, Menu::none); }
  // The actions that have keys, in the order in which they were added.
  [[nodiscard]] const QList<QAction*>& keyed() const { return keyed_; }
  [[nodiscard]] const QList<QAction*>& all() const { return all_; }
  // For an action of add(), with the menu.
  QToolButton* button(QAction* action);
  // Gives the control the menu; `run` sends the request that the control would send now.
  void offer_copies(QWidget* control, const std::function<void()>& run);
  // Edits of all panels that can be undone, in their order.
  [[nodiscard]] QUndoStack& undo_stack() { return undo_; }
  // `edit` says in its text what was done: "Removed from the playlist".
  void remember(QUndoCommand* edit);
  // The newest edit that still means something. Those of what is gone say so themselves (QUndoCommand::setObsolete).
  void undo();
  void redo();

signals:
  void copied(const QString& text);
  void remembered(const QString& words);

private:
  ControlLink& link_;
  QWidget& window_;
  QList<QAction*> all_, keyed_;
  Menu menu_ = Menu::none;
  QHash<const QAction*, Menu> menus_;
  QHash<const QAction*, std::function<void()>> runs_;
  QUndoStack undo_;
};

}  // namespace lw
