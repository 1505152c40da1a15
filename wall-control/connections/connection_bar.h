// The line at the top: which wall, how it is connected, in words, and whether anything may be changed from here. Keeps
// the walls that the operator knows.
#pragma once

#include "wall-control/connections/profiles.h"
#include "wall-control/link/control_link.h"

#include <QHash>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QToolButton;

namespace lw {

class ConnectionBar : public QWidget {
  Q_OBJECT

public:
  // `tools` stand at the right. `link` outlives this.
  ConnectionBar(ControlLink& link, const QList<QWidget*>& tools, QWidget* parent = nullptr);

  // HOST:PORT. A wall that is known is opened as it was kept.
  void connect_to(const QString& address);
  // For this server as long as the program runs, or kept with the wall.
  void remember_token(const QString& address, const QString& token, bool keep = false);
  // To the wall that is kept at this place, if there is one.
  void connect_to_kept(int place);
  void toggle_lock();
  // What is wrong with the clocks of a wall that is connected; nothing when all is well.
  void set_clock_problem(const QString& problem);
  // A recorded session is shown, of no server; empty: no longer.
  void show_session(const QString& path);
  [[nodiscard]] bool is_kept(const QString& address) const { return profiles_.of_address(address) != nullptr; }

signals:
  void told(const QString& words);

protected:
  void changeEvent(QEvent* event) override;

private:
  void fill_walls();
  [[nodiscard]] QString chosen_address() const;
  void go();
  void keep();
  void forget();
  void apply_guard(bool locked);
  void show_state();
  void show_role();

  ControlLink& link_;
  Profiles profiles_;
  QHash<QString, QString> tokens_;  // by address; of walls that are not kept with one
  QString clock_problem_;
  QString session_;
  QComboBox* wall_ = nullptr;
  QToolButton* keep_ = nullptr;
  QToolButton* forget_ = nullptr;
  QCheckBox* view_only_ = nullptr;
  QLabel* state_ = nullptr;
  QLabel* role_ = nullptr;
};

}  // namespace lw
