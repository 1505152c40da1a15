#include "wall-control/transport/volume_button.h"

#include "wall-control/transport/level_meter.h"
#include "wall-control/ui/commands.h"
#include "wall-control/ui/icons.h"
#include "wall-control/ui/permit.h"

#include <QAction>
#include <QBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QSlider>
#include <QWidgetAction>

#include <cmath>

namespace lw {
namespace {

constexpr int slider_width = 180;

}  // namespace

VolumeButton::VolumeButton(ControlLink& link, Commands& commands, QWidget* parent) : QToolButton(parent), link_(link) {
  setObjectName("volume");
  setAccessibleName(tr("Volume"));
  setPopupMode(QToolButton::InstantPopup);
  setFocusPolicy(Qt::TabFocus);
  mute_ = commands.add(
      tr("Mute"), {QKeySequence(Qt::SHIFT | Qt::Key_M)}, tr("Mute the sound of the wall"),
      [this] {
        link_.call("sound", SoundRequest{std::nullopt, mute_->isChecked()});
      },
      Icon::volume_muted);
  mute_->setCheckable(true);
  make_popup();
  commands.offer_copies(this, [this] { link_.call("sound", SoundRequest{sound_.gain_db, sound_.muted}); });
  set_state({});
}

void VolumeButton::make_popup() {
  slider_ = new QSlider(Qt::Horizontal);
  slider_->setObjectName("volume-slider");
  slider_->setAccessibleName(tr("Volume"));
  slider_->setRange(static_cast<int>(sound_gain_db.min), static_cast<int>(sound_gain_db.max));
  slider_->setPageStep(6);
  slider_->setFixedWidth(slider_width);
  connect(slider_, &QSlider::valueChanged, this, [this](int db) {
    if (!applying_state_) link_.call("sound", SoundRequest{static_cast<double>(db), std::nullopt});
  });
  level_ = new QLabel;
  level_->setObjectName("volume-level");
  level_->setMinimumWidth(level_->fontMetrics().horizontalAdvance("-60 dB"));
  level_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  meter_ = new LevelMeter;
  auto* controls = new QWidget;
  auto* layout = new QVBoxLayout(controls);
  layout->setContentsMargins(10, 8, 10, 8);
  layout->setSpacing(6);
  auto* row = new QHBoxLayout;
  row->addWidget(slider_);
  row->addWidget(level_);
  layout->addLayout(row);
  layout->addWidget(meter_);
  auto* menu = new QMenu(this);
  auto* action = new QWidgetAction(menu);
  action->setDefaultWidget(controls);
  menu->addAction(action);
  menu->addAction(mute_);
  setMenu(menu);
}

void VolumeButton::set_state(const StateMessage& state) {
  setVisible(state.sound.has_value());
  sound_ = state.sound.value_or(SoundLevel{});
  applying_state_ = true;
  if (!slider_->isSliderDown()) slider_->setValue(static_cast<int>(std::lround(sound_.gain_db)));
  mute_->setChecked(sound_.muted);
  mute_->setText(sound_.muted ? tr("Unmute") : tr("Mute"));
  applying_state_ = false;
  permit(mute_, link_, "sound", state.sound.has_value());
  permit(slider_, link_, "sound");
  show_level();
}

QString VolumeButton::words() const {
  const auto level = tr("%1 dB").arg(sound_.gain_db, 0, 'f', 0);
  return sound_.muted ? tr("%1, muted").arg(level) : level;
}

void VolumeButton::show_level() {
  level_->setText(tr("%1 dB").arg(sound_.gain_db, 0, 'f', 0));
  const auto tip = tr("Volume of the wall: %1 (Shift+M mutes)").arg(words());
  if (tip == toolTip()) return;
  setToolTip(tip);
  setAccessibleDescription(words());
  setIcon(lw::icon(sound_.muted ? Icon::volume_muted : Icon::volume));
  if (lw::icon(Icon::volume).isNull()) setText(sound_.muted ? tr("Muted") : tr("Volume"));
}

void VolumeButton::set_peak(const std::optional<double>& db) { meter_->set_peak(db); }

}  // namespace lw
