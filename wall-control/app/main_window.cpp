#include "wall-control/app/main_window.h"

#include "wall-control/alarms/alarm_bar.h"
#include "wall-control/connections/access_bar.h"
#include "wall-control/connections/connection_bar.h"
#include "wall-control/events/event_log.h"
#include "wall-control/library/library_panel.h"
#include "wall-control/machines/machine_page.h"
#include "wall-control/models/clock_watch.h"
#include "wall-control/models/rate_number.h"
#include "wall-control/network/network_panel.h"
#include "wall-control/playlist/playlist_panel.h"
#include "wall-control/report/report.h"
#include "wall-control/sessions/session_bar.h"
#include "wall-control/sites/sites_page.h"
#include "wall-control/transport/transport_panel.h"
#include "wall-control/ui/heading.h"
#include "wall-control/ui/permit.h"
#include "wall-control/ui/plain_text.h"
#include "wall-control/wallview/tile_wishes.h"
#include "wall-control/wallview/wall_page.h"

#include <QAction>
#include <QBoxLayout>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QMessageBox>
#include <QShortcut>
#include <QSplitter>
#include <QStatusBar>
#include <QTabWidget>
#include <QToolButton>

namespace lw {
namespace {

constexpr int message_ms = 10'000;
constexpr int gap_samples = 5;
constexpr int tool_height = 26;  // beside the tabs

}  // namespace

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent) {
  show_text_as_it_stands(*QCoreApplication::instance());
  setWindowTitle(tr("Lambdawall control"));
  transport_ = new TransportPanel(link_, commands_);
  library_ = new LibraryPanel(link_, source_, commands_);
  make_actions();
  connect(transport_, &TransportPanel::start_wanted, library_, &LibraryPanel::load_selected);
  connection_ = new ConnectionBar(
      link_, {commands_.button(lock_), commands_.button(theme_), commands_.button(present_), commands_.button(keys_)});
  auto* columns = new QSplitter(Qt::Horizontal);
  auto* left = make_left();
  columns->addWidget(left);
  columns->addWidget(make_center());
  hidden_for_audience_ << connection_ << left << events_;
  network_ = new NetworkPanel(history_, {commands_.button(pause_plots_), commands_.button(export_)});
  columns->addWidget(network_);
  columns->setStretchFactor(0, 0);
  columns->setStretchFactor(1, 3);
  columns->setStretchFactor(2, 2);
  columns->setSizes({330, 560, 450});
  columns->setChildrenCollapsible(false);
  auto* central = new QWidget;
  auto* layout = new QVBoxLayout(central);
  layout->setContentsMargins(10, 8, 10, 4);
  layout->addWidget(connection_);
  layout->addWidget(make_access());
  layout->addWidget(columns, 1);
  sessions_ = new SessionBar(recorder_, player_, [this] { return link_.address(); });
  layout->addWidget(sessions_);
  hidden_for_audience_ << sessions_;
  setCentralWidget(central);
  statusBar();

  connect(&commands_, &Commands::copied, this,
          [this](const QString& text) { statusBar()->showMessage(tr("Copied: %1").arg(text), message_ms); });
  connect(connection_, &ConnectionBar::told, this, &MainWindow::tell);
  connect(&link_, &ControlLink::state_changed, this, &MainWindow::on_link_state);
  connect(&link_, &ControlLink::guard_changed, this, &MainWindow::on_link_state);
  connect(&source_, &TelemetrySource::began, this, &MainWindow::forget);
  connect(&source_, &TelemetrySource::ready, this, &MainWindow::show_wall);
  connect(&source_, &TelemetrySource::play_state, this, &MainWindow::on_play_state);
  connect(&source_, &TelemetrySource::stats, this, &MainWindow::take_stats);
  connect(&source_, &TelemetrySource::happened, this, &MainWindow::on_event);
  connect(&source_, &TelemetrySource::caught_up, this, &MainWindow::show_stats);
  connect(&player_, &SessionPlayer::changed, this, &MainWindow::choose_source);
  connect(&link_, &ControlLink::call_failed, this,
          [this](const QString& method, const QString& error) { tell(tr("%1: %2").arg(method, error)); });
  connect(sessions_, &SessionBar::failed, this, &MainWindow::tell);
  connect(sessions_, &SessionBar::copied, this,
          [this](const QString& text) { statusBar()->showMessage(tr("Copied: %1").arg(text), message_ms); });
  connect(events_, &EventLog::failed, this, &MainWindow::tell);
  gap_timer_.setInterval(gap_samples * SampleTimes::sample_ms);
  connect(&gap_timer_, &QTimer::timeout, this, [this] {
    if (source_.uses(link_) && std::exchange(had_gap_, true)) {
      history_.add_gap(gap_samples);
      sites_->take_gap();
      show_stats();
    }
  });
  gap_timer_.start();
  share_time();
  on_link_state();
  resize(1360, 800);
}

