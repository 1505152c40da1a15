// The controls that record, open and play a session.
#pragma once

#include "wall-control/sessions/recorder.h"
#include "wall-control/sessions/session_player.h"

#include <QWidget>

#include <functional>

class QComboBox;
class QLabel;
class QSlider;
class QToolButton;

namespace lw {

class SessionBar : public QWidget {
  Q_OBJECT

public:
  // `address`: the server's, for the command that records as the button does.
  SessionBar(Recorder& recorder, SessionPlayer& player, std::function<QString()> address, QWidget* parent = nullptr);

  // Both ask for a folder first.
  void ask_and_record();
  void ask_and_open();

signals:
  void copied(const QString& text);
  void failed(const QString& words);

private:
  QToolButton* add_button(const QString& text, const QString& tip, const std::function<void()>& run);
  void offer_command(QWidget* control, const std::function<QString()>& command);
  void show_state();

  Recorder& recorder_;
  SessionPlayer& player_;
  std::function<QString()> address_;
  QToolButton* record_ = nullptr;
  QToolButton* open_ = nullptr;
  QToolButton* play_ = nullptr;
  QToolButton* close_ = nullptr;
  QSlider* position_ = nullptr;
  QComboBox* speed_ = nullptr;
  QLabel* text_ = nullptr;
};

}  // namespace lw
