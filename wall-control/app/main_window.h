// The operator's window: library, transport, wall, plots, flows, events. It shows the state that the server reports;
// the effect of a button appears when the server has carried it out.
#pragma once

#include "wall-control/link/control_link.h"
#include "wall-control/messages/telemetry_switch.h"
#include "wall-control/models/flow_history.h"
#include "wall-control/models/health.h"
#include "wall-control/models/wall_status.h"
#include "wall-control/sessions/recorder.h"
#include "wall-control/sessions/session_player.h"
#include "wall-control/ui/commands.h"
#include "wall-control/ui/look.h"

#include <QMainWindow>
#include <QTimer>
#include <QWidgetList>

class QLabel;
class QComboBox;
class QTabWidget;

namespace lw {

class AlarmBar;
class ConnectionBar;
class EventLog;
class LibraryPanel;
class NetworkPanel;
class MachinePage;
class PlaylistPanel;
class SessionBar;
class SitesPage;
class TransportPanel;
class WallPage;

class MainWindow : public QMainWindow {
  Q_OBJECT

public:
  explicit MainWindow(QWidget* parent = nullptr);

  ControlLink& link() { return link_; }
  SessionPlayer& player() { return player_; }
  Recorder& recorder() { return recorder_; }
  // `token`: for this server; without one, the saved token is used.
  void connect_to(const QString& address, const QString& token = {});

private:
  QWidget* make_access();
  QWidget* make_left();
  QWidget* make_center();
  QList<QWidget*> make_wall_tools();
  void make_actions();
  void make_view_actions();
  void present(bool on);

  void on_link_state();
  void on_play_state(const StateMessage& state);
  void on_event(const EventMessage& message);
  void show_wall_figures();
  void tell(const QString& words);
  void ask_and_export();
  void share_time();
  void choose_source();
  void forget();
  void show_wall(const InfoReply& info);
  void take_stats(const Stats& stats);
  void show_stats();
  void show_keys();

  Look look_;
  ControlLink link_;
  SessionPlayer player_;
  TelemetrySwitch source_{link_};  // what the views show
  FlowHistory history_;
  WallStatus status_;
  Health health_{history_, status_};
  Commands commands_{link_, *this};
  Recorder recorder_{link_};
  QTimer gap_timer_;  // notices when statistics stop coming

  ConnectionBar* connection_ = nullptr;
  LibraryPanel* library_ = nullptr;
  PlaylistPanel* playlist_ = nullptr;
  WallPage* wall_ = nullptr;
  MachinePage* machines_ = nullptr;
  SitesPage* sites_ = nullptr;
  QTabWidget* pages_ = nullptr;
  QLabel* wall_figures_ = nullptr;
  TransportPanel* transport_ = nullptr;
  QComboBox* pattern_ = nullptr;
  NetworkPanel* network_ = nullptr;
  SessionBar* sessions_ = nullptr;
  AlarmBar* alarms_ = nullptr;
  EventLog* events_ = nullptr;
  QAction* identify_ = nullptr;
  QAction* mark_ = nullptr;
  QAction* pause_plots_ = nullptr;
  QAction* export_ = nullptr;
  QAction* present_ = nullptr;
  QAction* lock_ = nullptr;
  QAction* theme_ = nullptr;
  QAction* keys_ = nullptr;
  QWidgetList hidden_for_audience_;
  double frame_interval_us_ = 1e6;
  InfoReply info_;  // of the wall that is shown
  bool had_gap_ = true;
};

}  // namespace lw
