// The frames of what plays, from left to right: the requested frame, the frames that tiles show, where frames did
// not arrive as they should, and the loop's in and out. A press or a drag seeks; the handles move in and out.
#pragma once

#include "wall-control/models/trouble_marks.h"

#include <QWidget>

#include <optional>

namespace lw {

// First and last frame, both inclusive.
struct Frames {
  int first = 0, last = 0;
  bool operator==(const Frames&) const = default;
};

// The symbol for a kind of incident, beside its colour; and its name.
QString trouble_sign(Trouble kind);
QString trouble_name(Trouble kind);
// "0:04.1"
QString time_text(double seconds);

class TimelineBar : public QWidget {
  Q_OBJECT

public:
  // `marks` must outlive this.
  explicit TimelineBar(const TroubleMarks& marks, QWidget* parent = nullptr);

  // 0 frames: nothing is loaded.
  void set_frames(int frames, double frames_per_second);
  void set_asked(int frame);
  void set_shown(std::optional<Frames> shown);  // by the tiles, from the slowest to the fastest
  void set_loop(std::optional<Frames> loop);
  void refresh();  // the marks changed

  [[nodiscard]] int frames() const { return frames_; }
  [[nodiscard]] int asked() const { return asked_; }
  // Frame, time and what happened there.
  [[nodiscard]] QString text_at(double x) const;
  [[nodiscard]] double x_of(int frame) const;
  [[nodiscard]] QSize sizeHint() const override { return {300, 44}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {120, 44}; }

signals:
  void seek_wanted(int frame);
  void loop_wanted(const lw::Frames& loop);

protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

private:
  enum class Drag { none, position, in, out };
  [[nodiscard]] int frame_at(double x) const;
  [[nodiscard]] Drag handle_at(const QPointF& place) const;
  [[nodiscard]] int within_loop(int frame) const;
  void drag_to(double x);
  void seek(int frame);
  void describe();
  void draw_groove(QPainter& painter) const;
  void draw_marks(QPainter& painter) const;
  void draw_loop(QPainter& painter) const;
  void draw_positions(QPainter& painter) const;

  const TroubleMarks& marks_;
  int frames_ = 0;
  double frames_per_second_ = 0;
  int asked_ = 0;
  std::optional<Frames> shown_;
  std::optional<Frames> loop_;
  Drag drag_ = Drag::none;
  std::optional<Frames> dragged_loop_;  // not yet requested
  std::optional<double> hover_;
};

}  // namespace lw
