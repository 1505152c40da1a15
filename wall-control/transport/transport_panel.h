// The transport: what plays, where it is, and the controls to move it. Shows what the server says is so; what a button
// asks for appears when the server has done it.
#pragma once

#include <QJsonObject>
#include <QList>
#include <QWidget>

class QAction;
class QDoubleSpinBox;
class QHBoxLayout;
class QLabel;
class QSlider;

namespace lw {

class Commands;
class ControlLink;

class TransportPanel : public QWidget {
  Q_OBJECT

public:
  // Both outlive this.
  TransportPanel(ControlLink& link, Commands& commands, QWidget* parent = nullptr);

  void set_connected(bool connected, bool may_change);
  // Of the server; `title` is of what plays.
  void set_state(const QJsonObject& state, const QString& title);

signals:
  void start_wanted();  // play was asked for, and nothing is loaded

private:
  void make_actions(Commands& commands);
  void make_buttons(Commands& commands);
  void play_or_pause();
  void seek(int frame);
  void step(int frames);
  void change_rate(double rate);
  [[nodiscard]] int last_frame() const;

  ControlLink& link_;
  QLabel* now_playing_ = nullptr;
  QLabel* position_ = nullptr;
  QSlider* seek_ = nullptr;
  QHBoxLayout* buttons_ = nullptr;
  QDoubleSpinBox* rate_ = nullptr;
  QAction* play_ = nullptr;
  QAction* stop_ = nullptr;
  QAction* back_ = nullptr;
  QAction* forward_ = nullptr;
  QAction* loop_ = nullptr;
  QJsonObject state_;
  bool applying_state_ = false;  // controls follow the server now: do not answer with a call
};

}  // namespace lw