QWidget* MainWindow::make_access() {
  auto* bar = new AccessBar(link_, [this](const QString& address) { return connection_->is_kept(address); });
  connect(bar, &AccessBar::token_given, this, [this](const QString& address, const QString& token, bool keep) {
    connection_->remember_token(address, token, keep);
    connection_->connect_to(address);
  });
  return bar;
}

// Plots and event log refer to the same moments.
void MainWindow::share_time() {
  auto* window = &network_->window();
  connect(pause_plots_, &QAction::toggled, window, &TimeWindow::hold);
  connect(window, &TimeWindow::changed, this, [this, window] {
    pause_plots_->setChecked(!window->live());
    const auto times = network_->marked_times();
    events_->set_times(times ? std::optional(EventFilter::Times{times->first, times->second}) : std::nullopt);
  });
  connect(events_, &EventLog::moment_chosen, network_, &NetworkPanel::point_to);
}

// The same views show a recorded session; the server is disconnected meanwhile.
void MainWindow::choose_source() {
  const bool recorded = player_.is_open();
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
  sites_->set_wall({});
  events_->clear();
  alarms_->clear();
  network_->forget();
  wall_->set_connected(player_.is_open());
  wall_->view()->set_recorded(player_.is_open());
  connection_->show_session(player_.is_open() ? player_.reader().path() : QString());
}

void MainWindow::make_actions() {
  identify_ = commands_.add(tr("Identify"), {Qt::Key_I}, tr("Show each tile's number, node and size on the wall"),
                            [this] { ask_to_identify(link_, {}, identify_->isChecked()); });
  identify_->setCheckable(true);
  mark_ = commands_.add(tr("Mark gaps"), {Qt::Key_M},
                        tr("Mark on the wall the rows that did not come and show the frame before"),
                        [this] { ask_to_mark(link_, {}, mark_->isChecked()); });
  mark_->setCheckable(true);
  pause_plots_ =
      commands_.add(tr("Hold plots"), {Qt::Key_P}, tr("Stop the plots where they are; nothing is lost"), [] {});
  pause_plots_->setCheckable(true);
  export_ = commands_.add(QString::fromUtf8("Export\u2026"), {QKeySequence(Qt::CTRL | Qt::Key_E)},
                          tr("Save what plots, heat map or table show: figures (.csv, .json), picture (.png, .svg), or "
                             "a report (.html, .pdf)"),
                          [this] { ask_and_export(); });
  commands_.add(tr("Acknowledge"), {Qt::Key_A}, tr("Acknowledge the alarms"), [this] { alarms_->acknowledge(); });
  commands_.add(tr("Alarms"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A)}, tr("Change when alarms are raised"),
                [this] { alarms_->edit_rules(); });
  commands_.add(tr("Record"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)},
                tr("Record a session, or stop recording"), [this] { sessions_->ask_and_record(); });
  commands_.add(tr("Open"), {QKeySequence::Open}, tr("Open a recorded session"), [this] { sessions_->ask_and_open(); });
  commands_.add(tr("Wall"), {QKeySequence(Qt::CTRL | Qt::Key_1)}, tr("Show the wall"),
                [this] { pages_->setCurrentWidget(wall_); });
  commands_.add(tr("Hosts"), {QKeySequence(Qt::CTRL | Qt::Key_2)},
                tr("Show the hosts, and where on them the flows run"), [this] { pages_->setCurrentWidget(machines_); });
  commands_.add(tr("Sites"), {QKeySequence(Qt::CTRL | Qt::Key_3)}, tr("Show the sites of the wall, if it has any"),
                [this] {
                  if (pages_->isTabVisible(pages_->indexOf(sites_))) pages_->setCurrentWidget(sites_);
                });
  make_view_actions();
  keys_ = commands_.add(tr("Keys"), {QKeySequence("?")}, tr("Show all keys"), [this] { show_keys(); });
}

