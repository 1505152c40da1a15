// The line at the top: which wall, the state of the connection in words, and whether anything can be changed from here.
// Stores the walls that the operator saved.
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
  // `tools` are placed at the right. `link` must outlive this.
  ConnectionBar(ControlLink& link, const QList<QWidget*>& tools, QWidget* parent = nullptr);

  // HOST:PORT. A saved wall is opened with its saved settings.
  void connect_to(const QString& address);
  // For this server while the program runs, or saved with the wall.
  void remember_token(const QString& address, const QString& token, bool keep = false);
  // Connects to the saved wall at this position, if there is one.
  void connect_to_kept(int place);
  void toggle_lock();
  // A problem with the clocks of the connected wall; empty if there is none.
  void set_clock_problem(const QString& problem);
  // A recorded session is shown, without a server; empty: it is no longer shown.
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
  QHash<QString, QString> tokens_;  // by address; of walls saved without one
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
