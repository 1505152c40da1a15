// Finds an action of the program by its words, and runs it: every menu item, its key beside it.
#pragma once

#include <QLineEdit>
#include <QList>

class QAction;
class QCompleter;
class QStandardItemModel;

namespace lw {

class ActionSearch : public QLineEdit {
  Q_OBJECT

public:
  explicit ActionSearch(QWidget* parent = nullptr);

  void set_actions(const QList<QAction*>& actions);

protected:
  void focusInEvent(QFocusEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

private:
  void run(const QModelIndex& chosen);

  QList<QAction*> actions_;
  QStandardItemModel* found_;
  QCompleter* completer_;
};

}  // namespace lw
