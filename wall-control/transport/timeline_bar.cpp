#include "wall-control/transport/timeline_bar.h"

#include "wall-control/models/media_time.h"
#include "wall-control/ui/focus_ring.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/tile_names.h"
#include "wall-control/ui/type.h"

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

constexpr int timeline_side = 16;  // left and right of the frames
constexpr int timeline_strip = 40;
constexpr int timeline_lane = 14;    // of the marks, below the strip
constexpr int mark_bin = 9;          // marks are not drawn over each other
constexpr double pointer_reach = 5;  // of the pointer
constexpr int tick_width = 90;       // at least
constexpr std::size_t reported_parts = 800;

int ruler_height() { return type::scaled(18); }

// Of the ruler, so that its labels have room.
double step_seconds(double seconds, double width) {
  static constexpr std::array steps{0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0};
  const double least = seconds * type::scaled(tick_width) / std::max(1.0, width);
  const auto* found = std::ranges::lower_bound(steps, least);
  return found != steps.end() ? *found : std::ceil(least / steps.back()) * steps.back();
}

void draw_mark(QPainter& painter, Trouble kind, const QPoint& middle) {
  const int x = middle.x();
  const int y = middle.y();
  painter.setBrush(Qt::NoBrush);
  switch (kind) {
    case Trouble::repaired:
      painter.fillRect(QRect(x, y - 4, 1, 8), colors::text2);
      break;
    case Trouble::late:
      painter.setPen(colors::warn);
      painter.setBrush(colors::warn);
      painter.drawPolygon(QPolygon({{x, y - 4}, {x + 4, y}, {x, y + 4}, {x - 4, y}}));
      break;
    case Trouble::concealed:
      painter.setPen(colors::crit);
      painter.drawRect(QRect(x - 4, y - 4, 8, 8));
      painter.fillRect(QRect(x - 4, y, 9, 5), colors::crit);
      break;
    case Trouble::not_shown:
      painter.setPen(colors::crit);
      for (int shift = 0; shift < 2; ++shift) {
        painter.drawLine(x - 4 + shift, y - 4, x + 3 + shift, y + 3);
        painter.drawLine(x + 3 + shift, y - 4, x - 4 + shift, y + 3);
      }
      break;
  }
}

}  // namespace

QString trouble_name(Trouble kind) {
  switch (kind) {
    case Trouble::repaired:
      return TimelineBar::tr("repaired");
    case Trouble::late:
      return TimelineBar::tr("late");
    case Trouble::concealed:
      return TimelineBar::tr("concealed");
    case Trouble::not_shown:
      return TimelineBar::tr("not shown");
  }
  return {};
}

TimelineBar::TimelineBar(const TroubleMarks& marks, QWidget* parent) : QWidget(parent), marks_(marks) {
  setAccessibleName(tr("Timeline"));
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  describe();
}

QSize TimelineBar::sizeHint() const { return {600, ruler_height() + timeline_strip + timeline_lane}; }

QSize TimelineBar::minimumSizeHint() const { return {160, sizeHint().height()}; }

void TimelineBar::set_frames(int frames, double frames_per_second) {
  if (frames == frames_ && frames_per_second == frames_per_second_) return refresh();
  frames_ = frames;
  frames_per_second_ = frames_per_second;
  shown_.reset();
  reported_.assign(reported_parts, false);
  description_.now();
  update();
}

void TimelineBar::set_strip(const QPixmap& strip, int thumbnails) {
  strip_ = strip;
  thumbnails_ = thumbnails;
  drawn_strip_ = {};
  update();
}

void TimelineBar::set_asked(int frame) {
  if (drag_ == Drag::position || frame == asked_) return;
  asked_ = frame;
  description_.ask();
  update();
}

void TimelineBar::set_shown(std::optional<Frames> shown) {
  if (shown == shown_) return;
  const auto before = std::exchange(shown_, shown);
  if (before && shown_) note_reported();
  description_.ask();
  update();
}

void TimelineBar::set_loop(std::optional<Frames> loop) {
  if (loop == loop_) return;
  loop_ = loop;
  description_.now();
  update();
}

