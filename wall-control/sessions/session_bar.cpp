#include "wall-control/sessions/session_bar.h"

#include "wall-control/ui/heading.h"

#include <QAction>
#include <QBoxLayout>
#include <QClipboard>
#include <QComboBox>
#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMenu>
#include <QSlider>
#include <QToolButton>

namespace lw {
namespace {

constexpr int slider_step_ms = 100;

QString clock(qint64 ms) { return QTime(0, 0).addMSecs(static_cast<int>(ms % 86'400'000)).toString("HH:mm:ss"); }

}  // namespace

SessionBar::SessionBar(Recorder& recorder, SessionPlayer& player, std::function<QString()> address, QWidget* parent)
    : QWidget(parent), recorder_(recorder), player_(player), address_(std::move(address)) {
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(heading(tr("Session")));
  record_ =
      add_button(QString::fromUtf8("\u25cf ") + tr("Record"),
                 tr("Record all telemetry and events into a folder (Ctrl+Shift+R)"), [this] { ask_and_record(); });
  open_ = add_button(tr("Open…"), tr("Open a recorded session (Ctrl+O)"), [this] { ask_and_open(); });
  play_ =
      add_button(tr("Play session"), tr("Play the session, or hold it"), [this] { player_.play(!player_.playing()); });
  position_ = new QSlider(Qt::Horizontal);
  position_->setObjectName("session-position");
  position_->setAccessibleName(tr("Position in the session"));
  position_->setSingleStep(1000 / slider_step_ms);
  position_->setPageStep(10'000 / slider_step_ms);
  connect(position_, &QSlider::valueChanged, this, [this](int value) { player_.seek(1LL * value * slider_step_ms); });
  speed_ = new QComboBox;
  speed_->setAccessibleName(tr("Speed of the session"));
  for (const int speed : {1, 2, 5, 10, 60}) speed_->addItem(tr("%1 times").arg(speed), speed);
  connect(speed_, &QComboBox::currentIndexChanged, this,
          [this] { player_.set_speed(speed_->currentData().toDouble()); });
  close_ = add_button(tr("Close session"), tr("Back to the server"), [this] { player_.close(); });
  text_ = new QLabel;
  text_->setObjectName("session-text");
  text_->setForegroundRole(QPalette::PlaceholderText);
  for (QWidget* part : {static_cast<QWidget*>(record_), static_cast<QWidget*>(open_), static_cast<QWidget*>(play_)})
    layout->addWidget(part);
  layout->addWidget(position_, 2);
  layout->addWidget(speed_);
  layout->addWidget(close_);
  layout->addWidget(text_, 1);
  offer_command(record_,
                [this] { return QString("wall-control --connect %1 --record SESSION --seconds 60").arg(address_()); });
  offer_command(open_, [this] {
    return QString("wall-control --open %1").arg(player_.is_open() ? player_.reader().path() : QString("SESSION"));
  });
  connect(&recorder, &Recorder::changed, this, &SessionBar::show_state);
  connect(&recorder, &Recorder::failed, this, &SessionBar::failed);
  connect(&player, &SessionPlayer::changed, this, &SessionBar::show_state);
  show_state();
}

QToolButton* SessionBar::add_button(const QString& text, const QString& tip, const std::function<void()>& run) {
  auto* button = new QToolButton;
  button->setText(text);
  button->setToolTip(tip);
  button->setMinimumHeight(26);
  connect(button, &QToolButton::clicked, this, run);
  return button;
}

void SessionBar::offer_command(QWidget* control, const std::function<QString()>& command) {
  auto* menu = new QMenu(control);
  menu->setObjectName("copies");
  connect(menu->addAction(tr("Copy as command line")), &QAction::triggered, this, [this, command] {
    QGuiApplication::clipboard()->setText(command());
    emit copied(command());
  });
  control->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(control, &QWidget::customContextMenuRequested, menu,
          [control, menu](const QPoint& place) { menu->popup(control->mapToGlobal(place)); });
}

void SessionBar::ask_and_record() {
  if (recorder_.recording()) return recorder_.stop();
  if (player_.is_open()) return;
  const auto name = QDateTime::currentDateTime().toString("'session-'yyyy-MM-dd-HHmmss");
  const auto folder = QFileDialog::getSaveFileName(this, tr("Record a session into a new folder"),
                                                   QDir::home().filePath(name), {}, nullptr);
  if (folder.isEmpty()) return;
  const auto problem = recorder_.start(folder);
  if (!problem.isEmpty()) emit failed(problem);
}

void SessionBar::ask_and_open() {
  const auto folder = QFileDialog::getExistingDirectory(this, tr("Open a session's folder"));
  if (folder.isEmpty()) return;
  const auto problem = player_.open(folder);
  if (!problem.isEmpty()) emit failed(problem);
}

void SessionBar::show_state() {
  const bool open = player_.is_open();
  setVisible(open);
  record_->setText(recorder_.recording() ? QString::fromUtf8("\u25a0 ") + tr("Stop recording")
                                         : QString::fromUtf8("\u25cf ") + tr("Record"));
  record_->setEnabled(!open);
  open_->setEnabled(!recorder_.recording());
  for (QWidget* part : {static_cast<QWidget*>(play_), static_cast<QWidget*>(position_), static_cast<QWidget*>(speed_),
                        static_cast<QWidget*>(close_)})
    part->setVisible(open);
  if (open) {
    play_->setText(player_.playing() ? tr("Hold session") : tr("Play session"));
    const QSignalBlocker quiet(position_);
    position_->setMaximum(static_cast<int>(player_.length_ms() / slider_step_ms));
    if (!position_->isSliderDown()) position_->setValue(static_cast<int>(player_.position_ms() / slider_step_ms));
    text_->setText(tr("%1 of %2%3")
                       .arg(clock(player_.position_ms()), clock(player_.length_ms()),
                            player_.reader().cut() ? tr(", its last line is cut") : QString()));
  } else {
    text_->setText(recorder_.recording() ? tr("recording to %1").arg(recorder_.folder()) : QString());
  }
}

}  // namespace lw
