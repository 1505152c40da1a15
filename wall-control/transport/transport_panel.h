// The transport: what plays, its position, and the controls to change it. It shows the state that the server reports;
// the effect of a button appears when the server has carried it out.
#pragma once

#include "common/messages/play_state.h"
#include "wall-control/models/trouble_marks.h"

#include <QList>
#include <QWidget>

class QAction;
class QDoubleSpinBox;
class QHBoxLayout;
class QLabel;

namespace lw {

class Commands;
class ControlLink;
class FlowHistory;
class TimelineBar;

class TransportPanel : public QWidget {
  Q_OBJECT

public:
  // Both must outlive this.
  TransportPanel(ControlLink& link, Commands& commands, QWidget* parent = nullptr);

  // Also called when the link's permission to change anything has changed.
  void set_connected(bool connected);
  using TitleOf = std::function<QString(const QString& name)>;  // of a visualization
  // Of the server.
  void set_state(const StateMessage& state, const TitleOf& title_of);
  // After each `stats`, and when they stop: what the tiles really show.
  void take(const FlowHistory& history);

signals:
  void start_wanted();  // play was requested, and nothing is loaded

private:
  void make_actions(Commands& commands);
  void make_rate(Commands& commands);
  QLayout* make_loop_row(Commands& commands);
  void make_buttons(Commands& commands);
  void enable();
  void play_or_pause();
  void make_timeline(Commands& commands);
  void make_loop_actions(Commands& commands);
  void seek(int frame);
  void ask_for_loop(const LoopRequest& request);
  void show_asked();
  void show_troubles();
  void step(int frames);
  void change_rate(double rate);
  [[nodiscard]] int asked_frame() const { return static_cast<int>(state_.frame.value_or(0)); }
  [[nodiscard]] int frame_count() const { return static_cast<int>(state_.frames.value_or(0)); }
  [[nodiscard]] int first_frame() const { return static_cast<int>(state_.in.value_or(0)); }
  [[nodiscard]] int last_frame() const;

  ControlLink& link_;
  QLabel* now_playing_ = nullptr;
  QLabel* position_ = nullptr;
  TroubleMarks marks_;
  TimelineBar* timeline_ = nullptr;
  QLabel* shown_ = nullptr;
  QLabel* troubles_ = nullptr;
  QHBoxLayout* buttons_ = nullptr;
  QDoubleSpinBox* rate_ = nullptr;
  QAction* play_ = nullptr;
  QAction* stop_ = nullptr;
  QAction* back_ = nullptr;
  QAction* forward_ = nullptr;
  QAction* loop_ = nullptr;
  QAction* next_ = nullptr;
  QAction* set_in_ = nullptr;
  QAction* set_out_ = nullptr;
  QAction* clear_loop_ = nullptr;
  StateMessage state_;
  bool applying_state_ = false;  // controls are being updated from the server: do not answer with a call
};

}  // namespace lw