void MainWindow::make_view_actions() {
  present_ =
      commands_.add(tr("Present"), {Qt::Key_F11}, tr("For an audience: wall and plots only, full screen, larger"),
                    [this] { present(present_->isChecked()); });
  present_->setCheckable(true);
  auto* back = commands_.add(tr("Back"), {Qt::Key_Escape}, tr("Back from presenting"), [this] { present_->trigger(); });
  back->setEnabled(false);
  connect(present_, &QAction::toggled, back, &QAction::setEnabled);
  lock_ = commands_.add(tr("Lock"), {QKeySequence(Qt::CTRL | Qt::Key_K)},
                        tr("Lock the controls of the wall against a slip of the hand, or unlock them"), [this] {
                          connection_->toggle_lock();
                          lock_->setChecked(link_.guard() == ControlLink::Guard::locked);
                        });
  lock_->setCheckable(true);
  theme_ = commands_.add(tr("Theme"), {QKeySequence(Qt::CTRL | Qt::Key_T)},
                         tr("Next theme: dark, light, high contrast"), [this] { look_.next_theme(); });
  commands_.add(tr("Larger text"), {QKeySequence::ZoomIn, QKeySequence(Qt::CTRL | Qt::Key_Equal)}, tr("Larger text"),
                [this] { look_.change_text(1); });
  commands_.add(tr("Smaller text"), {QKeySequence::ZoomOut}, tr("Smaller text"), [this] { look_.change_text(-1); });
  commands_.add(tr("Usual text"), {QKeySequence(Qt::CTRL | Qt::Key_0)}, tr("Text as large as usual"),
                [this] { look_.reset_text(); });
  commands_.add(tr("Wall 1"), {QKeySequence(Qt::ALT | Qt::Key_1)},
                tr("To the first wall that is kept; Alt+2 to the second, and so on"),
                [this] { connection_->connect_to_kept(0); });
  for (int place = 1; place < 9; ++place)
    connect(new QShortcut(QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_1 + place)), this), &QShortcut::activated,
            this, [this, place] { connection_->connect_to_kept(place); });
}

// For an audience: the wall and its state, with nothing to click by accident.
void MainWindow::present(bool on) {
  for (auto* widget : hidden_for_audience_) widget->setVisible(!on);
  look_.set_presenting(on);
  setWindowState(on ? windowState() | Qt::WindowFullScreen : windowState() & ~Qt::WindowFullScreen);
  if (on) statusBar()->showMessage(tr("F11 or Escape: back from presenting"), message_ms);
}

QWidget* MainWindow::make_left() {
  playlist_ = new PlaylistPanel(
      link_, commands_, [this] { return library_->selected(); },
      [this](const QString& name) { return library_->title_of(name); });
  connect(playlist_, &PlaylistPanel::failed, this, &MainWindow::tell);
  auto* tabs = new QTabWidget;
  tabs->setObjectName("left");
  tabs->addTab(library_, tr("Library"));
  tabs->addTab(playlist_, tr("Playlist"));
  return tabs;
}

