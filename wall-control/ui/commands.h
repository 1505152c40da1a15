// What the operator can do with keys and buttons: actions with their keys, and for every control a menu that copies its
// request to the server.
#pragma once

#include "wall-control/link/control_link.h"

#include "wall-control/ui/icons.h"

#include <QAction>
#include <QHash>
#include <QList>
#include <QObject>

#include <functional>

class QToolButton;
class QWidget;

namespace lw {

class Commands : public QObject {
  Q_OBJECT

public:
  // The keys work anywhere in `window`. Both must outlive this.
  Commands(ControlLink& link, QWidget& window);

  QAction* add(const QString& text, const QList<QKeySequence>& keys, const QString& tip,
               const std::function<void()>& run, Icon meaning = Icon::none);
  // The actions that have keys, in the order in which they were added.
  [[nodiscard]] const QList<QAction*>& keyed() const { return keyed_; }
  [[nodiscard]] const QList<QAction*>& all() const { return all_; }
  // For an action of add(), with the menu.
  QToolButton* button(QAction* action);
  // Gives the control the menu; `run` sends the request that the control would send now.
  void offer_copies(QWidget* control, const std::function<void()>& run);

signals:
  void copied(const QString& text);

private:
  ControlLink& link_;
  QWidget& window_;
  QList<QAction*> all_, keyed_;
  QHash<const QAction*, std::function<void()>> runs_;
};

}  // namespace lw
