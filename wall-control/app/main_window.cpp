#include "wall-control/app/main_window.h"

#include "wall-control/app/dock.h"
#include "wall-control/app/menu_row.h"
#include "wall-control/app/status_line.h"
#include "wall-control/app/toast.h"
#include "wall-control/app/workspaces.h"
#include "wall-control/connections/connection.h"
#include "wall-control/connections/connection_label.h"
#include "wall-control/events/event_log.h"
#include "wall-control/health/health_strip.h"
#include "wall-control/health/inspector.h"
#include "wall-control/health/problems_panel.h"
#include "wall-control/library/library_panel.h"
#include "wall-control/machines/machine_page.h"
#include "wall-control/models/clock_watch.h"
#include "wall-control/models/rate_number.h"
#include "wall-control/network/charts_panel.h"
#include "wall-control/network/network_page.h"
#include "wall-control/playlist/playlist_panel.h"
#include "wall-control/report/report.h"
#include "wall-control/sessions/session_bar.h"
#include "wall-control/sites/sites_page.h"
#include "wall-control/start/start_page.h"
#include "wall-control/transport/transport_panel.h"
#include "wall-control/ui/counts.h"
#include "wall-control/ui/permit.h"
#include "wall-control/ui/plain_text.h"
#include "wall-control/ui/transition_choice.h"
#include "wall-control/ui/type.h"
#include "wall-control/wallview/tile_wishes.h"
#include "wall-control/wallview/wall_page.h"

#include <QBoxLayout>
#include <QCloseEvent>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QMenu>
#include <QMimeData>
#include <QScreen>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabWidget>
#include <QToolBar>
#include <QToolButton>

namespace lw {
namespace {

constexpr int gap_samples = 5;
constexpr QSize least_size(1024, 700);
// Of docks in their first arrangement, at the usual size of text.
constexpr int left_px = 320, playlist_px = 236, right_px = 360, bottom_px = 225, events_px = 430;
constexpr int left_least_px = 240, right_least_px = 340;
constexpr int workspace_operate = 0, workspace_network = 1, workspace_hosts = 2;

}  // namespace

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent) {
  show_text_as_it_stands(*QCoreApplication::instance());
  setWindowTitle(tr("Lambdawall control"));
  setDockNestingEnabled(true);
  for (const auto corner : {Qt::TopLeftCorner, Qt::BottomLeftCorner}) setCorner(corner, Qt::LeftDockWidgetArea);
  for (const auto corner : {Qt::TopRightCorner, Qt::BottomRightCorner}) setCorner(corner, Qt::RightDockWidgetArea);
  setMinimumSize(least_size);
  setAcceptDrops(true);
  middle_ = new QStackedWidget;
  workspaces_ = new Workspaces(*this, *middle_);
  connection_ = new Connection(link_, *this);
  make_actions();
  make_panels();
  make_rows();
  make_middle();
  make_docks();
  make_help_actions();
  auto* languages = make_language_menu();
  menu_row_->fill(commands_);
  menu_row_->menu(Menu::view)->addMenu(languages);
  make_audience();
  join();
  discovery_.start();
  workspaces_->restore();
  workspaces_->use(workspace_operate);
  on_link_state();
  if (const auto missing = missing_icons(); !missing.isEmpty()) status_line_->say(missing);
}

MainWindow::~MainWindow() = default;

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!start_->may_close()) return event->ignore();
  workspaces_->save();
  audience_->close();
  QMainWindow::closeEvent(event);
}

void MainWindow::changeEvent(QEvent* event) {
  QMainWindow::changeEvent(event);
  // Keys belong to the wall, not to a field in which nothing was typed.
  if (event->type() == QEvent::ActivationChange && isActiveWindow() && focusWidget() == nullptr) setFocus();
}

