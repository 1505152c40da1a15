// The operator's window: library, transport, wall, plots, flows, events. Shows what the server says is so; what a
// button asks for appears when the server has done it.
#pragma once

#include "wall-control/link/control_link.h"
#include "wall-control/models/flow_history.h"
#include "wall-control/models/library_model.h"
#include "wall-control/sessions/recorder.h"
#include "wall-control/sessions/session_player.h"

#include <QHash>
#include <QMainWindow>
#include <QSortFilterProxyModel>
#include <QTimer>

class QLabel;
class QLineEdit;
class QListView;
class QSlider;
class QDoubleSpinBox;
class QComboBox;
class QToolButton;

namespace lw {

class AlarmBar;
class EventLog;
class NetworkPanel;
class SessionBar;
class WallView;

class MainWindow : public QMainWindow {
  Q_OBJECT

public:
  explicit MainWindow(QWidget* parent = nullptr);

  ControlLink& link() { return link_; }
  SessionPlayer& player() { return player_; }
  Recorder& recorder() { return recorder_; }
  void connect_to(const QString& address);

private:
  QWidget* make_library();
  QWidget* make_center();
  QWidget* make_transport();
  QWidget* make_connection();
  void make_actions();
  QAction* add_action(const QString& text, const QList<QKeySequence>& keys, const QString& tip,
                      const std::function<void()>& run);

  void on_link_state(ControlLink::State state, const QString& text);
  void on_ready(const QJsonObject& info);
  void on_play_state(const QJsonObject& state);
  void on_stats(const QJsonObject& stats);
  void on_event(const QJsonObject& json);
  void show_wall_figures();
  void refresh_library();
  void fetch_posters();
  void load_selected();
  void step(int frames);
  void change_rate(double rate);
  void tell(const QString& words);
  void ask_and_export();
  void share_time();
  void play_sessions();
  void forget();
  void show_wall(const QJsonObject& info);
  void take_stats(const QJsonObject& stats);
  void show_stats();
  void offer_copies(QWidget* control, const std::function<void()>& run);
  void offer_copies(QToolButton* button);
  void show_keys();

  ControlLink link_;
  FlowHistory history_;
  Recorder recorder_{link_};
  SessionPlayer player_;
  LibraryModel library_;
  QSortFilterProxyModel found_;
  QTimer gap_timer_;  // notices when statistics stop coming

  QLineEdit* address_ = nullptr;
  QLabel* link_text_ = nullptr;
  QLineEdit* search_ = nullptr;
  QListView* library_view_ = nullptr;
  WallView* wall_ = nullptr;
  QLabel* wall_figures_ = nullptr;
  QLabel* now_playing_ = nullptr;
  QLabel* position_ = nullptr;
  QSlider* seek_ = nullptr;
  QDoubleSpinBox* rate_ = nullptr;
  QComboBox* pattern_ = nullptr;
  NetworkPanel* network_ = nullptr;
  SessionBar* sessions_ = nullptr;
  AlarmBar* alarms_ = nullptr;
  EventLog* events_ = nullptr;
  QList<QAction*> keyed_;
  QHash<const QAction*, std::function<void()>> runs_;
  QAction* play_ = nullptr;
  QAction* stop_ = nullptr;
  QAction* back_ = nullptr;
  QAction* forward_ = nullptr;
  QAction* loop_ = nullptr;
  QAction* identify_ = nullptr;
  QAction* mark_ = nullptr;
  QAction* pause_plots_ = nullptr;
  QAction* export_ = nullptr;
  QJsonObject state_;
  QJsonObject info_;             // of the wall that is shown
  bool applying_state_ = false;  // controls follow the server now: do not answer with a call
  bool had_gap_ = true;
};

}  // namespace lw