QWidget* MainWindow::make_center() {
  auto* panel = new QWidget;
  auto* layout = new QVBoxLayout(panel);
  layout->setContentsMargins(4, 0, 4, 0);
  wall_ = new WallPage(link_, history_, status_,
                       [this](QWidget* control, const auto& run) { commands_.offer_copies(control, run); });
  events_ = new EventLog;
  wall_figures_ = new QLabel;
  wall_figures_->setObjectName("wall-figures");
  wall_figures_->setForegroundRole(QPalette::PlaceholderText);
  wall_figures_->setToolTip(
      tr("Skew: latest less earliest swap of a frame over all tiles, newest 256 frames.\n"
         "Clock error: the sum of the two largest of the nodes, to which the skew is true.\n"
         "Playout delay: from a frame's media time to its presentation."));
  machines_ = new MachinePage(link_, history_,
                              [this](QWidget* control, const auto& run) { commands_.offer_copies(control, run); });
  pages_ = new QTabWidget;
  pages_->setObjectName("pages");
  pages_->addTab(wall_, tr("Wall"));
  pages_->addTab(machines_, tr("Hosts"));
  sites_ = new SitesPage;
  pages_->setTabVisible(pages_->addTab(sites_, tr("Sites")), false);
  connect(sites_, &SitesPage::titled, this,
          [this](const QString& title) { pages_->setTabText(pages_->indexOf(sites_), title); });
  auto* above = new QWidget;
  auto* tools = new QHBoxLayout(above);
  tools->setContentsMargins(0, 0, 0, 2);
  for (auto* tool : make_wall_tools()) {
    tool->setMinimumHeight(tool_height);
    tool->setMaximumHeight(tool_height);
    tools->addWidget(tool);
    hidden_for_audience_ << tool;
  }
  pages_->setCornerWidget(above);
  alarms_ = new AlarmBar(history_);
  connect(alarms_, &AlarmBar::happened, events_, &EventLog::add);
  layout->addWidget(alarms_);
  layout->addWidget(pages_, 3);
  wall_figures_->setAlignment(Qt::AlignRight);
  layout->addWidget(wall_figures_);
  layout->addWidget(transport_);
  layout->addWidget(events_, 1);
  return panel;
}

QList<QWidget*> MainWindow::make_wall_tools() {
  pattern_ = new QComboBox;
  pattern_->setAccessibleName(tr("Test pattern"));
  pattern_->setToolTip(tr("What the nodes show instead of the stream"));
  for (const auto& [name, text] : {std::pair{"none", tr("Stream")},
                                   {"identify", tr("Identify")},
                                   {"grid", tr("Grid")},
                                   {"bar", tr("Moving bar")},
                                   {"ramp", tr("Ramps")},
                                   {"black", tr("Black")}})
    pattern_->addItem(text, name);
  connect(pattern_, &QComboBox::activated, this,
          [this] { ask_for_pattern(link_, {}, pattern_->currentData().toString()); });
  commands_.offer_copies(pattern_, [this] { ask_for_pattern(link_, {}, pattern_->currentData().toString()); });
  return {commands_.button(mark_), commands_.button(identify_), pattern_};
}

void MainWindow::connect_to(const QString& address, const QString& token) {
  if (!token.isEmpty()) connection_->remember_token(address, token);
  connection_->connect_to(address);
}

void MainWindow::on_link_state() {
  if (link_.state() == ControlLink::State::connecting && player_.is_open()) player_.close();
  const bool ready = link_.state() == ControlLink::State::ready;
  if (!ready) status_.add_gap();
  wall_->set_connected(ready);
  transport_->set_connected(ready);
  for (auto* action : {identify_, mark_}) permit(action, link_, "identify");
  permit(pattern_, link_, "pattern");
}

