#include "wall-control/app/main_window.h"

#include "wall-control/app/heading.h"
#include "wall-control/app/network_panel.h"
#include "wall-control/app/palette.h"
#include "wall-control/library/library_panel.h"
#include "wall-control/playlist/playlist_panel.h"
#include "wall-control/transport/transport_panel.h"
#include "wall-control/wallview/wall_view.h"

#include <QAction>
#include <QBoxLayout>
#include <QComboBox>
#include <QFileDialog>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStatusBar>
#include <QTabWidget>
#include <QToolButton>

namespace lw {
namespace {

constexpr int message_ms = 10'000;

}  // namespace

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent) {
  setWindowTitle(tr("Lambdawall control"));
  transport_ = new TransportPanel(link_, commands_);
  library_ = new LibraryPanel(link_, commands_);
  make_actions();
  transport_->add_tools(make_wall_tools());
  connect(transport_, &TransportPanel::start_wanted, library_, &LibraryPanel::load_selected);
  auto* columns = new QSplitter(Qt::Horizontal);
  columns->addWidget(make_left());
  columns->addWidget(make_center());
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
  layout->addWidget(make_connection());
  layout->addWidget(columns, 1);
  setCentralWidget(central);
  statusBar();

  connect(&commands_, &Commands::copied, this,
          [this](const QString& text) { statusBar()->showMessage(tr("Copied: %1").arg(text), message_ms); });
  connect(&link_, &ControlLink::state_changed, this, &MainWindow::on_link_state);
  connect(&link_, &ControlLink::ready, this, &MainWindow::on_ready);
  connect(&link_, &ControlLink::play_state, this, &MainWindow::on_play_state);
  connect(&link_, &ControlLink::stats, this, &MainWindow::on_stats);
  connect(&link_, &ControlLink::event, this, &MainWindow::on_event);
  connect(&link_, &ControlLink::call_failed, this,
          [this](const QString& method, const QString& error) { tell(tr("%1: %2").arg(method, error)); });
  gap_timer_.setInterval(500);
  connect(&gap_timer_, &QTimer::timeout, this, [this] {
    if (std::exchange(had_gap_, true)) {
      history_.add_gap();
      wall_->refresh();
      show_wall_figures();
      transport_->take(history_);
      network_->refresh_plots();
    }
  });
  gap_timer_.start();
  on_link_state(link_.state(), tr("Not connected"));
  resize(1360, 800);
}

void MainWindow::make_actions() {
  identify_ =
      commands_.add(tr("Identify"), {Qt::Key_I}, tr("Show each tile's number, node and size on the wall"), [this] {
        link_.call("identify", {{"on", identify_->isChecked()}});
      });
  identify_->setCheckable(true);
  mark_ = commands_.add(tr("Mark gaps"), {Qt::Key_M},
                        tr("Mark on the wall the rows that did not come and show the frame before"), [this] {
                          link_.call("mark", {{"on", mark_->isChecked()}});
                        });
  mark_->setCheckable(true);
  pause_plots_ =
      commands_.add(tr("Hold plots"), {Qt::Key_P}, tr("Stop the plots where they are; nothing is lost"), [] {});
  pause_plots_->setCheckable(true);
  export_ = commands_.add(QString::fromUtf8("Export\u2026"), {QKeySequence(Qt::CTRL | Qt::Key_E)},
                          tr("Save what plots, heat map or table show: figures (.csv, .json) or picture (.png)"),
                          [this] { ask_and_export(); });
  commands_.add(tr("Full screen"), {Qt::Key_F11}, tr("Full screen"),
                [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
  commands_.add(tr("Keys"), {QKeySequence("?")}, tr("Show all keys"), [this] { show_keys(); });
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
  wall_ = new WallView(history_);
  events_ = new QPlainTextEdit;
  events_->setReadOnly(true);
  events_->setMaximumBlockCount(1000);
  events_->setAccessibleName(tr("Events"));
  events_->setFrameShape(QFrame::NoFrame);
  events_->setTabChangesFocus(true);
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
  layout->addLayout(title);
  layout->addWidget(wall_, 3);
  layout->addWidget(transport_);
  layout->addWidget(heading(tr("Events")));
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
  connect(pattern_, &QComboBox::activated, this, [this] {
    link_.call("pattern", {{"pattern", pattern_->currentData().toString()}});
  });
  commands_.offer_copies(pattern_, [this] {
    link_.call("pattern", {{"pattern", pattern_->currentData().toString()}});
  });
  return {commands_.button(mark_), commands_.button(identify_), pattern_};
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
  transport_->set_connected(ready);
  for (auto* action : {identify_, mark_}) action->setEnabled(ready);
  pattern_->setEnabled(ready);
}

void MainWindow::on_ready(const QJsonObject& info) {
  history_.set_wall(info);
  wall_->set_wall(info);
  network_->set_wall();
  setWindowTitle(tr("%1 - Lambdawall control").arg(info["wall"].toObject()["name"].toString()));
  library_->refresh();
}

void MainWindow::on_play_state(const QJsonObject& state) {
  library_->set_state(state);
  playlist_->set_state(state);
  transport_->set_state(state, library_->title_of(state["name"].toString()));
}

void MainWindow::on_stats(const QJsonObject& stats) {
  had_gap_ = false;
  history_.add(stats);
  network_->refresh_table();
  wall_->refresh();
  show_wall_figures();
  transport_->take(history_);
  if (pause_plots_->isChecked()) return;
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

void MainWindow::on_event(const QJsonObject& event) {
  const auto time =
      QDateTime::fromString(event["time"].toString(), Qt::ISODateWithMs).toLocalTime().toString("HH:mm:ss");
  const auto severity = event["severity"].toString();
  const auto mark = severity == "error"     ? QString::fromUtf8("\u2717")
                    : severity == "warning" ? QString::fromUtf8("\u25b2")
                                            : QString::fromUtf8("\u00b7");
  events_->appendPlainText(QString("%1  %2  %3").arg(time, mark, event["text"].toString()));
}

void MainWindow::tell(const QString& words) {
  statusBar()->showMessage(words, message_ms);
  events_->appendPlainText(
      QString("%1  %2  %3").arg(QTime::currentTime().toString("HH:mm:ss"), QString::fromUtf8("\u2717"), words));
}

void MainWindow::ask_and_export() {
  const auto path = QFileDialog::getSaveFileName(this, tr("Export what is shown"), "lambdawall.csv",
                                                 tr("Figures (*.csv *.json);;Picture (*.png)"));
  if (path.isEmpty()) return;
  const auto problem = network_->save(path);
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