void TimelineBar::refresh() {
  const auto totals = marks_.totals();
  if (totals == totals_) return;
  totals_ = totals;
  description_.ask();
  update();
}

void TimelineBar::note_reported() {
  if (frames_ < 2 || reported_.empty()) return;
  const auto part = [this](int frame) {
    return std::min(reported_parts - 1,
                    static_cast<std::size_t>(frame) * reported_parts / static_cast<std::size_t>(std::max(1, frames_)));
  };
  // Between two reports a tile shows some frames; a few parts are enough, as the lane is a hair line.
  const auto last = part(std::clamp(shown_->last, 0, frames_ - 1));
  const auto step = part(std::clamp(static_cast<int>(frames_per_second_ / 4) + 1, 0, frames_ - 1)) + 1;
  for (auto i = last - std::min(last, step); i <= last; ++i) reported_[i] = true;
}

void TimelineBar::describe() {
  QStringList parts;
  if (frames_ == 0) {
    parts << tr("Nothing is loaded");
  } else {
    parts << tr("frame %1 of %2").arg(asked_).arg(frames_);
    if (shown_ && shown_->first == shown_->last) parts << tr("tiles show frame %1").arg(shown_->first);
    if (shown_ && shown_->first != shown_->last)
      parts << tr("tiles show frames %1 to %2").arg(shown_->first).arg(shown_->last);
    if (loop_) parts << tr("in %1, out %2").arg(loop_->first).arg(loop_->last);
    const auto totals = marks_.totals();
    for (std::size_t i = 0; i < trouble_count; ++i)
      if (totals[i] > 0) parts << tr("%1 %2").arg(totals[i]).arg(trouble_name(static_cast<Trouble>(i)));
  }
  setAccessibleDescription(parts.join(", "));
}

double TimelineBar::x_of(int frame) const {
  const double span = width() - 2.0 * timeline_side;
  return frames_ < 2 ? timeline_side : timeline_side + span * frame / (frames_ - 1);
}

int TimelineBar::frame_at(double x) const {
  const double span = std::max(1.0, width() - 2.0 * timeline_side);
  return std::clamp(static_cast<int>(std::lround((x - timeline_side) / span * (frames_ - 1))), 0,
                    std::max(0, frames_ - 1));
}

QString TimelineBar::text_at(double x) const {
  if (frames_ == 0) return tr("Nothing is loaded");
  const int frame = frame_at(x);
  auto text = tr("frame %1, %2").arg(frame).arg(media_time(frames_per_second_ > 0 ? frame / frames_per_second_ : 0));
  std::array<qint64, trouble_count> counts{};
  QStringList tiles;
  for (const auto& mark : marks_.marks()) {
    if (x < x_of(mark.first) - pointer_reach || x > x_of(mark.last) + pointer_reach) continue;
    for (std::size_t i = 0; i < trouble_count; ++i) counts[i] += mark.counts[i];
    tiles << tile_name(mark.column, mark.row);
  }
  for (std::size_t i = trouble_count; i-- > 0;)
    if (counts[i] > 0) text += QString("\n%1 %2").arg(counts[i]).arg(trouble_name(static_cast<Trouble>(i)));
  tiles.removeDuplicates();
  tiles.sort();
  if (!tiles.isEmpty()) text += "\n" + tr("on tiles %1").arg(tiles.join("  "));
  return text;
}

bool TimelineBar::asked_elsewhere() const {
  return !shown_ || std::min(std::abs(asked_ - shown_->first), std::abs(asked_ - shown_->last)) > 1;
}

QRect TimelineBar::strip_place() const {
  return {timeline_side, ruler_height(), width() - 2 * timeline_side, timeline_strip};
}

void TimelineBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  draw_strip(painter);
  if (frames_ > 0) {
    draw_ruler(painter);
    draw_loop(painter);
    draw_lane(painter);
    draw_marks(painter);
    draw_positions(painter);
    if (hover_) painter.fillRect(QRectF(*hover_, strip_place().top(), 1, timeline_strip), colors::accent);
  }
  if (!hasFocus()) return;
  paint_focus_ring(painter, rect());
}