// Videos and folders are imported; a visualization of the library goes on the wall.
void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls() || event->mimeData()->hasFormat(visualizations_mime)) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  if (event->mimeData()->hasFormat(visualizations_mime)) {
    const auto names = QString::fromUtf8(event->mimeData()->data(visualizations_mime)).split('\n');
    return library_->load(names.front());
  }
  QStringList paths;
  for (const auto& url : event->mimeData()->urls())
    if (url.isLocalFile()) paths << url.toLocalFile();
  if (!paths.isEmpty()) library_->import_files(paths);
}

void MainWindow::connect_to(const QString& address, const QString& token) {
  if (!token.isEmpty()) connection_->remember_token(address, token);
  connection_->connect_to(address);
}

void MainWindow::use_workspace(int place) { workspaces_->use(place); }

void MainWindow::end() {
  demo_.stop();
  close();
  QCoreApplication::exit();
}

void MainWindow::make_panels() {
  commands_.set_menu(Menu::playback);
  transport_ = new TransportPanel(link_, commands_);
  commands_.set_menu(Menu::file);
  library_ = new LibraryPanel(link_, source_, commands_);
  commands_.set_menu(Menu::edit);
  playlist_ = new PlaylistPanel(link_, commands_, library_->model(), [this] { return library_->selected(); });
  commands_.set_menu(Menu::wall);
  wall_ = new WallPage(link_, history_, status_, health_, network_.focus(), commands_, {identify_, mark_, present_});
  commands_.set_menu(Menu::none);
  machines_ = new MachinePage(link_, history_,
                              [this](QWidget* control, const auto& run) { commands_.offer_copies(control, run); });
  sites_ = new SitesPage;
  events_ = new EventLog;
  sessions_ = new SessionBar(recorder_, player_, [this] { return link_.address(); });
  strip_ = new HealthStrip(health_, problems_);
  inspector_ = new Inspector({history_, status_, stages_, health_, causes_, network_.focus()});
  problems_panel_ = new ProblemsPanel({history_, status_, health_, problems_, causes_, network_.focus()});
  charts_ = new ChartsPanel(network_);
  network_page_ = new NetworkPage(network_);
}

// Above and below the workspaces.
void MainWindow::make_rows() {
  menu_row_ = new MenuRow;
  menu_row_->set_workspaces(QList<QAction*>(workspace_actions_) << present_);
  bell_ = new QToolButton;
  bell_->setObjectName("bell");
  bell_->setIcon(icon(Icon::bell));
  bell_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  connect(bell_, &QToolButton::clicked, this, [this] { problems_dock_->bring_up(); });
  menu_row_->add(bell_);
  menu_row_->add(commands_.button(lock_));
  menu_row_->add(new RoleLabel(*connection_));
  setMenuWidget(menu_row_);
  strip_bar_ = new QToolBar(tr("State of the wall"));
  strip_bar_->setObjectName("strip");
  strip_bar_->setMovable(false);
  strip_bar_->setContextMenuPolicy(Qt::PreventContextMenu);
  strip_bar_->toggleViewAction()->setEnabled(false);
  strip_bar_->addWidget(strip_);
  addToolBar(strip_bar_);
  status_line_ = new StatusLine(new ConnectionLabel(*connection_));
  statusBar()->addPermanentWidget(status_line_, 1);
  statusBar()->setSizeGripEnabled(false);
}

void MainWindow::make_middle() {
  auto* operate = new QWidget;
  auto* layout = new QVBoxLayout(operate);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(wall_, 1);
  layout->addWidget(transport_);
  layout->addWidget(sessions_);
  hosts_ = new QTabWidget;
  hosts_->setObjectName("hosts");
  hosts_->addTab(machines_, tr("Hosts"));
  hosts_->setTabVisible(hosts_->addTab(sites_, tr("Sites")), false);
  connect(sites_, &SitesPage::titled, this,
          [this](const QString& title) { hosts_->setTabText(hosts_->indexOf(sites_), title); });
  start_ = new StartPage(*connection_, discovery_, demo_);
  connect(start_, &StartPage::session_wanted, this, [this] { sessions_->ask_and_open(); });
  connect(start_, &StartPage::keys_wanted, this, [this] { keys_->trigger(); });
  connect(start_, &StartPage::guide_wanted, this, [this] { guide_->trigger(); });
  connect(start_, &StartPage::files_dropped, library_, &LibraryPanel::import_files);
  pages_ = new QStackedWidget;
  pages_->addWidget(start_);
  pages_->addWidget(middle_);
  setCentralWidget(pages_);
  const auto alone = [this] {
    for (auto* dock : findChildren<Dock*>()) dock->hide();
  };
  workspaces_->add("operate", *operate, *workspace_actions_[workspace_operate], [this] { arrange_operate(); });
  workspaces_->add("network", *network_page_, *workspace_actions_[workspace_network], alone);
  workspaces_->add("hosts", *hosts_, *workspace_actions_[workspace_hosts], alone);
}

