#include "wall-control/plots/overview.h"

#include "wall-control/plots/time_ticks.h"
#include "wall-control/ui/focus_ring.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/type.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr int handle_width = 5, grip_reach = 6;

}  // namespace

Overview::Overview(const PlotSource& source, QWidget* parent) : QWidget(parent), source_(source) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleName(tr("Last hour"));
  setToolTip(tr("The last hour; drag the window to another time, or one of its ends"));
  connect(&source.window, &TimeWindow::changed, this, qOverload<>(&QWidget::update));
  connect(&source.focus, &Focus::changed, this, &Overview::refresh);
}

void Overview::set_quantity(Quantity quantity) {
  quantity_ = quantity;
  refresh();
}

ColumnGrid Overview::grid() const {
  return {static_cast<qint64>(TimeSeries::seconds_max) * TimeSeries::samples_per_second, std::max(1, area().width())};
}

QRect Overview::area() const {
  const int line = QFontMetrics(TimePlot::font_of(11)).height();
  return QRect(type::scaled(TimePlot::gutter), 2, std::max(1, width() - type::scaled(TimePlot::gutter) - 16),
               std::max(1, height() - line - 8));
}

double Overview::x_of(qint64 sample) const {
  const auto columns = grid();
  return static_cast<double>(area().right() - (columns.last_column_of(newest()) - columns.column_of(sample)));
}

qint64 Overview::sample_at(double x) const {
  const auto columns = grid();
  return columns.sample_of(columns.last_column_of(newest()) - area().right() + static_cast<qint64>(std::floor(x)));
}

QRectF Overview::window_rect() const {
  const auto shown = source_.window.shown();
  const auto place = area();
  const double left = std::max<double>(x_of(shown.first), place.left());
  return QRectF(left, place.top(), std::max(2.0, x_of(shown.last) - left), place.height());
}

void Overview::refresh() {
  if (!isVisible()) return;
  const auto newest = columns_.update(source_.history, quantity_, source_.focus.part(), grid(), this->newest());
  if (newest.everything || newest.first <= columns_.last_column() || strip_.isNull()) draw_strip();
  update();
}

void Overview::draw_strip() {
  const auto place = area();
  const double ratio = devicePixelRatioF();
  strip_ = QPixmap(QSizeF(place.size() * ratio).toSize());
  strip_.setDevicePixelRatio(ratio);
  strip_.fill(colors::well);
  if (columns_.size() == 0) return;
  std::vector<float> heights(static_cast<std::size_t>(grid().width));
  float top = 0;
  for (qint64 column = columns_.first_column(); column <= columns_.last_column(); ++column)
    for (std::size_t row = 0; row < columns_.size(); ++row)
      if (const auto& cell = columns_.cell(row, column); cell.any()) {
        auto& height = heights[static_cast<std::size_t>(column - columns_.first_column())];
        height = std::max(height, cell.max);
        top = std::max(top, height);
      }
  QPainter painter(&strip_);
  painter.setPen(colors::series[0]);
  std::vector<QLineF> bars;
  for (std::size_t i = 0; i < heights.size() && top > 0; ++i)
    if (heights[i] > 0)
      bars.emplace_back(static_cast<double>(i), place.height() - 1, static_cast<double>(i),
                        place.height() - 1 - static_cast<double>(heights[i] / top) * (place.height() - 2));
  painter.drawLines(bars.data(), static_cast<int>(bars.size()));
}

