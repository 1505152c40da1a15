#include "wall-control/app/main_window.h"

#include "wall-control/alarms/alarm_bar.h"
#include "wall-control/app/call_text.h"
#include "wall-control/app/heading.h"
#include "wall-control/app/library_delegate.h"
#include "wall-control/app/network_panel.h"
#include "wall-control/app/palette.h"
#include "wall-control/app/report.h"
#include "wall-control/events/event_log.h"
#include "wall-control/sessions/session_bar.h"
#include "wall-control/wallview/wall_view.h"

#include <QAction>
#include <QBoxLayout>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QGuiApplication>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSlider>
#include <QSplitter>
#include <QStatusBar>
#include <QToolButton>

namespace lw {
namespace {

constexpr int message_ms = 10'000;
constexpr int gap_samples = 5;

QToolButton* button(QAction* action, bool with_text = true) {
  auto* made = new QToolButton;
  made->setDefaultAction(action);
  made->setToolButtonStyle(with_text ? Qt::ToolButtonTextOnly : Qt::ToolButtonIconOnly);
  made->setFocusPolicy(Qt::TabFocus);
  made->setMinimumHeight(30);
  return made;
}

double rate_number(const QString& text) {
  const auto parts = text.split('/');
  return parts.size() == 2 && parts[1].toDouble() > 0 ? parts[0].toDouble() / parts[1].toDouble() : parts[0].toDouble();
}

QString clock(double seconds) {
  return QString("%1:%2")
      .arg(static_cast<int>(seconds) / 60)
      .arg(seconds - static_cast<int>(seconds) / 60 * 60, 4, 'f', 1, '0');
}

}  // namespace

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent) {
  setWindowTitle(tr("Lambdawall control"));
  make_actions();
  auto* columns = new QSplitter(Qt::Horizontal);
  columns->addWidget(make_library());
  columns->addWidget(make_center());
  network_ = new NetworkPanel(history_, {button(pause_plots_), button(export_)});
  columns->addWidget(network_);
  columns->setStretchFactor(0, 0);
  columns->setStretchFactor(1, 3);
  columns->setStretchFactor(2, 2);
  columns->setSizes({330, 560, 450});
  columns->setChildrenCollapsible(false);
  auto* central = new QWidget;
  auto* layout = new QVBoxLayout(central);
  layout->setContentsMargins(10, 8, 10, 4);
  layout->addWidget(make_connection());
  layout->addWidget(columns, 1);
  sessions_ = new SessionBar(recorder_, player_);
  layout->addWidget(sessions_);
  setCentralWidget(central);
  statusBar();

  connect(&link_, &ControlLink::state_changed, this, &MainWindow::on_link_state);
  connect(&link_, &ControlLink::ready, this, &MainWindow::on_ready);
  connect(&link_, &ControlLink::play_state, this, &MainWindow::on_play_state);
  connect(&link_, &ControlLink::stats, this, &MainWindow::on_stats);
  connect(&link_, &ControlLink::event, this, &MainWindow::on_event);
  connect(&link_, &ControlLink::call_failed, this,
          [this](const QString& method, const QString& error) { tell(tr("%1: %2").arg(method, error)); });
  gap_timer_.setInterval(gap_samples * SampleTimes::sample_ms);
  connect(&gap_timer_, &QTimer::timeout, this, [this] {
    if (!player_.is_open() && std::exchange(had_gap_, true)) {
      history_.add_gap(gap_samples);
      wall_->refresh();
      show_wall_figures();
      network_->refresh_plots();
    }
  });
  gap_timer_.start();
  share_time();
  play_sessions();
  on_link_state(link_.state(), tr("Not connected"));
  resize(1360, 800);
}

// Plots and event log speak of the same moments.
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