void MainWindow::make_docks() {
  library_dock_ = new Dock(*this, "library-dock", tr("Library"), library_);
  playlist_dock_ = new Dock(*this, "playlist-dock", tr("Playlist"), playlist_);
  inspector_dock_ = new Dock(*this, "inspector-dock", tr("Inspector"), inspector_);
  problems_dock_ = new Dock(*this, "problems-dock", tr("Problems"), problems_panel_);
  charts_dock_ = new Dock(*this, "charts-dock", tr("Charts"), charts_);
  events_dock_ = new Dock(*this, "events-dock", tr("Events"), events_);
  for (auto* dock : {inspector_dock_, problems_dock_}) dock->setMinimumWidth(type::scaled(right_least_px));
  for (auto* dock : {library_dock_, playlist_dock_}) dock->setMinimumWidth(type::scaled(left_least_px));
  make_dock_actions();
}

void MainWindow::arrange_operate() {
  for (auto* dock : {library_dock_, playlist_dock_}) addDockWidget(Qt::LeftDockWidgetArea, dock);
  for (auto* dock : {problems_dock_, inspector_dock_}) addDockWidget(Qt::RightDockWidgetArea, dock);
  for (auto* dock : {charts_dock_, events_dock_}) addDockWidget(Qt::BottomDockWidgetArea, dock);
  splitDockWidget(library_dock_, playlist_dock_, Qt::Vertical);
  splitDockWidget(charts_dock_, events_dock_, Qt::Horizontal);
  tabifyDockWidget(problems_dock_, inspector_dock_);
  for (auto* dock : findChildren<Dock*>()) {
    dock->setFloating(false);
    dock->show();
  }
  for (auto* dock : {problems_dock_, inspector_dock_}) dock->hide();
  const auto px = [](int length) { return type::scaled(length); };
  resizeDocks({library_dock_}, {px(left_px)}, Qt::Horizontal);
  resizeDocks({playlist_dock_}, {px(playlist_px)}, Qt::Vertical);
  resizeDocks({charts_dock_}, {px(bottom_px)}, Qt::Vertical);
  resizeDocks({inspector_dock_}, {px(right_px)}, Qt::Horizontal);
  resizeDocks({events_dock_}, {px(events_px)}, Qt::Horizontal);
}

void MainWindow::make_audience() {
  audience_ = std::make_unique<AudienceView>(
      link_, AudienceModels{history_, status_, wall_->previews(),
                            [this](const QString& name) { return library_->title_of(name); },
                            [this](const QString& name) { return library_->description_of(name); }});
  connect(audience_.get(), &AudienceView::closed, this, [this] { present_->setChecked(false); });
}

