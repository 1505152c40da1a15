// The transport: the timeline of what plays, and the controls to change it. It shows the state that the server reports;
// a control that was pressed is dimmed until the server has done it.
#pragma once

#include "common/messages/play_state.h"
#include "wall-control/models/trouble_marks.h"
#include "wall-control/transport/timeline_bar.h"
#include "wall-control/ui/icons.h"
#include "wall-control/ui/slow_refresh.h"

#include <QList>
#include <QTimer>
#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

class QAction;
class QBoxLayout;
class QDoubleSpinBox;
class QLabel;
class QToolButton;

namespace lw {

class Commands;
class ControlLink;
class ElidedLabel;
class FlowHistory;
class PlayButton;
class PositionText;
class VolumeButton;

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
  // The thumbnails of what plays, side by side.
  void set_strip(const QPixmap& strip, int thumbnails);
  // After each `stats`, and when they stop: what the tiles really show.
  void take(const FlowHistory& history);
  // Of the loudest node; none while nothing plays.
  void set_sound_peak(const std::optional<double>& db);
  // Puts the choice of how the next visualization follows at the right end.
  void set_transition(QWidget* choice);

signals:
  void start_wanted();  // play was requested, and nothing is loaded
  // A control was pressed some seconds ago, and the server has not done it.
  void still_waiting(const QString& words);

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  struct Wait {
    QAction* action = nullptr;
    QString words;
    std::function<bool(const StateMessage&)> done;
  };
  void make_actions(Commands& commands);
  void make_positions(Commands& commands);
  void make_loop_actions(Commands& commands);
  void make_waits();
  QToolButton* make_rate(Commands& commands);
  QToolButton* make_range();
  QBoxLayout* make_row(Commands& commands);
  void make_timeline(Commands& commands);
  void enable();
  void play_or_pause();
  void seek(int frame);
  class LoopEdit;
  void ask_for_loop(const LoopRequest& request);
  // As an edit that can be undone. `words`: what was done.
  void change_loop(const LoopRequest& request, const QString& words);
  void show_position();
  void show_next(const TitleOf& title_of);
  void step(int frames);
  void change_rate(double rate);
  void wait_for(QAction* action, const QString& words, std::function<bool(const StateMessage&)> done);
  void end_waits(const std::function<bool(const Wait&)>& ended);
  void show_waits();
  [[nodiscard]] double frames_per_second() const;
  [[nodiscard]] int asked_frame() const { return static_cast<int>(state_.frame.value_or(0)); }
  [[nodiscard]] int frame_count() const { return static_cast<int>(state_.frames.value_or(0)); }
  [[nodiscard]] int first_frame() const { return static_cast<int>(state_.in.value_or(0)); }
  [[nodiscard]] int last_frame() const;

  ControlLink& link_;
  Commands& commands_;
  TroubleMarks marks_;
  TimelineBar* timeline_ = nullptr;
  PositionText* position_ = nullptr;
  PlayButton* play_button_ = nullptr;
  ElidedLabel* next_text_ = nullptr;
  QBoxLayout* right_ = nullptr;
  QWidget* transition_ = nullptr;
  QDoubleSpinBox* rate_ = nullptr;
  QToolButton* rate_button_ = nullptr;
  QToolButton* range_button_ = nullptr;
  VolumeButton* volume_ = nullptr;
  QList<QAction*> rates_;
  QAction* play_ = nullptr;
  QAction* stop_ = nullptr;
  QAction* first_ = nullptr;
  QAction* back_ = nullptr;
  QAction* forward_ = nullptr;
  QAction* last_ = nullptr;
  QAction* backwards_ = nullptr;
  QAction* forwards_ = nullptr;
  QAction* loop_ = nullptr;
  QAction* next_ = nullptr;
  QAction* set_in_ = nullptr;
  QAction* set_out_ = nullptr;
  QAction* clear_loop_ = nullptr;
  StateMessage state_;
  std::optional<Frames> shown_;  // by the tiles
  bool applying_state_ = false;  // controls are being updated from the server: do not answer with a call
  std::vector<Wait> waits_;
  QTimer long_wait_;
  SlowRefresh texts_{[this] { show_position(); }};
};

}  // namespace lw
