#include "wall-control/plots/time_plot.h"

#include "wall-control/plots/time_ticks.h"
#include "wall-control/ui/focus_ring.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/type.h"

#include <QDateTime>
#include <QFontInfo>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr double zoom_step = 1.5;
constexpr int handle_reach = 5;
constexpr int card_after_ms = 600;

}  // namespace

TimePlot::TimePlot(const PlotSource& source, QWidget* parent) : QWidget(parent), source_(source) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  rest_.setSingleShot(true);
  rest_.setInterval(card_after_ms);
  connect(&rest_, &QTimer::timeout, this, &TimePlot::show_card);
  connect(&source.window, &TimeWindow::changed, this, &TimePlot::refresh);
  connect(&source.focus, &Focus::changed, this, &TimePlot::refresh);
  if (source.notes == nullptr) return;
  connect(source.notes, &PlotNotes::changed, this, [this] { draw_anew(); });
  connect(source.notes, &PlotNotes::pointed_changed, this, [this] {
    if (isVisible()) update();
  });
}

TimePlot::~TimePlot() { delete card_; }

QFont TimePlot::font_of(double px, bool strong) {
  auto font = type::sized(px, strong);
  font.setPixelSize(QFontInfo(font).pixelSize());
  return font;
}

void TimePlot::refresh() {
  if (isVisible()) collect();
}

ColumnGrid TimePlot::grid() const {
  return {std::max<qint64>(1, source_.window.shown().count()), std::max(1, area().width())};
}

qint64 TimePlot::first_column() const {
  const auto columns = grid();
  return columns.last_column_of(last_sample()) - columns.width + 1;
}

qint64 TimePlot::sample_at(double x) const {
  const auto shown = source_.window.shown();
  const auto column = first_column() + static_cast<qint64>(std::floor(x)) - area().left();
  return std::clamp(grid().sample_of(column), shown.first, shown.last);
}

double TimePlot::x_of(qint64 sample) const {
  return static_cast<double>(area().left() + grid().column_of(sample) - first_column());
}

QString TimePlot::time_at(double x) const {
  const auto time = source_.window.times().time_of(sample_at(x));
  return time ? QDateTime::fromMSecsSinceEpoch(*time).toString("HH:mm:ss.zzz").chopped(2) : QString();
}

std::vector<TimePlot::Tick> TimePlot::ticks() const {
  const auto shown = source_.window.shown();
  const auto& times = source_.window.times();
  const auto first = times.time_of(shown.first), last = times.time_of(shown.last);
  std::vector<Tick> ticks;
  if (!first || !last) return ticks;
  const double room = type::figure_width(font_of(11), "00:00:00") * 1.7;
  for (const auto& tick : time_ticks(*first, *last, area().width(), room)) {
    // Before the first sample, times are extrapolated at the fixed rate.
    const auto sample = shown.first + (tick.time_ms - *first) * shown.count() / std::max<qint64>(1, *last - *first);
    const auto known = times.time_of(0) && tick.time_ms >= *times.time_of(std::max<qint64>(0, shown.first))
                           ? times.sample_at(tick.time_ms)
                           : sample;
    ticks.push_back({x_of(known), tick.label});
  }
  return ticks;
}

QStringList TimePlot::tick_labels() const {
  QStringList labels;
  for (const auto& tick : ticks()) labels << tick.label;
  return labels;
}

const std::vector<Incident>& TimePlot::incidents() const {
  static const std::vector<Incident> none;
  return source_.notes == nullptr ? none : source_.notes->incidents();
}

std::optional<double> TimePlot::limit(Quantity quantity) const {
  return source_.notes == nullptr ? std::nullopt : source_.notes->limit(quantity);
}

std::optional<std::pair<double, double>> TimePlot::reach_of(const Incident& incident) const {
  const auto shown = source_.window.shown();
  const auto& times = source_.window.times();
  const auto first = times.time_of(shown.first), last = times.time_of(shown.last);
  if (!first || !last || incident.begin_ms > *last || incident.end_ms.value_or(*last) < *first) return std::nullopt;
  const auto place = area();
  const double left = incident.begin_ms <= *first ? place.left() : x_of(times.sample_at(incident.begin_ms));
  const double right =
      incident.end_ms && *incident.end_ms < *last ? x_of(times.sample_at(*incident.end_ms) + 1) : place.right() + 1;
  return std::pair(std::max<double>(left, place.left()), std::min<double>(right, place.right() + 1));
}