void MainWindow::join() {
  toast_ = new Toast(*this);
  connect(&commands_, &Commands::copied, this, &MainWindow::say_copied);
  connect(&commands_, &Commands::remembered, this,
          [this](const QString& words) { toast_->say(words, State::note, tr("Undo"), [this] { commands_.undo(); }); });
  connect(connection_, &Connection::told, this, &MainWindow::tell);
  connect(&link_, &ControlLink::state_changed, this, &MainWindow::on_link_state);
  connect(&link_, &ControlLink::guard_changed, this, &MainWindow::on_link_state);
  connect(&link_, &ControlLink::call_failed, this,
          [this](const QString& method, const QString& error) { tell(tr("%1: %2").arg(method, error)); });
  connect(&source_, &TelemetrySource::began, this, &MainWindow::forget);
  connect(&source_, &TelemetrySource::ready, this, &MainWindow::show_wall);
  connect(&source_, &TelemetrySource::play_state, this, &MainWindow::on_play_state);
  connect(&source_, &TelemetrySource::stats, this, &MainWindow::take_stats);
  connect(&source_, &TelemetrySource::happened, this, &MainWindow::on_event);
  connect(&source_, &TelemetrySource::caught_up, this, &MainWindow::show_stats);
  connect(&player_, &SessionPlayer::changed, this, &MainWindow::choose_source);
  connect(&recorder_, &Recorder::changed, this, &MainWindow::show_recording);
  connect(&record_timer_, &QTimer::timeout, this, &MainWindow::show_recording);
  // Keys belong to what is shown, not to the next control after one that is hidden.
  connect(workspaces_, &Workspaces::changed, this, [this] {
    const bool operates = workspaces_->used() == workspace_operate;
    (operates ? wall_->view() : middle_->currentWidget())->setFocus();
  });
  connect(sessions_, &SessionBar::failed, this, &MainWindow::tell);
  connect(sessions_, &SessionBar::copied, this, &MainWindow::say_copied);
  connect(&demo_, &DemoWall::ready, this, [this](const QString& address) {
    demo_begins_ = true;
    connect_to(address);
  });
  gap_timer_.setInterval(gap_samples * SampleTimes::sample_ms);
  connect(&gap_timer_, &QTimer::timeout, this, &MainWindow::take_gap);
  gap_timer_.start();
  join_panels();
  join_health();
  share_time();
}

void MainWindow::join_panels() {
  connect(transport_, &TransportPanel::start_wanted, library_, &LibraryPanel::load_selected);
  connect(transport_, &TransportPanel::still_waiting, this,
          [this](const QString& words) { toast_->say(words, State::warn); });
  transport_->set_transition(library_->transition());
  connect(library_, &LibraryPanel::add_wanted, playlist_, &PlaylistPanel::add);
  connect(library_, &LibraryPanel::playing_strip, transport_, &TransportPanel::set_strip);
  connect(playlist_, &PlaylistPanel::failed, this, &MainWindow::tell);
  connect(wall_, &WallPage::hovered, status_line_, &StatusLine::set_hover);
  connect(wall_, &WallPage::told, this, [this](const QString& words) { toast_->say(words, State::ok); });
  connect(wall_, &WallPage::failed, this, &MainWindow::tell);
  connect(wall_, &WallPage::cause_wanted, this, [this] { show_cause(network_.focus().part()); });
  connect(wall_, &WallPage::network_wanted, this, [this] { workspaces_->use(workspace_network); });
  connect(wall_, &WallPage::hosts_wanted, this, &MainWindow::show_host);
  connect(charts_, &ChartsPanel::page_wanted, this, [this] { workspaces_->use(workspace_network); });
  connect(network_page_, &NetworkPage::export_wanted, export_, &QAction::trigger);
  connect(network_page_, &NetworkPage::library_wanted, this, [this] {
    workspaces_->use(workspace_operate);
    library_dock_->bring_up();
  });
  connect(events_, &EventLog::failed, this, &MainWindow::tell);
  connect(events_, &EventLog::alarm_rules_wanted, this, [this] { alarms_.edit_rules(this, commands_); });
}