void TimelineBar::draw_ruler(QPainter& painter) const {
  if (frames_per_second_ <= 0) return;
  const double seconds = frames_ / frames_per_second_;
  const auto place = strip_place();
  painter.setFont(type::sized(11));
  const double step = step_seconds(seconds, place.width());
  const auto text_of = [&](double at) { return step < 1 ? media_time(at) : media_time(at).chopped(2); };
  const auto end_text = step < 1 || std::fmod(seconds, 1) > 0.05 ? media_time(seconds) : text_of(seconds);
  const double end_width = type::figure_width(painter.font(), end_text);
  const int top = place.top();
  const auto tick = [&](double x, int alignment, double left, const QString& text) {
    painter.fillRect(QRectF(std::round(x), top - 4, 1, 4), colors::axis);
    painter.setPen(colors::axis);
    type::paint_figure(painter, QRectF(left, 0, tick_width, top - 4), alignment | Qt::AlignVCenter, text);
  };
  for (int i = 0; i * step < seconds; ++i) {
    const double x = place.left() + place.width() * (i * step) / seconds;
    const double half = type::figure_width(painter.font(), text_of(i * step)) / 2;
    if (x + half + 8 > place.right() - end_width) break;
    tick(x, i == 0 ? Qt::AlignLeft : Qt::AlignHCenter, i == 0 ? x : x - tick_width / 2.0, text_of(i * step));
  }
  tick(place.right(), Qt::AlignRight, place.right() + 1 - tick_width, end_text);
}

QPixmap TimelineBar::make_strip() const {
  const auto place = strip_place();
  QPixmap made(place.size() * devicePixelRatioF());
  made.setDevicePixelRatio(devicePixelRatioF());
  made.fill(colors::raised);
  if (strip_.isNull() || thumbnails_ < 1) return made;
  QPainter painter(&made);
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  const double cell = static_cast<double>(place.width()) / thumbnails_;
  const double width = static_cast<double>(strip_.width()) / thumbnails_;
  // The middle of each thumbnail fills its cell.
  const auto part = QSizeF(cell, timeline_strip).scaled(QSizeF(width, strip_.height()), Qt::KeepAspectRatio);
  for (int i = 0; i < thumbnails_; ++i)
    painter.drawPixmap(QRectF(i * cell, 0, cell, timeline_strip), strip_,
                       QRectF(i * width + (width - part.width()) / 2, (strip_.height() - part.height()) / 2,
                              part.width(), part.height()));
  return made;
}

void TimelineBar::draw_strip(QPainter& painter) {
  const auto place = strip_place();
  if (place.width() < 1) return;
  if (drawn_strip_.isNull() || drawn_strip_.size() != place.size() * devicePixelRatioF()) drawn_strip_ = make_strip();
  painter.drawPixmap(place.topLeft(), drawn_strip_);
  if (frames_ == 0) {
    painter.setFont(type::sized(12));
    painter.setPen(colors::text3);
    painter.drawText(place, Qt::AlignCenter, tr("Nothing is loaded"));
  }
}

// A hair line where tiles said what they show; gaps elsewhere.
void TimelineBar::draw_lane(QPainter& painter) const {
  const auto place = strip_place();
  const int y = place.bottom() + 1 + timeline_lane / 2;
  const auto x_of_part = [&](std::size_t part) {
    return place.left() + static_cast<int>(part * static_cast<std::size_t>(place.width()) / reported_parts);
  };
  for (std::size_t from = 0; from < reported_.size();) {
    if (!reported_[from]) {
      ++from;
      continue;
    }
    auto to = from;
    while (to < reported_.size() && reported_[to]) ++to;
    painter.fillRect(QRect(x_of_part(from), y, std::max(1, x_of_part(to) - x_of_part(from)), 1), colors::line);
    from = to;
  }
}

