// The operator's window: library, transport, wall, plots, flows, events. Shows what the server says is so; what a
// button asks for appears when the server has done it.
#pragma once

#include "wall-control/app/commands.h"
#include "wall-control/link/control_link.h"
#include "wall-control/models/flow_history.h"

#include <QMainWindow>
#include <QTimer>

class QLabel;
class QLineEdit;
class QComboBox;
class QPlainTextEdit;

namespace lw {

class LibraryPanel;
class NetworkPanel;
class PlaylistPanel;
class TransportPanel;
class WallView;

class MainWindow : public QMainWindow {
  Q_OBJECT

public:
  explicit MainWindow(QWidget* parent = nullptr);

  ControlLink& link() { return link_; }
  void connect_to(const QString& address);

private:
  QWidget* make_left();
  QWidget* make_center();
  QList<QWidget*> make_wall_tools();
  QWidget* make_connection();
  void make_actions();

  void on_link_state(ControlLink::State state, const QString& text);
  void on_ready(const QJsonObject& info);
  void on_play_state(const QJsonObject& state);
  void on_stats(const QJsonObject& stats);
  void on_event(const QJsonObject& event);
  void show_wall_figures();
  void tell(const QString& words);
  void ask_and_export();
  void show_keys();

  ControlLink link_;
  FlowHistory history_;
  Commands commands_{link_, *this};
  QTimer gap_timer_;  // notices when statistics stop coming

  QLineEdit* address_ = nullptr;
  QLabel* link_text_ = nullptr;
  LibraryPanel* library_ = nullptr;
  PlaylistPanel* playlist_ = nullptr;
  WallView* wall_ = nullptr;
  QLabel* wall_figures_ = nullptr;
  TransportPanel* transport_ = nullptr;
  QComboBox* pattern_ = nullptr;
  NetworkPanel* network_ = nullptr;
  QPlainTextEdit* events_ = nullptr;
  QAction* identify_ = nullptr;
  QAction* mark_ = nullptr;
  QAction* pause_plots_ = nullptr;
  QAction* export_ = nullptr;
  bool had_gap_ = true;
};

}  // namespace lw
