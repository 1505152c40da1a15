// The workspaces of the window: what fills its middle, and which docks are open where. Each keeps its own arrangement,
// between runs too, until it is reset.
#pragma once

#include <QByteArray>
#include <QList>
#include <QObject>
#include <QString>

#include <functional>

class QAction;
class QActionGroup;
class QMainWindow;
class QStackedWidget;
class QWidget;

namespace lw {

class Workspaces : public QObject {
  Q_OBJECT

public:
  // `middle` is the stack in the middle of `window`. Both must outlive this.
  Workspaces(QMainWindow& window, QStackedWidget& middle);

  // `arrange` puts the docks to their first places. `action` is checked while the workspace is in use.
  void add(const QString& name, QWidget& content, QAction& action, std::function<void()> arrange);
  void use(int place);
  [[nodiscard]] int used() const { return used_; }
  void reset();
  // While something else fills the window.
  void set_docks_hidden(bool hidden);
  [[nodiscard]] bool docks_hidden() const { return docks_hidden_; }
  // Restores and saves the window's size and the arrangements of all workspaces.
  void restore();
  void save();

signals:
  void changed();

private:
  struct Workspace {
    QString name;
    QWidget* content;
    QAction* action;
    std::function<void()> arrange;
    QByteArray state;
  };

  void show_used();

  QMainWindow& window_;
  QStackedWidget& middle_;
  QActionGroup* group_;
  QList<Workspace> workspaces_;
  int used_ = -1;
  bool docks_hidden_ = false;
};

}  // namespace lw