void TimePlot::draw_axis(QPainter& painter) const {
  const auto place = area();
  painter.setFont(font_of(11));
  const QFontMetrics metrics(painter.font());
  const int top = place.bottom() + 3;
  const bool live = source_.window.live();
  const auto now = tr("now");
  const double now_width = live ? metrics.horizontalAdvance(now) + 8 : 0;
  const double label_width = type::figure_width(painter.font(), "00:00:00");
  for (const auto& tick : ticks()) {
    const double width = type::figure_width(painter.font(), tick.label);
    painter.setPen(colors::axis);
    painter.drawLine(QPointF(tick.x, place.bottom() + 1), QPointF(tick.x, place.bottom() + 4));
    if (tick.x + width / 2 > place.right() - now_width || tick.x - width / 2 < place.left() - label_width / 2) continue;
    type::paint_figure(painter, QRectF(tick.x - width / 2, top + 2, width, metrics.height()), Qt::AlignLeft,
                       tick.label);
  }
  if (!live || source_.window.times().count() == 0) return;
  painter.setPen(colors::text);
  painter.drawText(QRectF(place.right() - now_width, top + 2, now_width, metrics.height()), Qt::AlignRight, now);
}

void TimePlot::draw_mark(QPainter& painter) const {
  const auto& marked = source_.window.marked();
  if (!marked) return;
  const auto place = area();
  const double left = std::clamp<double>(x_of(marked->first), place.left(), place.right());
  const double right = std::clamp<double>(x_of(marked->last + 1), place.left(), place.right());
  painter.setPen(colors::text);
  for (const double x : {left, right}) {
    painter.drawLine(QPointF(x, place.top()), QPointF(x, place.bottom()));
    painter.fillRect(QRectF(x - 2, place.center().y() - 10, 5, 20), colors::text);
    painter.setPen(colors::panel);
    painter.drawLine(QPointF(x, place.center().y() - 6), QPointF(x, place.center().y() + 6));
    painter.setPen(colors::text);
  }
}

void TimePlot::draw_crosshair(QPainter& painter) const {
  const auto place = area();
  const auto draw_line = [&](qint64 sample, const QColor& color) {
    const double x = x_of(sample);
    if (x < place.left() || x > place.right()) return false;
    painter.setPen(color);
    painter.drawLine(QPointF(x, place.top()), QPointF(x, place.bottom()));
    return true;
  };
  if (const auto moment = source_.window.moment()) draw_line(*moment, colors::accent);
  const auto pointed = source_.notes == nullptr ? std::nullopt : source_.notes->pointed();
  const auto named = pointed ? pointed : source_.window.moment();
  if (pointed && !draw_line(*pointed, colors::text)) return;
  if (!named) return;
  const auto time = source_.window.times().time_of(*named);
  if (!time || x_of(*named) < place.left() || x_of(*named) > place.right()) return;
  painter.setFont(font_of(11, true));
  const auto label = clock_words(*time);
  const double width = type::figure_width(painter.font(), label) + 12;
  const double x = std::clamp<double>(x_of(*named) - width / 2, place.left(), place.right() - width);
  const QRectF chip(x, place.bottom() + 3, width, QFontMetrics(painter.font()).height() + 2);
  painter.fillRect(chip, colors::text);
  painter.setPen(colors::panel);
  type::paint_figure(painter, chip, Qt::AlignHCenter, label);
}

void TimePlot::draw_marks(QPainter& painter) const {
  painter.setRenderHint(QPainter::Antialiasing, false);
  draw_mark(painter);
  draw_crosshair(painter);
}

void TimePlot::draw_focus(QPainter& painter) const {
  if (!hasFocus()) return;
  paint_focus_ring(painter, rect());
}

void TimePlot::draw_nothing(QPainter& painter) const {
  painter.setFont(font_of(13, true));
  painter.setPen(colors::text2);
  const QFontMetrics strong(painter.font());
  const auto place = area();
  const QRect above(place.left(), place.center().y() - strong.height() - 2, place.width(), strong.height() + 4);
  painter.drawText(above, Qt::AlignCenter, tr("Nothing measured yet"));
  painter.setFont(font_of(11));
  painter.setPen(colors::text3);
  painter.drawText(above.translated(0, above.height()), Qt::AlignCenter,
                   tr("Charts begin when a visualization plays."));
}