void MainWindow::join_health() {
  use_limits();
  connect(&alarms_, &AlarmControl::rules_changed, this, &MainWindow::use_limits);
  connect(&alarms_, &AlarmControl::happened, events_, &EventLog::add);
  connect(&alarms_, &AlarmControl::changed, this, &MainWindow::show_alarms);
  connect(strip_, &HealthStrip::show_cause, this,
          [this](const Problem& problem) { show_cause(problems_panel_->worst_of(problem)); });
  connect(strip_, &HealthStrip::acknowledge, &alarms_, &AlarmControl::acknowledge);
  connect(strip_, &HealthStrip::try_now, this, [this] { connection_->connect_to(link_.address()); });
  connect(strip_, &HealthStrip::figure_chosen, this, [this](Quantity quantity) {
    network_page_->show_quantity(quantity);
    workspaces_->use(workspace_network);
  });
  connect(problems_panel_, &ProblemsPanel::hosts_wanted, this, &MainWindow::show_host);
  connect(inspector_, &Inspector::hosts_wanted, this, &MainWindow::show_host);
  connect(inspector_, &Inspector::move_wanted, this, [this](const QString& host) { show_host(host); });
  connect(inspector_, &Inspector::copied, this, &MainWindow::say_copied);
  connect(inspector_, &Inspector::identify_wanted, this, [this](const Part& part) {
    if (part.column) ask_to_identify(link_, Place{{*part.column, *part.row}}, true);
    for (const auto& tile : part.others) ask_to_identify(link_, Place{tile}, true);
  });
  connect(machines_, &MachinePage::changed, this, &MainWindow::on_machines);
  connect(&network_.focus(), &Focus::changed, this, [this] {
    const bool operates = workspaces_->used() == workspace_operate && !workspaces_->docks_hidden();
    if (operates && network_.focus().part() != Part{}) inspector_dock_->offer();
    inspector_->refresh();
  });
  show_alarms();
}

// Those of the alarm rules, for health and charts.
void MainWindow::use_limits() {
  health_.set_limits(alarms_.alarms().limits());
  std::map<Quantity, double> limits;
  for (const auto& quantity : quantities())
    if (const auto limit = health_.limits().of(quantity.quantity)) limits[quantity.quantity] = *limit;
  network_.notes().set_limits(std::move(limits));
}

// Charts and event log refer to the same moments.
void MainWindow::share_time() {
  auto* window = &network_.window();
  connect(pause_charts_, &QAction::toggled, window, &TimeWindow::hold);
  connect(window, &TimeWindow::changed, this, [this, window] {
    pause_charts_->setChecked(!window->live());
    const auto times = network_.marked_times();
    events_->set_times(times ? std::optional(EventFilter::Times{times->first, times->second}) : std::nullopt);
  });
  connect(events_, &EventLog::moment_chosen, &network_, &NetworkModels::point_to);
}

// The same views show a recorded session; the server is disconnected meanwhile.
void MainWindow::choose_source() {
  const bool recorded = player_.is_open();
  show_page();
  if (recorded == source_.uses(player_)) return;
  if (recorded) {
    if (link_.state() != ControlLink::State::idle) link_.disconnect_from();
    return source_.use(player_);
  }
  source_.use(link_);
  // Unless it was closed because the operator connects.
  const bool idle = link_.state() == ControlLink::State::idle;
  if (idle && !link_.address().isEmpty()) connection_->connect_to(link_.address());
}

// The figures shown belong to another time or wall.
void MainWindow::forget() {
  history_.clear();
  status_ = {};
  stages_.forget();
  bursts_.forget();
  health_.forget();
  sites_->set_wall({});
  events_->clear();
  alarms_.clear();
  network_.forget();
  incidents_.forget();
  wall_->set_connected(player_.is_open());
  wall_->view()->set_recorded(player_.is_open());
  connection_->show_session(player_.is_open() ? player_.reader().path() : QString());
  strip_->refresh_now();
}

void MainWindow::on_link_state() {
  if (link_.state() == ControlLink::State::connecting && player_.is_open()) player_.close();
  const bool ready = link_.state() == ControlLink::State::ready;
  if (!ready && !player_.is_open()) {
    status_.add_gap();
    health_.lose_contact(link_.state_text());
    audience_->forget();
  }
  if (ready && !health_.has_contact()) health_.lose_contact(tr("Connected. No statistics have arrived yet."));
  wall_->set_connected(ready);
  transport_->set_connected(ready);
  for (auto* action : {identify_, mark_}) permit(action, link_, "identify");
  tablet_->setEnabled(ready);
  lock_->setChecked(link_.guard() == ControlLink::Guard::locked);
  view_only_->setChecked(connection_->view_only());
  strip_->refresh_now();
  show_page();
}

