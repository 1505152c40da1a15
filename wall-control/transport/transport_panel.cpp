#include "wall-control/transport/transport_panel.h"

#include "wall-control/app/commands.h"
#include "wall-control/link/control_link.h"
#include "wall-control/models/rate_number.h"

#include <QAction>
#include <QBoxLayout>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QSlider>
#include <QToolButton>

#include <algorithm>

namespace lw {
namespace {

constexpr double rate_max = 8;

QString clock(double seconds) {
  return QString("%1:%2")
      .arg(static_cast<int>(seconds) / 60)
      .arg(seconds - static_cast<int>(seconds) / 60 * 60, 4, 'f', 1, '0');
}

}  // namespace

TransportPanel::TransportPanel(ControlLink& link, Commands& commands, QWidget* parent) : QWidget(parent), link_(link) {
  make_actions(commands);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 2, 0, 2);
  now_playing_ = new QLabel;
  position_ = new QLabel;
  auto* line = new QHBoxLayout;
  line->addWidget(now_playing_, 1);
  line->addWidget(position_);
  layout->addLayout(line);
  seek_ = new QSlider(Qt::Horizontal);
  seek_->setObjectName("seek");
  seek_->setAccessibleName(tr("Position"));
  // Left and right step by frames everywhere.
  seek_->setFocusPolicy(Qt::ClickFocus);
  connect(seek_, &QSlider::valueChanged, this, [this](int frame) {
    if (!applying_state_) seek(frame);
  });
  commands.offer_copies(seek_, [this] { seek(seek_->value()); });
  layout->addWidget(seek_);
  make_buttons(commands);
  layout->addLayout(buttons_);
}

void TransportPanel::make_actions(Commands& commands) {
  play_ = commands.add(tr("Play"), {Qt::Key_Space, Qt::Key_K}, tr("Play or pause"), [this] { play_or_pause(); });
  stop_ = commands.add(tr("Stop"), {QKeySequence(Qt::CTRL | Qt::Key_Period)}, tr("Stop sending"),
                       [this] { link_.call("stop"); });
  back_ = commands.add(QString::fromUtf8("\u2039 frame"), {Qt::Key_Left}, tr("One frame back, paused"),
                       [this] { step(-1); });
  forward_ =
      commands.add(QString::fromUtf8("frame \u203a"), {Qt::Key_Right}, tr("One frame on, paused"), [this] { step(1); });
  commands.add(tr("First frame"), {Qt::Key_Home}, tr("To the first frame"), [this] { seek(0); });
  commands.add(tr("Last frame"), {Qt::Key_End}, tr("To the last frame"), [this] { seek(last_frame()); });
  commands.add(tr("Backwards"), {Qt::Key_J}, tr("Play backwards; again: faster"), [this] {
    const double rate = state_["rate"].toDouble(1);
    change_rate(rate < 0 ? std::max(-rate_max, rate * 2) : -1);
  });
  commands.add(tr("Forwards"), {Qt::Key_L}, tr("Play forwards; again: faster"), [this] {
    const double rate = state_["rate"].toDouble(1);
    change_rate(rate >= 1 ? std::min(rate_max, rate * 2) : 1);
  });
  loop_ = commands.add(tr("Loop"), {QKeySequence(Qt::CTRL | Qt::Key_L)}, tr("Begin again at the end"), [this] {
    link_.call("loop", {{"loop", loop_->isChecked()}});
  });
  loop_->setCheckable(true);
}

void TransportPanel::make_buttons(Commands& commands) {
  rate_ = new QDoubleSpinBox;
  rate_->setRange(-rate_max, rate_max);
  rate_->setSingleStep(0.25);
  rate_->setDecimals(2);
  rate_->setSuffix(QString::fromUtf8(" \u00d7"));
  rate_->setAccessibleName(tr("Rate"));
  rate_->setToolTip(tr("Frames of the visualization per frame of the wall; negative plays backwards (J, L)"));
  rate_->setKeyboardTracking(false);
  connect(rate_, &QDoubleSpinBox::valueChanged, this, [this](double rate) {
    if (!applying_state_ && rate != 0) link_.call("rate", {{"rate", rate}});
  });
  commands.offer_copies(rate_, [this] { link_.call("rate", {{"rate", rate_->value()}}); });
  auto* play_button = commands.button(play_);
  play_button->setMinimumWidth(70);
  buttons_ = new QHBoxLayout;
  buttons_->addWidget(play_button);
  for (auto* action : {stop_, back_, forward_, loop_}) buttons_->addWidget(commands.button(action));
  buttons_->addWidget(new QLabel(tr("Rate")));
  buttons_->addWidget(rate_);
  buttons_->addStretch(1);
}

int TransportPanel::last_frame() const { return std::max(0, state_["frames"].toInt() - 1); }

void TransportPanel::play_or_pause() {
  const auto status = state_["status"].toString();
  if (status == "stopped") return emit start_wanted();
  link_.call(status == "playing" ? "pause" : "play");
}

void TransportPanel::seek(int frame) { link_.call("seek", {{"frame", frame}}); }

void TransportPanel::step(int frames) {
  if (state_["status"].toString() == "stopped") return;
  link_.call("pause");
  seek(std::clamp(state_["frame"].toInt() + frames, 0, last_frame()));
}

void TransportPanel::change_rate(double rate) {
  link_.call("rate", {{"rate", rate}});
  if (state_["status"].toString() == "paused") link_.call("play");
}

void TransportPanel::set_connected(bool connected, bool may_change) {
  for (auto* action : {play_, stop_, back_, forward_, loop_}) action->setEnabled(may_change);
  seek_->setEnabled(may_change);
  rate_->setEnabled(may_change);
  if (connected) return;
  now_playing_->setText(tr("Not connected"));
  position_->clear();
}

void TransportPanel::set_state(const QJsonObject& state, const QString& title) {
  state_ = state;
  applying_state_ = true;
  const auto status = state["status"].toString();
  const int frames = state["frames"].toInt();
  const int frame = state["frame"].toInt();
  const double rate = rate_number(state["frame_rate"].toString("1"));
  now_playing_->setText(
      status == "stopped"
          ? tr("Stopped")
          : tr("<b>%1</b>  %2").arg(title.toHtmlEscaped(), status == "playing" ? tr("playing") : tr("paused")));
  position_->setText(
      status == "stopped" || rate <= 0
          ? QString()
          : tr("frame %1 of %2   %3 / %4").arg(frame).arg(frames).arg(clock(frame / rate), clock(frames / rate)));
  play_->setText(status == "playing" ? tr("Pause") : tr("Play"));
  seek_->setMaximum(last_frame());
  if (!seek_->isSliderDown()) seek_->setValue(frame);
  rate_->setValue(state["rate"].toDouble(1));
  loop_->setChecked(state["loop"].toBool());
  applying_state_ = false;
}

}  // namespace lw
