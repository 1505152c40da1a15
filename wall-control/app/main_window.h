// The operator's window: menus, the state of the wall, the workspaces and their docks, and the status line. It joins
// the panels, which do not know each other, and shows the state that the server reports; the effect of a button appears
// when the server has carried it out.
#pragma once

#include "wall-control/alarms/alarm_control.h"
#include "wall-control/connections/discovery.h"
#include "wall-control/link/control_link.h"
#include "wall-control/messages/telemetry_switch.h"
#include "wall-control/models/causes.h"
#include "wall-control/models/flow_history.h"
#include "wall-control/models/health.h"
#include "wall-control/models/problems.h"
#include "wall-control/models/stage_times.h"
#include "wall-control/models/wall_status.h"
#include "wall-control/network/incident_log.h"
#include "wall-control/network/network_models.h"
#include "wall-control/present/audience_view.h"
#include "wall-control/sessions/recorder.h"
#include "wall-control/sessions/session_player.h"
#include "wall-control/start/demo_wall.h"
#include "wall-control/ui/commands.h"
#include "wall-control/ui/look.h"

#include <QMainWindow>
#include <QTimer>

#include <memory>

class QMenu;
class QStackedWidget;
class QTabWidget;
class QToolBar;
class QToolButton;

namespace lw {

class ChartsPanel;
class Connection;
class Dock;
class EventLog;
class HealthStrip;
class Inspector;
class LibraryPanel;
class MachinePage;
class MenuRow;
class NetworkPage;
class PlaylistPanel;
class ProblemsPanel;
class SessionBar;
class SitesPage;
class StartPage;
class StatusLine;
class Toast;
class TransportPanel;
class WallPage;
class Workspaces;

class MainWindow : public QMainWindow {
  Q_OBJECT

public:
  explicit MainWindow(QWidget* parent = nullptr);
  ~MainWindow() override;

  ControlLink& link() { return link_; }
  SessionPlayer& player() { return player_; }
  Recorder& recorder() { return recorder_; }
  NetworkModels& network() { return network_; }
  AlarmControl& alarms() { return alarms_; }
  // `token`: for this server; without one, the saved token is used.
  void connect_to(const QString& address, const QString& token = {});
  // By its place: Operate, Network, Hosts.
  void use_workspace(int place);
  // Closes without a question, also while the demo wall runs.
  void end();

protected:
  void closeEvent(QCloseEvent* event) override;
  void changeEvent(QEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

private:
  // main_window_actions.cpp
  void make_actions();
  void make_file_actions();
  void make_edit_actions();
  void make_view_actions();
  void make_wall_actions();
  void make_analysis_actions();
  void make_window_actions();
  void make_help_actions();
  void make_dock_actions();
  QMenu* make_language_menu();

  void make_panels();
  void make_rows();
  void make_middle();
  void make_docks();
  void make_audience();
  void arrange_operate();
  void join();
  void join_panels();
  void join_health();
  void use_limits();
  void share_time();

  void on_link_state();
  void on_play_state(const StateMessage& state);
  void on_event(const EventMessage& message);
  void on_machines();
  void show_page();
  void show_wall(const InfoReply& info);
  void show_wall_words();
  void show_clocks();
  void show_recording();
  void come_before_demo();
  void show_alarms();
  void take_stats(const Stats& stats);
  void take_gap();
  void show_stats();
  void choose_source();
  void forget();
  void tell(const QString& words);
  void say_copied(const QString& text);
  void ask_and_export();
  void show_cause(const Part& part);
  void show_host(const QString& host);

  Look look_;
  ControlLink link_;
  SessionPlayer player_;
  TelemetrySwitch source_{link_};  // what the views show
  FlowHistory history_;
  WallStatus status_;
  StageTimes stages_{history_};
  Health health_{history_, status_};
  Problems problems_{history_, health_};
  Causes causes_{history_, status_, stages_, health_};
  FlowPaths paths_{history_, status_, stages_};
  Bursts bursts_{history_};
  NetworkModels network_{history_, FlowEvidence{paths_, bursts_, causes_}};
  IncidentLog incidents_;
  AlarmControl alarms_{history_};
  Commands commands_{link_, *this};
  Recorder recorder_{link_};
  Discovery discovery_;
  DemoWall demo_;
  QTimer gap_timer_;     // notices when statistics stop coming
  QTimer record_timer_;  // shows how long it has been recording

  Toast* toast_ = nullptr;
  MenuRow* menu_row_ = nullptr;
  QToolBar* strip_bar_ = nullptr;
  StatusLine* status_line_ = nullptr;
  Workspaces* workspaces_ = nullptr;
  QStackedWidget* middle_ = nullptr;  // of the workspaces
  QStackedWidget* pages_ = nullptr;   // the start page, and the workspaces
  Dock *library_dock_ = nullptr, *playlist_dock_ = nullptr, *inspector_dock_ = nullptr, *problems_dock_ = nullptr,
       *charts_dock_ = nullptr, *events_dock_ = nullptr;

  Connection* connection_ = nullptr;
  HealthStrip* strip_ = nullptr;
  LibraryPanel* library_ = nullptr;
  PlaylistPanel* playlist_ = nullptr;
  WallPage* wall_ = nullptr;
  TransportPanel* transport_ = nullptr;
  Inspector* inspector_ = nullptr;
  ProblemsPanel* problems_panel_ = nullptr;
  ChartsPanel* charts_ = nullptr;
  NetworkPage* network_page_ = nullptr;
  MachinePage* machines_ = nullptr;
  SitesPage* sites_ = nullptr;
  QTabWidget* hosts_ = nullptr;
  SessionBar* sessions_ = nullptr;
  StartPage* start_ = nullptr;
  EventLog* events_ = nullptr;
  QToolButton* bell_ = nullptr;
  std::unique_ptr<AudienceView> audience_;
  QAction* identify_ = nullptr;
  QAction* mark_ = nullptr;
  QAction* pause_charts_ = nullptr;
  QAction* export_ = nullptr;
  QAction* record_ = nullptr;
  QAction* present_ = nullptr;
  QAction* lock_ = nullptr;
  QAction* keys_ = nullptr;
  QAction* guide_ = nullptr;
  QAction* view_only_ = nullptr;
  QAction* tablet_ = nullptr;
  QList<QAction*> workspace_actions_;
  double frame_interval_us_ = 1e6;
  InfoReply info_;  // of the wall that is shown
  bool had_gap_ = true;
  bool demo_begins_ = false;  // its windows are about to open
};

}  // namespace lw