void MainWindow::show_wall(const InfoReply& info) {
  info_ = info;
  history_.set_wall(info.wall);
  status_.set_wall(info.wall);
  wall_->set_wall(info.wall);
  network_->set_wall();
  sites_->set_wall(info.wall);
  pages_->setTabVisible(pages_->indexOf(sites_), !info.wall.sites.empty());
  frame_interval_us_ = 1e6 / std::max(1.0, rate_number(QString::fromStdString(info.wall.frame_rate)));
  setWindowTitle(tr("%1 - Lambdawall control").arg(QString::fromStdString(info.wall.name)));
}

void MainWindow::on_play_state(const StateMessage& state) {
  status_.set_state(state);
  wall_->refresh();
  library_->set_state(state);
  sites_->set_playing(state.status != PlayStatus::stopped);
  playlist_->set_state(state);
  transport_->set_state(state, [this](const QString& name) { return library_->title_of(name); });
}

void MainWindow::take_stats(const Stats& stats) {
  had_gap_ = false;
  history_.add(stats);
  status_.add(stats);
  sites_->take(stats);
  connection_->set_clock_problem(clock_problem(stats, frame_interval_us_));
  alarms_->step();
}

void MainWindow::show_stats() {
  network_->refresh_table();
  wall_->refresh();
  machines_->refresh();
  sites_->refresh();
  show_wall_figures();
  transport_->take(history_);
  network_->refresh_plots();
}

void MainWindow::show_wall_figures() {
  const auto& wall = history_.wall();
  const auto ms = [](double us) {
    return us < 10'000 ? QString::number(us / 1000, 'g', 2) : QString::number(us / 1000, 'f', 0);
  };
  QStringList parts;
  if (wall.skew_us_p50 && wall.skew_us_p99)
    parts << tr("skew %1 ms, p99 %2 ms").arg(ms(*wall.skew_us_p50), ms(*wall.skew_us_p99)) +
                 (wall.skew_error_us > 0 ? tr(", clock error at most %1 ms").arg(ms(*wall.skew_error_us)) : QString());
  if (wall.skew_unknown) parts << tr("skew: clock error not known");
  if (wall.playout_delay_us) parts << tr("playout delay %1 ms").arg(ms(*wall.playout_delay_us));
  wall_figures_->setText(parts.join(QString::fromUtf8("  \u00b7  ")));
}

void MainWindow::on_event(const EventMessage& message) {
  if (const auto event = to_event(message)) events_->add(*event);
}

void MainWindow::tell(const QString& words) {
  statusBar()->showMessage(words, message_ms);
  events_->add(own_event(Severity::error, "wall-control", words));
}

void MainWindow::ask_and_export() {
  const auto path =
      QFileDialog::getSaveFileName(this, tr("Export what is shown"), "lambdawall.csv",
                                   tr("Figures (*.csv *.json);;Picture (*.png *.svg);;Report (*.html *.pdf)"));
  if (path.isEmpty()) return;
  const bool report = path.endsWith(".html", Qt::CaseInsensitive) || path.endsWith(".pdf", Qt::CaseInsensitive);
  const auto problem = report ? save_report(path, network_->source(), events_->model(), info_) : network_->save(path);
  if (!problem.isEmpty()) return tell(problem);
  statusBar()->showMessage(tr("Saved %1").arg(path), message_ms);
}

void MainWindow::show_keys() {
  QString table = "<table cellspacing=8>";
  for (const auto* action : commands_.keyed()) {
    QStringList keys;
    for (const auto& key : action->shortcuts()) keys << key.toString(QKeySequence::NativeText).toHtmlEscaped();
    table += QString("<tr><td><b>%1</b></td><td>%2</td></tr>")
                 .arg(keys.join(", "), action->property("description").toString().toHtmlEscaped());
  }
  QMessageBox box(QMessageBox::NoIcon, tr("Keys"), table + "</table>", QMessageBox::Close, this);
  box.setTextFormat(Qt::RichText);
  box.exec();
}

}  // namespace lw