std::optional<qint64> TimePlot::grabbed_at(double x) const {
  const auto& marked = source_.window.marked();
  if (!marked) return std::nullopt;
  // The other end stays.
  if (std::abs(x - x_of(marked->first)) <= handle_reach) return marked->last;
  if (std::abs(x - x_of(marked->last + 1)) <= handle_reach) return marked->first;
  return std::nullopt;
}

void TimePlot::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !area().contains(event->position().toPoint()))
    return QWidget::mousePressEvent(event);
  dragged_ = false;
  const auto kept = grabbed_at(event->position().x());
  anchor_ = kept ? *kept : sample_at(event->position().x());
  if (card_ != nullptr) card_->hide();
}

void TimePlot::mouseMoveEvent(QMouseEvent* event) {
  pointer_ = event->position();
  if (card_ != nullptr) card_->hide();
  const bool inside = area().contains(pointer_.toPoint());
  if (source_.notes != nullptr) source_.notes->point_to(inside ? std::optional(sample_at(pointer_.x())) : std::nullopt);
  if (anchor_ && (event->buttons() & Qt::LeftButton)) {
    const auto to = sample_at(pointer_.x());
    dragged_ = dragged_ || to != *anchor_;
    if (dragged_) source_.window.mark(*anchor_, to);
    return;
  }
  setCursor(inside && grabbed_at(pointer_.x()) ? Qt::SizeHorCursor : Qt::ArrowCursor);
  inside ? rest_.start() : rest_.stop();
}

void TimePlot::mouseReleaseEvent(QMouseEvent* event) {
  const auto pressed = std::exchange(anchor_, std::nullopt);
  if (!pressed) return QWidget::mouseReleaseEvent(event);
  if (!dragged_ && !grabbed_at(event->position().x())) source_.window.point_to(sample_at(event->position().x()));
}

void TimePlot::leaveEvent(QEvent* event) {
  rest_.stop();
  if (card_ != nullptr) card_->hide();
  if (source_.notes != nullptr) source_.notes->point_to(std::nullopt);
  QWidget::leaveEvent(event);
}

void TimePlot::show_card() {
  auto text = hover_at(pointer_);
  if (text.empty() || !isVisible()) return;
  if (card_ == nullptr || card_->parentWidget() != window()) {
    delete card_;
    card_ = new HoverCard(window());
  }
  card_->show_at(mapToGlobal(pointer_.toPoint()), std::move(text));
}

void TimePlot::wheelEvent(QWheelEvent* event) {
  const int turned = event->angleDelta().y();
  if (turned == 0) return QWidget::wheelEvent(event);
  source_.window.zoom(turned > 0 ? 1 / zoom_step : zoom_step, sample_at(event->position().x()));
  event->accept();
}

bool TimePlot::handle_key(const QKeyEvent& event) {
  auto& window = source_.window;
  const auto shown = window.shown();
  const qint64 step = std::max<qint64>(1, shown.count() / 50);
  const bool shift = event.modifiers() & Qt::ShiftModifier;
  const bool control = event.modifiers() & Qt::ControlModifier;
  switch (event.key()) {
    case Qt::Key_Plus:
    case Qt::Key_Minus:
      window.zoom(event.key() == Qt::Key_Plus ? 1 / zoom_step : zoom_step, shown.first + shown.count() / 2);
      return true;
    case Qt::Key_Left:
    case Qt::Key_Right: {
      const qint64 samples = event.key() == Qt::Key_Left ? -step : step;
      if (shift)
        window.extend_mark(samples);
      else if (control)
        window.move(5 * samples);
      return shift || control;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
      window.show_marked();
      return true;
    case Qt::Key_Escape:
      window.back();
      return true;
    case Qt::Key_Backspace:
      source_.focus.up();
      return true;
    default:
      return false;
  }
}

void TimePlot::keyPressEvent(QKeyEvent* event) {
  if (!handle_key(*event)) QWidget::keyPressEvent(event);
}

bool TimePlot::event(QEvent* event) {
  switch (event->type()) {
    case QEvent::Show:
    case QEvent::Resize:
      collect();
      break;
    case QEvent::PaletteChange:
    case QEvent::FontChange:
    case QEvent::StyleChange:
      draw_anew();
      break;
    default:
      break;
  }
  return QWidget::event(event);
}

}  // namespace lw
