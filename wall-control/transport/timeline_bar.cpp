#include "wall-control/transport/timeline_bar.h"

#include "wall-control/ui/palette.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStringList>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr int side = 10;        // left and right of the frames
constexpr int marks_top = 2;    // a row for the marks
constexpr int groove_top = 22;  // the frames, below it
constexpr int groove_height = 12;
constexpr int bin_width = 9;  // marks are not drawn over each other
constexpr double reach = 5;   // of the pointer

struct MarkLook {
  const char* sign;
  QColor color;
};

MarkLook look_of(Trouble kind) {
  switch (kind) {
    case Trouble::repaired:
      return {"\u00b7", colors::text3};
    case Trouble::late:
      return {"\u25c6", colors::series[3]};
    case Trouble::concealed:
      return {"\u25b2", colors::warn};
    case Trouble::not_shown:
      return {"\u2715", colors::crit};
  }
  return {"", colors::text3};
}

}  // namespace

QString trouble_sign(Trouble kind) { return QString::fromUtf8(look_of(kind).sign); }

QString trouble_name(Trouble kind) {
  switch (kind) {
    case Trouble::repaired:
      return TimelineBar::tr("made good");
    case Trouble::late:
      return TimelineBar::tr("late");
    case Trouble::concealed:
      return TimelineBar::tr("concealed");
    case Trouble::not_shown:
      return TimelineBar::tr("not shown");
  }
  return {};
}

QString time_text(double seconds) {
  const auto tenths = static_cast<qint64>(std::floor(seconds * 10));
  return QString("%1:%2.%3").arg(tenths / 600).arg(tenths / 10 % 60, 2, 10, QChar('0')).arg(tenths % 10);
}

TimelineBar::TimelineBar(const TroubleMarks& marks, QWidget* parent) : QWidget(parent), marks_(marks) {
  setAccessibleName(tr("Timeline"));
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  describe();
}

void TimelineBar::set_frames(int frames, double frames_per_second) {
  frames_ = frames;
  frames_per_second_ = frames_per_second;
  refresh();
}

void TimelineBar::set_asked(int frame) {
  if (drag_ != Drag::position) asked_ = frame;
  refresh();
}

void TimelineBar::set_shown(std::optional<Frames> shown) {
  if (shown == shown_) return;
  shown_ = shown;
  refresh();
}

void TimelineBar::set_loop(std::optional<Frames> loop) {
  loop_ = loop;
  refresh();
}

void TimelineBar::refresh() {
  describe();
  update();
}

void TimelineBar::describe() {
  QStringList parts;
  if (frames_ == 0) {
    parts << tr("nothing is loaded");
  } else {
    parts << tr("asked for frame %1 of %2").arg(asked_).arg(frames_);
    if (shown_) parts << tr("tiles show %1 to %2").arg(shown_->first).arg(shown_->last);
    if (loop_) parts << tr("in %1, out %2").arg(loop_->first).arg(loop_->last);
    const auto totals = marks_.totals();
    for (std::size_t i = 0; i < trouble_count; ++i)
      if (totals[i] > 0) parts << tr("%1 %2").arg(totals[i]).arg(trouble_name(static_cast<Trouble>(i)));
  }
  setAccessibleDescription(parts.join(", "));
}

double TimelineBar::x_of(int frame) const {
  const double span = width() - 2.0 * side;
  return frames_ < 2 ? side : side + span * frame / (frames_ - 1);
}

int TimelineBar::frame_at(double x) const {
  const double span = std::max(1.0, width() - 2.0 * side);
  return std::clamp(static_cast<int>(std::lround((x - side) / span * (frames_ - 1))), 0, std::max(0, frames_ - 1));
}