// The same views show a recorded session; the server is left alone meanwhile.
void MainWindow::play_sessions() {
  connect(sessions_, &SessionBar::failed, this, &MainWindow::tell);
  connect(&player_, &SessionPlayer::began, this, &MainWindow::forget);
  connect(&player_, &SessionPlayer::info, this, &MainWindow::show_wall);
  connect(&player_, &SessionPlayer::library, this,
          [this](const QJsonObject& library) { library_.set_visualizations(library["visualizations"].toArray()); });
  connect(&player_, &SessionPlayer::play_state, this, &MainWindow::on_play_state);
  connect(&player_, &SessionPlayer::stats, this, &MainWindow::take_stats);
  connect(&player_, &SessionPlayer::happened, this, &MainWindow::on_event);
  connect(&player_, &SessionPlayer::shown, this, &MainWindow::show_stats);
  connect(&player_, &SessionPlayer::changed, this, [this, was_open = false]() mutable {
    if (was_open == player_.is_open()) return;
    was_open = player_.is_open();
    if (!was_open) forget();
    if (!was_open && !link_.address().isEmpty()) link_.connect_to(link_.address());
  });
}

// What was shown is of another time or wall.
void MainWindow::forget() {
  if (player_.is_open() && link_.state() != ControlLink::State::idle) link_.disconnect_from();
  history_.clear();
  events_->clear();
  alarms_->clear();
  network_->forget();
  wall_->set_connected(player_.is_open());
  if (player_.is_open()) {
    link_text_->setText(QString::fromUtf8("\u25a0 ") + tr("A recorded session: %1").arg(player_.reader().path()));
    link_text_->setStyleSheet(QString("color: %1").arg(colors::warning.name()));
  }
}

QAction* MainWindow::add_action(const QString& text, const QList<QKeySequence>& keys, const QString& tip,
                                const std::function<void()>& run) {
  auto* action = new QAction(text, this);
  action->setShortcuts(keys);
  action->setToolTip(keys.isEmpty() ? tip : tr("%1 (%2)").arg(tip, keys.first().toString(QKeySequence::NativeText)));
  action->setProperty("description", tip);
  connect(action, &QAction::triggered, this, [run] { run(); });
  runs_[action] = run;
  addAction(action);
  if (!keys.isEmpty()) keyed_ << action;
  return action;
}