// The start page while there is no wall to show, and the workspaces otherwise.
void MainWindow::show_page() {
  const bool nothing = link_.state() == ControlLink::State::idle && !player_.is_open() && history_.tiles().empty();
  const bool starts = nothing && StartPage::wanted();
  const bool other = starts != (pages_->currentIndex() == 0);
  pages_->setCurrentIndex(starts ? 0 : 1);
  strip_bar_->setVisible(!starts);
  for (auto* action : workspace_actions_) action->setEnabled(!starts || action == workspace_actions_.front());
  workspaces_->set_docks_hidden(starts);
  if (other && !starts) wall_->for_keys()->setFocus();
}

void MainWindow::show_wall(const InfoReply& info) {
  info_ = info;
  history_.set_wall(info.wall);
  status_.set_wall(info.wall);
  wall_->set_wall(info.wall);
  audience_->set_wall(info.wall);
  network_.set_wall(QString::fromStdString(info.wall.name));
  sites_->set_wall(info.wall);
  hosts_->setTabVisible(hosts_->indexOf(sites_), !info.wall.sites.empty());
  frame_interval_us_ = 1e6 / std::max(1.0, rate_number(QString::fromStdString(info.wall.frame_rate)));
  causes_.set_frame_interval(frame_interval_us_);
  paths_.set_frame_interval(frame_interval_us_);
  show_wall_words();
  show_page();
  setWindowTitle(tr("%1 - Lambdawall control").arg(QString::fromStdString(info.wall.name)));
}

void MainWindow::show_wall_words() {
  const auto tiles = static_cast<int>(history_.tiles().size());
  const auto nodes = static_cast<int>(info_.wall.nodes.size());
  status_line_->set_wall(
      tiles == 0 ? QString() : QString::fromUtf8("%1 \u00b7 %2").arg(counts::tiles(tiles), counts::nodes(nodes)));
}

void MainWindow::show_clocks() {
  const auto& wall = history_.wall();
  QString words;
  if (wall.skew_unknown) words = tr("Clock error not known");
  if (wall.skew_error_us == 0.0)
    words = tr("One clock for all nodes");
  else if (wall.skew_error_us)
    words = *wall.skew_error_us < 1000
                ? QString::fromUtf8("%1 %2 \u00b5s").arg(tr("Clocks within")).arg(*wall.skew_error_us, 0, 'f', 0)
                : QString("%1 %2 ms").arg(tr("Clocks within")).arg(*wall.skew_error_us / 1000, 0, 'f', 1);
  status_line_->set_clocks(words);
}

void MainWindow::show_recording() {
  if (!recorder_.recording()) {
    if (record_timer_.isActive() && !recorder_.folder().isEmpty())
      toast_->say(tr("Saved the session %1").arg(recorder_.folder()), State::ok);
    record_timer_.stop();
    return status_line_->set_recording({});
  }
  record_timer_.start(1000);
  const auto seconds = recorder_.statistics() / 10;
  status_line_->set_recording(tr("Recording %1:%2:%3")
                                  .arg(seconds / 3600)
                                  .arg(seconds / 60 % 60, 2, 10, QChar('0'))
                                  .arg(seconds % 60, 2, 10, QChar('0')));
}

void MainWindow::show_alarms() {
  const int fresh = alarms_.fresh();
  bell_->setText(fresh > 0 ? QString::number(fresh) : QString());
  const auto words = alarms_.words();
  bell_->setToolTip(words.isEmpty() ? tr("No alarms") : words);
  bell_->setAccessibleName(fresh > 0 ? counts::alarms(fresh) : tr("No alarms"));
  strip_->refresh();
}