QString TimelineBar::text_at(double x) const {
  if (frames_ == 0) return tr("Nothing is loaded");
  const int frame = frame_at(x);
  auto text = tr("frame %1, %2").arg(frame).arg(time_text(frames_per_second_ > 0 ? frame / frames_per_second_ : 0));
  std::array<qint64, trouble_count> counts{};
  QStringList tiles;
  for (const auto& mark : marks_.marks()) {
    if (x < x_of(mark.first) - reach || x > x_of(mark.last) + reach) continue;
    for (std::size_t i = 0; i < trouble_count; ++i) counts[i] += mark.counts[i];
    tiles << QString("%1,%2").arg(mark.column).arg(mark.row);
  }
  for (std::size_t i = trouble_count; i-- > 0;) {
    const auto kind = static_cast<Trouble>(i);
    if (counts[i] > 0) text += QString("\n%1 %2 %3").arg(trouble_sign(kind)).arg(counts[i]).arg(trouble_name(kind));
  }
  tiles.removeDuplicates();
  tiles.sort();
  if (!tiles.isEmpty()) text += "\n" + tr("on tiles %1").arg(tiles.join("  "));
  return text;
}

void TimelineBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  draw_groove(painter);
  if (frames_ == 0) return;
  draw_marks(painter);
  draw_loop(painter);
  draw_positions(painter);
  if (hover_) {
    painter.setPen(QPen(colors::text3, 1, Qt::DotLine));
    painter.drawLine(QPointF(*hover_, marks_top), QPointF(*hover_, height() - 2.0));
  }
  if (!hasFocus()) return;
  painter.setPen(QPen(colors::ok, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
}

void TimelineBar::draw_groove(QPainter& painter) const {
  painter.setPen(QPen(colors::line, 1));
  painter.setBrush(colors::panel);
  painter.drawRoundedRect(QRectF(side - 0.5, groove_top, width() - 2.0 * side + 1, groove_height), 3, 3);
  if (frames_ == 0) return;
  const auto from = loop_ ? loop_->first : 0;
  if (asked_ <= from) return;
  painter.setPen(Qt::NoPen);
  painter.setBrush(palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, QPalette::Highlight));
  painter.drawRect(QRectF(x_of(from), groove_top + 1, x_of(asked_) - x_of(from), groove_height - 1));
}

// Each bin shows the worst mark; the pointer's text lists all.
void TimelineBar::draw_marks(QPainter& painter) const {
  std::vector<std::optional<Trouble>> bins(static_cast<std::size_t>(width() / bin_width + 1));
  for (const auto& mark : marks_.marks()) {
    const double middle = (x_of(mark.first) + x_of(mark.last)) / 2;
    auto& bin = bins[std::min(bins.size() - 1, static_cast<std::size_t>(middle / bin_width))];
    for (std::size_t i = 0; i < trouble_count; ++i)
      if (mark.counts[i] > 0) bin = std::max(bin, std::optional(static_cast<Trouble>(i)));
  }
  QFont font = this->font();
  font.setPixelSize(12);
  painter.setFont(font);
  for (std::size_t i = 0; i < bins.size(); ++i) {
    if (!bins[i]) continue;
    const auto look = look_of(*bins[i]);
    const double left = static_cast<double>(i) * bin_width;
    painter.setPen(look.color);
    painter.drawText(QRectF(left - bin_width, marks_top, 3.0 * bin_width, 14), Qt::AlignCenter,
                     QString::fromUtf8(look.sign));
    painter.drawLine(QPointF(left + bin_width / 2.0, groove_top - 5), QPointF(left + bin_width / 2.0, groove_top));
  }
}

// Brackets, open towards the frames that are played; the others are hatched.
void TimelineBar::draw_loop(QPainter& painter) const {
  const auto loop = dragged_loop_ ? dragged_loop_ : loop_;
  if (!loop) return;
  const double in = x_of(loop->first);
  const double out = x_of(loop->last);
  painter.setPen(Qt::NoPen);
  painter.setBrush(QBrush(colors::text3, Qt::BDiagPattern));
  painter.drawRect(QRectF(side, groove_top, in - side, groove_height));
  painter.drawRect(QRectF(out, groove_top, width() - side - out, groove_height));
  painter.setPen(QPen(colors::text, 2));
  painter.setBrush(Qt::NoBrush);
  for (const auto& [x, open] : {std::pair{in, 5.0}, {out, -5.0}})
    painter.drawPolyline(QPolygonF{{x + open, groove_top - 4.0},
                                   {x, groove_top - 4.0},
                                   {x, groove_top + groove_height + 4.0},
                                   {x + open, groove_top + groove_height + 4.0}});
}