// Each bin shows the worst mark; the pointer's text lists all.
void TimelineBar::draw_marks(QPainter& painter) const {
  std::vector<std::optional<Trouble>> bins(static_cast<std::size_t>(width() / mark_bin + 1));
  for (const auto& mark : marks_.marks()) {
    const double middle = (x_of(mark.first) + x_of(mark.last)) / 2;
    auto& bin = bins[std::min(bins.size() - 1, static_cast<std::size_t>(middle / mark_bin))];
    for (std::size_t i = 0; i < trouble_count; ++i)
      if (mark.counts[i] > 0) bin = std::max(bin, std::optional(static_cast<Trouble>(i)));
  }
  const int y = strip_place().bottom() + 1 + timeline_lane / 2;
  for (std::size_t i = 0; i < bins.size(); ++i)
    if (bins[i]) draw_mark(painter, *bins[i], {static_cast<int>(i) * mark_bin + mark_bin / 2, y});
}

// Frames that are not played are covered; the handles are brackets, open towards the frames that are.
void TimelineBar::draw_loop(QPainter& painter) const {
  const auto loop = dragged_loop_ ? dragged_loop_ : loop_;
  if (!loop) return;
  const auto place = strip_place();
  const int in = static_cast<int>(std::lround(x_of(loop->first)));
  const int out = static_cast<int>(std::lround(x_of(loop->last)));
  auto cover = colors::window;
  cover.setAlphaF(0.75F);
  painter.fillRect(QRect(QPoint(place.left(), place.top()), QPoint(in - 1, place.bottom())), cover);
  painter.fillRect(QRect(QPoint(out + 1, place.top()), place.bottomRight()), cover);
  for (const auto& [x, foot] : {std::pair{in, in}, {out, out - 6}}) {
    painter.fillRect(QRect(x - 1, place.top() - 2, 3, timeline_strip + 4), colors::accent);
    for (const int y : {place.top() - 2, place.bottom() + 1}) painter.fillRect(QRect(foot, y, 7, 2), colors::accent);
  }
}

// The frame that the tiles show: a line with a head. The requested one, if it is another: a thin line.
void TimelineBar::draw_positions(QPainter& painter) const {
  const auto place = strip_place();
  const int bottom = place.bottom() + timeline_lane;
  if (asked_elsewhere()) {
    const int x = static_cast<int>(std::lround(x_of(asked_)));
    painter.fillRect(QRect(x - 1, place.top(), 3, timeline_strip), colors::window);
    painter.fillRect(QRect(x, place.top() - 4, 1, bottom - place.top()), colors::text);
    painter.setPen(colors::text);
    painter.setBrush(colors::window);
    painter.drawPolygon(QPolygon({{x - 4, place.top() - 5}, {x + 4, place.top() - 5}, {x, place.top()}}));
  }
  if (!shown_) return;
  const int x = static_cast<int>(std::lround(x_of(shown_->last)));
  const int slowest = static_cast<int>(std::lround(x_of(shown_->first)));
  if (shown_->last - shown_->first > 1)
    painter.fillRect(QRect(slowest, place.bottom() - 2, std::max(3, x - slowest), 3), colors::warn);
  painter.fillRect(QRect(x - 2, place.top(), 4, timeline_strip), colors::window);
  painter.fillRect(QRect(x - 1, place.top(), 2, bottom - place.top()), colors::text);
  painter.setPen(colors::window);
  painter.setBrush(colors::text);
  painter.drawPolygon(QPolygon({{x - 6, place.top() - 8},
                                {x + 5, place.top() - 8},
                                {x + 5, place.top()},
                                {x, place.top() + 5},
                                {x - 1, place.top() + 5},
                                {x - 6, place.top()}}));
}

TimelineBar::Drag TimelineBar::handle_at(const QPointF& place) const {
  if (!loop_) return Drag::none;
  const double to_in = std::abs(place.x() - x_of(loop_->first));
  const double to_out = std::abs(place.x() - x_of(loop_->last));
  if (std::min(to_in, to_out) > pointer_reach) return Drag::none;
  return to_in < to_out ? Drag::in : Drag::out;
}

int TimelineBar::within_loop(int frame) const { return loop_ ? std::clamp(frame, loop_->first, loop_->last) : frame; }

void TimelineBar::seek(int frame) {
  frame = within_loop(std::clamp(frame, 0, std::max(0, frames_ - 1)));
  if (frame == asked_) return;
  asked_ = frame;
  description_.now();
  update();
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

void TimelineBar::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  drawn_strip_ = {};
  updateGeometry();
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