void MainWindow::on_machines() {
  auto uplinks = uplinks_of(machines_->machines(), history_);
  causes_.set_machines(&machines_->machines());
  paths_.set_machines(machines_->machines());
  health_.set_uplinks(uplinks);
  problems_.set_uplinks(uplinks);
  causes_.set_uplinks(uplinks);
}

void MainWindow::on_play_state(const StateMessage& state) {
  const auto title_of = [this](const QString& name) { return library_->title_of(name); };
  status_.set_state(state);
  wall_->refresh();
  library_->set_state(state);
  sites_->set_playing(state.status != PlayStatus::stopped);
  playlist_->set_state(state);
  transport_->set_state(state, title_of);
  audience_->set_state(state);
  const auto name = QString::fromStdString(state.name.value_or(""));
  const auto* row = library_->model().find(name);
  QStringList detail;
  if (row != nullptr && !row->size.isEmpty()) detail << tr("%1 pixels").arg(row->size);
  if (state.frame_rate) detail << tr("%1 fps").arg(QString::fromStdString(*state.frame_rate));
  wall_->set_playing(name.isEmpty() ? tr("Nothing is playing") : title_of(name), detail);
  strip_->refresh();
}

void MainWindow::take_stats(const Stats& stats) {
  had_gap_ = false;
  history_.add(stats);
  if (demo_begins_) come_before_demo();
  status_.add(stats);
  stages_.add(stats);
  bursts_.add(stats);
  sites_->take(stats);
  connection_->set_clock_problem(clock_problem(stats, frame_interval_us_));
  alarms_.step();
  health_.step(alarms_.alarms().raised_for_health());
}

// The windows of the demo wall have no frame by which they could be moved away from this one.
void MainWindow::come_before_demo() {
  if (!std::ranges::all_of(history_.tiles(), [](const TileRow& tile) { return tile.frame.has_value(); })) return;
  demo_begins_ = false;
  raise();
  activateWindow();
  toast_->say(tr("The demo wall is playing. Its four windows are behind this one."), State::ok);
}

void MainWindow::take_gap() {
  if (!source_.uses(link_) || !std::exchange(had_gap_, true)) return;
  history_.add_gap(gap_samples);
  sites_->take_gap();
  show_stats();
}

void MainWindow::show_stats() {
  strip_->refresh();
  wall_->refresh();
  inspector_->refresh();
  problems_panel_->refresh();
  machines_->refresh();
  sites_->refresh();
  transport_->take(history_);
  transport_->set_sound_peak(status_.sound_peak_db());
  incidents_.take(problems_.now(), health_.now_ms());
  network_.notes().set_incidents(incidents_.all());
  network_.refresh();
  show_clocks();
}

void MainWindow::on_event(const EventMessage& message) {
  if (const auto event = to_event(message)) events_->add(*event);
}

void MainWindow::tell(const QString& words) {
  toast_->say(words, State::warn);
  events_->add(own_event(Severity::error, "wall-control", words));
}

void MainWindow::say_copied(const QString& text) { status_line_->say(tr("Copied: %1").arg(text)); }

void MainWindow::ask_and_export() {
  const auto path =
      QFileDialog::getSaveFileName(this, tr("Export what is shown"), QDir::home().filePath("lambdawall.csv"),
                                   tr("Figures (*.csv *.json);;Chart (*.png *.svg *.pdf);;Report (*.html *.pdf)"));
  if (path.isEmpty()) return;
  const bool page = network_page_->isVisible();
  const auto problem = page ? network_page_->save(path) : charts_->save(path);
  if (!problem.isEmpty()) return tell(problem);
  toast_->say(tr("Saved %1").arg(path), State::ok);
}

// The part is selected, and the inspector explains it.
void MainWindow::show_cause(const Part& part) {
  workspaces_->use(workspace_operate);
  network_.focus().show(part);
  inspector_dock_->bring_up();
}

void MainWindow::show_host(const QString& host) {
  workspaces_->use(workspace_hosts);
  hosts_->setCurrentWidget(machines_);
  machines_->show_host(host);
}

}  // namespace lw
