// How loud the nodes play: mute, a level, and the level that is heard. Hidden where no node of the wall plays sound.
// It shows what the server reports, and changes it there.
#pragma once

#include "common/messages/play_state.h"

#include <QToolButton>

#include <optional>

class QAction;
class QLabel;
class QSlider;

namespace lw {

class Commands;
class ControlLink;
class LevelMeter;

class VolumeButton : public QToolButton {
  Q_OBJECT

public:
  // Both must outlive this.
  VolumeButton(ControlLink& link, Commands& commands, QWidget* parent = nullptr);

  // Of the server; also called when the link's permission to change anything has changed.
  void set_state(const StateMessage& state);
  // Of the loudest node, dB of full scale; none while nothing plays.
  void set_peak(const std::optional<double>& db);
  [[nodiscard]] QString words() const;  // "-12 dB, muted"

private:
  void make_popup();
  void show_level();

  ControlLink& link_;
  QAction* mute_ = nullptr;
  QSlider* slider_ = nullptr;
  QLabel* level_ = nullptr;
  LevelMeter* meter_ = nullptr;
  SoundLevel sound_;
  bool applying_state_ = false;  // the slider is being updated from the server: do not answer with a call
};

}  // namespace lw