void MainWindow::make_actions() {
  const auto playing = [this] { return state_["status"].toString() == "playing"; };
  play_ = add_action(tr("Play"), {Qt::Key_Space, Qt::Key_K}, tr("Play or pause"), [this, playing] {
    if (state_["status"].toString() == "stopped")
      load_selected();
    else
      link_.call(playing() ? "pause" : "play");
  });
  stop_ = add_action(tr("Stop"), {QKeySequence(Qt::CTRL | Qt::Key_Period)}, tr("Stop sending"),
                     [this] { link_.call("stop"); });
  back_ =
      add_action(QString::fromUtf8("\u2039 frame"), {Qt::Key_Left}, tr("One frame back, paused"), [this] { step(-1); });
  forward_ =
      add_action(QString::fromUtf8("frame \u203a"), {Qt::Key_Right}, tr("One frame on, paused"), [this] { step(1); });
  add_action(tr("First frame"), {Qt::Key_Home}, tr("To the first frame"), [this] {
    link_.call("seek", {{"frame", 0}});
  });
  add_action(tr("Last frame"), {Qt::Key_End}, tr("To the last frame"), [this] {
    link_.call("seek", {{"frame", std::max(0, state_["frames"].toInt() - 1)}});
  });
  add_action(tr("Backwards"), {Qt::Key_J}, tr("Play backwards; again: faster"), [this] {
    const double rate = state_["rate"].toDouble(1);
    change_rate(rate < 0 ? std::max(-8.0, rate * 2) : -1);
  });
  add_action(tr("Forwards"), {Qt::Key_L}, tr("Play forwards; again: faster"), [this] {
    const double rate = state_["rate"].toDouble(1);
    change_rate(rate >= 1 ? std::min(8.0, rate * 2) : 1);
  });
  loop_ = add_action(tr("Loop"), {QKeySequence(Qt::CTRL | Qt::Key_L)}, tr("Begin again at the end"), [this] {
    link_.call("loop", {{"loop", loop_->isChecked()}});
  });
  loop_->setCheckable(true);
  identify_ = add_action(tr("Identify"), {Qt::Key_I}, tr("Show each tile's number, node and size on the wall"), [this] {
    link_.call("identify", {{"on", identify_->isChecked()}});
  });
  identify_->setCheckable(true);
  mark_ = add_action(tr("Mark gaps"), {Qt::Key_M},
                     tr("Mark on the wall the rows that did not come and show the frame before"), [this] {
                       link_.call("mark", {{"on", mark_->isChecked()}});
                     });
  mark_->setCheckable(true);
  pause_plots_ = add_action(tr("Hold plots"), {Qt::Key_P}, tr("Stop the plots where they are; nothing is lost"), [] {});
  pause_plots_->setCheckable(true);
  export_ = add_action(
      QString::fromUtf8("Export\u2026"), {QKeySequence(Qt::CTRL | Qt::Key_E)},
      tr("Save what plots, heat map or table show: figures (.csv, .json), picture (.png), or a report (.html)"),
      [this] { ask_and_export(); });
  add_action(tr("Acknowledge"), {Qt::Key_A}, tr("Acknowledge the alarms"), [this] { alarms_->acknowledge(); });
  add_action(tr("Alarms"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A)}, tr("Change when alarms are raised"),
             [this] { alarms_->edit_rules(); });
  add_action(tr("Record"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)}, tr("Record a session, or stop recording"),
             [this] { sessions_->ask_and_record(); });
  add_action(tr("Open"), {QKeySequence::Open}, tr("Open a recorded session"), [this] { sessions_->ask_and_open(); });
  add_action(tr("Search"), {QKeySequence::Find}, tr("Search the library"), [this] { search_->setFocus(); });
  add_action(tr("Refresh"), {QKeySequence::Refresh}, tr("Read the library anew"), [this] { refresh_library(); });
  add_action(tr("Full screen"), {Qt::Key_F11}, tr("Full screen"),
             [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
  add_action(tr("Keys"), {QKeySequence("?")}, tr("Show all keys"), [this] { show_keys(); });
}

QWidget* MainWindow::make_connection() {
  auto* bar = new QWidget;
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(0, 0, 0, 4);
  address_ = new QLineEdit("127.0.0.1:9010");
  address_->setAccessibleName(tr("Server's control address"));
  address_->setFixedWidth(190);
  auto* connect_button = new QPushButton(tr("Connect"));
  link_text_ = new QLabel;
  layout->addWidget(heading(tr("Server")));
  layout->addWidget(address_);
  layout->addWidget(connect_button);
  layout->addSpacing(10);
  layout->addWidget(link_text_, 1);
  auto* keys = new QLabel(tr("? shows all keys"));
  keys->setForegroundRole(QPalette::PlaceholderText);
  layout->addWidget(keys);
  const auto go = [this] { connect_to(address_->text()); };
  connect(connect_button, &QPushButton::clicked, this, go);
  connect(address_, &QLineEdit::returnPressed, this, go);
  return bar;
}

QWidget* MainWindow::make_library() {
  auto* panel = new QWidget;
  auto* layout = new QVBoxLayout(panel);
  layout->setContentsMargins(0, 0, 4, 0);
  search_ = new QLineEdit;
  search_->setPlaceholderText(tr("Search titles and tags"));
  search_->setAccessibleName(tr("Search the library"));
  search_->setClearButtonEnabled(true);
  found_.setSourceModel(&library_);
  found_.setFilterRole(LibraryModel::search_role);
  found_.setFilterCaseSensitivity(Qt::CaseInsensitive);
  connect(search_, &QLineEdit::textChanged, &found_, &QSortFilterProxyModel::setFilterFixedString);
  library_view_ = new QListView;
  library_view_->setObjectName("library");
  library_view_->setModel(&found_);
  library_view_->setItemDelegate(new LibraryDelegate(library_view_));
  library_view_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  library_view_->setAccessibleName(tr("Library"));
  connect(library_view_, &QListView::activated, this, [this] { load_selected(); });
  offer_copies(library_view_, [this] { load_selected(); });
  layout->addWidget(heading(tr("Library")));
  layout->addWidget(search_);
  layout->addWidget(library_view_, 1);
  auto* hint = new QLabel(tr("Double click or Enter shows it on the wall"));
  hint->setForegroundRole(QPalette::PlaceholderText);
  layout->addWidget(hint);
  panel->setMinimumWidth(300);
  return panel;
}

QWidget* MainWindow::make_center() {
  auto* panel = new QWidget;
  auto* layout = new QVBoxLayout(panel);
  layout->setContentsMargins(4, 0, 4, 0);
  wall_ = new WallView(history_);
  events_ = new EventLog;
  wall_figures_ = new QLabel;
  wall_figures_->setObjectName("wall-figures");
  wall_figures_->setForegroundRole(QPalette::PlaceholderText);
  wall_figures_->setToolTip(
      tr("Skew: latest less earliest swap of a frame over all tiles, newest 256 frames.\n"
         "Playout delay: from a frame's media time to its presentation."));
  auto* title = new QHBoxLayout;
  title->addWidget(heading(tr("Wall")));
  title->addStretch(1);
  title->addWidget(wall_figures_);
  alarms_ = new AlarmBar(history_);
  connect(alarms_, &AlarmBar::happened, events_, &EventLog::add);
  layout->addLayout(title);
  layout->addWidget(alarms_);
  layout->addWidget(wall_, 3);
  layout->addWidget(make_transport());
  layout->addWidget(events_, 1);
  return panel;
}

QWidget* MainWindow::make_transport() {
  auto* panel = new QWidget;
  auto* layout = new QVBoxLayout(panel);
  layout->setContentsMargins(0, 2, 0, 2);
  auto* line = new QHBoxLayout;
  now_playing_ = new QLabel;
  position_ = new QLabel;
  line->addWidget(now_playing_, 1);
  line->addWidget(position_);
  layout->addLayout(line);
  seek_ = new QSlider(Qt::Horizontal);
  seek_->setObjectName("seek");
  seek_->setAccessibleName(tr("Position"));
  // Left and right step by frames everywhere.
  seek_->setFocusPolicy(Qt::ClickFocus);
  connect(seek_, &QSlider::valueChanged, this, [this](int frame) {
    if (!applying_state_) link_.call("seek", {{"frame", frame}});
  });
  layout->addWidget(seek_);
  auto* buttons = new QHBoxLayout;
  auto* play_button = button(play_);
  play_button->setMinimumWidth(70);
  rate_ = new QDoubleSpinBox;
  rate_->setRange(-8, 8);
  rate_->setSingleStep(0.25);
  rate_->setDecimals(2);
  rate_->setSuffix(QString::fromUtf8(" \u00d7"));
  rate_->setAccessibleName(tr("Rate"));
  rate_->setToolTip(tr("Frames of the visualization per frame of the wall; negative plays backwards (J, L)"));
  rate_->setKeyboardTracking(false);
  connect(rate_, &QDoubleSpinBox::valueChanged, this, [this](double rate) {
    if (!applying_state_ && rate != 0) link_.call("rate", {{"rate", rate}});
  });
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
  connect(pattern_, &QComboBox::activated, this, [this] {
    link_.call("pattern", {{"pattern", pattern_->currentData().toString()}});
  });
  auto* mark_button = button(mark_);
  auto* identify_button = button(identify_);
  const QList transport{play_button, button(stop_), button(back_), button(forward_), button(loop_)};
  for (auto* part : transport) buttons->addWidget(part);
  for (auto* part : transport + QList{mark_button, identify_button}) offer_copies(part);
  offer_copies(rate_, [this] { link_.call("rate", {{"rate", rate_->value()}}); });
  offer_copies(pattern_, [this] { link_.call("pattern", {{"pattern", pattern_->currentData().toString()}}); });
  offer_copies(seek_, [this] { link_.call("seek", {{"frame", seek_->value()}}); });
  buttons->addWidget(new QLabel(tr("Rate")));
  buttons->addWidget(rate_);
  buttons->addStretch(1);
  buttons->addWidget(mark_button);
  buttons->addWidget(identify_button);
  buttons->addWidget(pattern_);
  layout->addLayout(buttons);
  return panel;
}

void MainWindow::connect_to(const QString& address) {
  address_->setText(address);
  link_.connect_to(address);
}

void MainWindow::on_link_state(ControlLink::State state, const QString& text) {
  using State = ControlLink::State;
  const QString mark = state == State::ready        ? QString::fromUtf8("\u25cf ")
                       : state == State::connecting ? QString::fromUtf8("\u25cc ")
                                                    : QString::fromUtf8("\u25b2 ");
  const QColor color = state == State::ready        ? colors::good
                       : state == State::connecting ? colors::faint
                                                    : colors::warning;
  link_text_->setText(mark + text);
  link_text_->setStyleSheet(QString("color: %1").arg(color.name()));
  const bool ready = state == State::ready;
  wall_->set_connected(ready);
  for (auto* action : {play_, stop_, back_, forward_, loop_, identify_, mark_}) action->setEnabled(ready);
  for (QWidget* widget : {static_cast<QWidget*>(seek_), static_cast<QWidget*>(rate_), static_cast<QWidget*>(pattern_)})
    widget->setEnabled(ready);
  if (!ready) {
    now_playing_->setText(tr("Not connected"));
    position_->clear();
  }
}

void MainWindow::on_ready(const QJsonObject& info) {
  show_wall(info);
  refresh_library();
}

void MainWindow::show_wall(const QJsonObject& info) {
  info_ = info;
  history_.set_wall(info);
  wall_->set_wall(info);
  network_->set_wall();
  setWindowTitle(tr("%1 - Lambdawall control").arg(info["wall"].toObject()["name"].toString()));
}

void MainWindow::refresh_library() {
  if (link_.state() != ControlLink::State::ready) return;
  link_.call("list", {}, [this](const QJsonValue& result, const QString& error) {
    if (!error.isEmpty()) return;
    library_.set_visualizations(result["visualizations"].toArray());
    fetch_posters();
  });
}

void MainWindow::fetch_posters() {
  for (const auto& name : library_.without_poster())
    link_.call(
        "image", {{"name", name}, {"kind", "poster"}}, [this, name](const QJsonValue& result, const QString& error) {
          QPixmap poster;
          if (error.isEmpty() && poster.loadFromData(QByteArray::fromBase64(result["base64"].toString().toLatin1())))
            library_.set_poster(name, poster);
        });
}

void MainWindow::load_selected() {
  const auto index = library_view_->currentIndex().isValid() ? library_view_->currentIndex() : found_.index(0, 0);
  if (index.isValid()) link_.call("load", {{"name", index.data(LibraryModel::name_role).toString()}});
}

void MainWindow::step(int frames) {
  if (state_["status"].toString() == "stopped") return;
  link_.call("pause");
  link_.call("seek",
             {{"frame", std::clamp(state_["frame"].toInt() + frames, 0, std::max(0, state_["frames"].toInt() - 1))}});
}

void MainWindow::change_rate(double rate) {
  link_.call("rate", {{"rate", rate}});
  if (state_["status"].toString() == "paused") link_.call("play");
}

void MainWindow::on_play_state(const QJsonObject& state) {
  state_ = state;
  applying_state_ = true;
  const auto status = state["status"].toString();
  const auto name = state["name"].toString();
  const int frames = state["frames"].toInt();
  const int frame = state["frame"].toInt();
  const double rate = rate_number(state["frame_rate"].toString("1"));
  library_.set_playing(name);
  if (!name.isEmpty() && library_.find(name) == nullptr && library_.rowCount() > 0) refresh_library();
  const auto* row = library_.find(name);
  const auto title = row != nullptr ? row->title : name;
  now_playing_->setText(
      status == "stopped"
          ? tr("Stopped")
          : tr("<b>%1</b>  %2").arg(title.toHtmlEscaped(), status == "playing" ? tr("playing") : tr("paused")));
  position_->setText(
      status == "stopped" || rate <= 0
          ? QString()
          : tr("frame %1 of %2   %3 / %4").arg(frame).arg(frames).arg(clock(frame / rate), clock(frames / rate)));
  play_->setText(status == "playing" ? tr("Pause") : tr("Play"));
  seek_->setMaximum(std::max(0, frames - 1));
  if (!seek_->isSliderDown()) seek_->setValue(frame);
  rate_->setValue(state["rate"].toDouble(1));
  loop_->setChecked(state["loop"].toBool());
  applying_state_ = false;
}

void MainWindow::on_stats(const QJsonObject& stats) {
  take_stats(stats);
  show_stats();
}

void MainWindow::take_stats(const QJsonObject& stats) {
  had_gap_ = false;
  history_.add(stats);
  alarms_->step();
}

void MainWindow::show_stats() {
  network_->refresh_table();
  wall_->refresh();
  show_wall_figures();
  network_->refresh_plots();
}

void MainWindow::show_wall_figures() {
  const auto& wall = history_.wall();
  const auto ms = [](double us) {
    return us < 10'000 ? QString::number(us / 1000, 'g', 2) : QString::number(us / 1000, 'f', 0);
  };
  QStringList parts;
  if (wall.skew_us_p50 && wall.skew_us_p99)
    parts << tr("skew %1 ms, p99 %2 ms").arg(ms(*wall.skew_us_p50), ms(*wall.skew_us_p99));
  if (wall.playout_delay_us) parts << tr("playout delay %1 ms").arg(ms(*wall.playout_delay_us));
  wall_figures_->setText(parts.join(QString::fromUtf8("  \u00b7  ")));
}

void MainWindow::on_event(const QJsonObject& json) {
  if (const auto event = to_event(json)) events_->add(*event);
}

void MainWindow::tell(const QString& words) {
  statusBar()->showMessage(words, message_ms);
  events_->add(own_event(Severity::error, "wall-control", words));
}

void MainWindow::ask_and_export() {
  const auto path = QFileDialog::getSaveFileName(this, tr("Export what is shown"), "lambdawall.csv",
                                                 tr("Figures (*.csv *.json);;Picture (*.png);;Report (*.html)"));
  if (path.isEmpty()) return;
  const auto problem = path.endsWith(".html", Qt::CaseInsensitive)
                           ? save_report(path, report_of(network_->source(), events_->model(), info_))
                           : network_->save(path);
  if (!problem.isEmpty()) return tell(problem);
  statusBar()->showMessage(tr("Saved %1").arg(path), message_ms);
}

// What the control would ask the server for, from its context menu.
void MainWindow::offer_copies(QWidget* control, const std::function<void()>& run) {
  auto* menu = new QMenu(control);
  menu->setObjectName("copies");
  const auto offer = [this, menu, run](const QString& text, auto to_text) {
    connect(menu->addAction(text), &QAction::triggered, this, [this, run, to_text] {
      const auto calls = link_.calls_of(run);
      if (calls.empty()) return;
      QGuiApplication::clipboard()->setText(to_text(calls));
      statusBar()->showMessage(tr("Copied: %1").arg(to_text(calls)), message_ms);
    });
  };
  control->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(control, &QWidget::customContextMenuRequested, menu,
          [control, menu](const QPoint& place) { menu->popup(control->mapToGlobal(place)); });
  offer(tr("Copy as command line"), [this](const auto& calls) { return as_command_line(link_.address(), calls); });
  offer(tr("Copy as JSON-RPC"), [](const auto& calls) { return as_json_rpc(calls); });
}

void MainWindow::offer_copies(QToolButton* button) {
  auto* action = button->defaultAction();
  offer_copies(static_cast<QWidget*>(button), [this, action] {
    // A checkable action asks for what it shows after it was pressed.
    const QSignalBlocker quiet(action);
    if (action->isCheckable()) action->toggle();
    runs_[action]();
    if (action->isCheckable()) action->toggle();
  });
}

void MainWindow::show_keys() {
  QString table = "<table cellspacing=8>";
  for (const auto* action : keyed_) {
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
