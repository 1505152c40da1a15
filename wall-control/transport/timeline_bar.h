// The frames of what plays, from left to right: times, thumbnails, where frames did not arrive as they should, the
// loop's in and out, the frame that tiles show, and the requested one where it is another. A press or a drag seeks;
// the handles move in and out.
#pragma once

#include "wall-control/models/trouble_marks.h"
#include "wall-control/ui/slow_refresh.h"

#include <QPixmap>
#include <QWidget>

#include <array>
#include <optional>
#include <vector>

namespace lw {

// First and last frame, both inclusive.
struct Frames {
  int first = 0, last = 0;
  bool operator==(const Frames&) const = default;
};

// The name for a kind of incident.
QString trouble_name(Trouble kind);

class TimelineBar : public QWidget {
  Q_OBJECT

public:
  // `marks` must outlive this.
  explicit TimelineBar(const TroubleMarks& marks, QWidget* parent = nullptr);

  // 0 frames: nothing is loaded.
  void set_frames(int frames, double frames_per_second);
  // Thumbnails side by side, evenly in time; none: a plain strip.
  void set_strip(const QPixmap& strip, int thumbnails);
  void set_asked(int frame);
  void set_shown(std::optional<Frames> shown);  // by the tiles, from the slowest to the fastest
  void set_loop(std::optional<Frames> loop);
  void refresh();  // the marks may have changed

  [[nodiscard]] int frames() const { return frames_; }
  [[nodiscard]] int asked() const { return asked_; }
  // Frame, time and what happened there.
  [[nodiscard]] QString text_at(double x) const;
  [[nodiscard]] double x_of(int frame) const;
  // The request is shown apart from what the tiles show.
  [[nodiscard]] bool asked_elsewhere() const;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

signals:
  void seek_wanted(int frame);
  void loop_wanted(const lw::Frames& loop);

protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

private:
  enum class Drag { none, position, in, out };
  [[nodiscard]] int frame_at(double x) const;
  [[nodiscard]] Drag handle_at(const QPointF& place) const;
  [[nodiscard]] int within_loop(int frame) const;
  // Where the thumbnails are.
  [[nodiscard]] QRect strip_place() const;
  void drag_to(double x);
  void seek(int frame);
  void describe();
  void note_reported();
  [[nodiscard]] QPixmap make_strip() const;
  void draw_ruler(QPainter& painter) const;
  void draw_strip(QPainter& painter);
  void draw_lane(QPainter& painter) const;
  void draw_marks(QPainter& painter) const;
  void draw_loop(QPainter& painter) const;
  void draw_positions(QPainter& painter) const;

  const TroubleMarks& marks_;
  std::array<qint64, trouble_count> totals_{};  // of the marks that are drawn
  int frames_ = 0;
  double frames_per_second_ = 0;
  QPixmap strip_;
  int thumbnails_ = 0;
  QPixmap drawn_strip_;  // at its size on screen
  int asked_ = 0;
  std::optional<Frames> shown_;
  std::vector<bool> reported_;  // parts of the time in which tiles said what they show
  std::optional<Frames> loop_;
  Drag drag_ = Drag::none;
  std::optional<Frames> dragged_loop_;  // not yet requested
  std::optional<double> hover_;
  SlowRefresh description_{[this] { describe(); }};
};

}  // namespace lw