void Overview::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), colors::panel);
  const auto place = area();
  painter.drawPixmap(place.topLeft(), strip_);
  const int line = QFontMetrics(TimePlot::font_of(11)).height();
  painter.setFont(TimePlot::font_of(11, true));
  painter.setPen(colors::text);
  painter.drawText(QRect(8, place.top(), place.left() - 16, line), Qt::AlignLeft, tr("Last hour"));
  painter.setFont(TimePlot::font_of(11));
  painter.setPen(colors::text3);
  painter.drawText(QRect(8, place.top() + line, place.left() - 16, line), Qt::AlignLeft, tr("drag to choose"));
  const auto& times = source_.history.times();
  const auto last = times.time_of(newest());
  if (!last) return;
  const qint64 hour_ms = 1000LL * TimeSeries::seconds_max;
  painter.setPen(colors::axis);
  for (const auto& tick :
       time_ticks(*last - hour_ms, *last, place.width(), 2.2 * type::figure_width(painter.font(), "00:00"))) {
    const double x =
        place.right() - static_cast<double>(*last - tick.time_ms) / static_cast<double>(hour_ms) * place.width();
    const double width = type::figure_width(painter.font(), tick.label);
    if (x + width / 2 < place.right() - 28)
      type::paint_figure(painter, QRectF(x - width / 2, place.bottom() + 4, width, line), Qt::AlignLeft, tick.label);
  }
  painter.setPen(colors::text);
  painter.drawText(QRect(place.left(), place.bottom() + 4, place.width(), line), Qt::AlignRight, tr("now"));
  const auto window = window_rect();
  auto ground = colors::accent;
  ground.setAlphaF(0.16F);
  painter.fillRect(window, ground);
  painter.setPen(colors::accent);
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(window.adjusted(0, 0, -1, -1));
  for (const double x : {window.left(), window.right()})
    painter.fillRect(QRectF(x - handle_width / 2.0, window.center().y() - 8, handle_width, 16), colors::accent);
  if (!hasFocus()) return;
  paint_focus_ring(painter, rect());
}

Overview::Grip Overview::grip_at(QPointF place) const {
  const auto window = window_rect();
  // A narrow window can also be moved.
  const double inside = std::min<double>(grip_reach, window.width() / 4);
  if (place.x() >= window.left() - grip_reach && place.x() <= window.left() + inside) return Grip::left;
  if (place.x() >= window.right() - inside && place.x() <= window.right() + grip_reach) return Grip::right;
  return area().contains(place.toPoint()) ? Grip::all : Grip::none;
}

void Overview::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || newest() < 0) return QWidget::mousePressEvent(event);
  grip_ = grip_at(event->position());
  grabbed_ = source_.window.shown();
  grabbed_at_ = sample_at(event->position().x());
  // Beside the window: it comes to the pointer.
  if (grip_ != Grip::all || window_rect().contains(event->position())) return;
  const qint64 half = grabbed_.count() / 2;
  source_.window.show({grabbed_at_ - half, grabbed_at_ - half + grabbed_.count() - 1});
  grabbed_ = source_.window.shown();
}

void Overview::mouseMoveEvent(QMouseEvent* event) {
  if (grip_ == Grip::none || !(event->buttons() & Qt::LeftButton)) {
    const auto grip = grip_at(event->position());
    setCursor(grip == Grip::left || grip == Grip::right ? Qt::SizeHorCursor : Qt::ArrowCursor);
    return;
  }
  const qint64 moved = sample_at(event->position().x()) - grabbed_at_;
  auto range = grabbed_;
  if (grip_ != Grip::right) range.first += moved;
  if (grip_ != Grip::left) range.last = std::min(range.last + moved, newest());
  if (grip_ == Grip::all) range.first = range.last - grabbed_.count() + 1;
  if (range.count() > 0) source_.window.show(range);
}

void Overview::mouseReleaseEvent(QMouseEvent*) { grip_ = Grip::none; }

void Overview::keyPressEvent(QKeyEvent* event) {
  const qint64 step = std::max<qint64>(1, source_.window.shown().count() / 4);
  if (event->key() == Qt::Key_Left) return source_.window.move(-step);
  if (event->key() == Qt::Key_Right) return source_.window.move(step);
  if (event->key() == Qt::Key_Escape) return source_.window.back();
  QWidget::keyPressEvent(event);
}

void Overview::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  refresh();
}

void Overview::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

void Overview::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::PaletteChange && event->type() != QEvent::StyleChange) return;
  strip_ = {};
  refresh();
}

}  // namespace lw