// The requested frame: a line through the frames. The frames that tiles show: a box, from the slowest to the fastest.
void TimelineBar::draw_positions(QPainter& painter) const {
  if (shown_) {
    painter.setPen(QPen(colors::series[2], 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(QPointF(x_of(shown_->first) - 3, groove_top - 2),
                            QPointF(x_of(shown_->last) + 3, groove_top + groove_height + 2)));
  }
  const double x = x_of(asked_);
  painter.setPen(QPen(colors::text, 2));
  painter.drawLine(QPointF(x, groove_top - 3), QPointF(x, height() - 5.0));
  painter.setPen(Qt::NoPen);
  painter.setBrush(colors::text);
  painter.drawPolygon(QPolygonF{{x - 5, height() - 1.0}, {x + 5, height() - 1.0}, {x, height() - 8.0}});
}

TimelineBar::Drag TimelineBar::handle_at(const QPointF& place) const {
  if (!loop_) return Drag::none;
  const double to_in = std::abs(place.x() - x_of(loop_->first));
  const double to_out = std::abs(place.x() - x_of(loop_->last));
  if (std::min(to_in, to_out) > reach) return Drag::none;
  return to_in < to_out ? Drag::in : Drag::out;
}

int TimelineBar::within_loop(int frame) const { return loop_ ? std::clamp(frame, loop_->first, loop_->last) : frame; }

void TimelineBar::seek(int frame) {
  frame = within_loop(std::clamp(frame, 0, std::max(0, frames_ - 1)));
  if (frame == asked_) return;
  asked_ = frame;
  refresh();
  emit seek_wanted(frame);
}

void TimelineBar::drag_to(double x) {
  const int frame = frame_at(x);
  if (drag_ == Drag::position) return seek(frame);
  if (!dragged_loop_) return;
  if (drag_ == Drag::in) dragged_loop_->first = std::min(frame, dragged_loop_->last);
  if (drag_ == Drag::out) dragged_loop_->last = std::max(frame, dragged_loop_->first);
  update();
}

void TimelineBar::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || frames_ == 0) return;
  drag_ = handle_at(event->position());
  if (drag_ == Drag::none) drag_ = Drag::position;
  if (drag_ != Drag::position) dragged_loop_ = loop_;
  drag_to(event->position().x());
}

void TimelineBar::mouseMoveEvent(QMouseEvent* event) {
  hover_ = event->position().x();
  setCursor(drag_ == Drag::none && handle_at(event->position()) != Drag::none ? Qt::SizeHorCursor : Qt::ArrowCursor);
  drag_to(event->position().x());
  update();
}

void TimelineBar::mouseReleaseEvent(QMouseEvent*) {
  drag_ = Drag::none;
  const auto wanted = std::exchange(dragged_loop_, std::nullopt);
  update();
  if (wanted && wanted != loop_) emit loop_wanted(*wanted);
}

void TimelineBar::leaveEvent(QEvent*) {
  hover_.reset();
  update();
}

bool TimelineBar::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  QToolTip::showText(help->globalPos(), text_at(help->x()), this);
  return true;
}

void TimelineBar::keyPressEvent(QKeyEvent* event) {
  const int second = std::max(1, static_cast<int>(std::lround(frames_per_second_)));
  if (event->key() == Qt::Key_PageUp)
    seek(asked_ - second);
  else if (event->key() == Qt::Key_PageDown)
    seek(asked_ + second);
  else
    QWidget::keyPressEvent(event);
}

}  // namespace lw
