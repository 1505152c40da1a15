#include "wall-control/plots/time_plot.h"

#include "wall-control/ui/palette.h"

#include <QDateTime>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr double zoom_step = 1.5;

}  // namespace

TimePlot::TimePlot(const PlotSource& source, std::initializer_list<Scope> scopes, Quantity first, QWidget* parent)
    : QWidget(parent), source_(source), choice_(new QuantityChoice(this, scopes, first)) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setFocusPolicy(Qt::StrongFocus);
  connect(choice_, &QComboBox::currentIndexChanged, this, [this] { show_choice(); });
  connect(&source.window, &TimeWindow::changed, this, &TimePlot::refresh);
  connect(&source.focus, &Focus::changed, this, &TimePlot::refresh);
}

void TimePlot::refresh() {
  if (!isVisible()) return;
  collect();
  update();
}

SampleSpan TimePlot::shown_span() const { return source_.window.span_of(source_.window.shown()); }

std::span<const Column> TimePlot::marked_of(const std::vector<Column>& columns) const {
  const auto& marked = source_.window.marked();
  if (!marked || columns.empty()) return columns;
  const auto shown = source_.window.shown();
  const auto width = static_cast<qint64>(columns.size());
  const auto first = std::clamp<qint64>((marked->first - shown.first) * width / shown.count(), 0, width - 1);
  const auto last = std::clamp<qint64>((marked->last - shown.first) * width / shown.count(), first, width - 1);
  return std::span(columns).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first + 1));
}

qint64 TimePlot::sample_at(double x) const {
  const auto shown = source_.window.shown();
  const double share = (x - area().left()) / area().width();
  return std::clamp(shown.first + static_cast<qint64>(std::floor(share * static_cast<double>(shown.count()))),
                    shown.first, shown.last);
}

double TimePlot::x_of(qint64 sample) const {
  const auto shown = source_.window.shown();
  return area().left() +
         area().width() * static_cast<double>(sample - shown.first) / static_cast<double>(shown.count());
}

QString TimePlot::time_at(double x) const {
  const auto time = source_.window.times().time_of(sample_at(x));
  return time ? QDateTime::fromMSecsSinceEpoch(*time).toString("HH:mm:ss.zzz").chopped(2) : QString();
}

void TimePlot::draw_title(QPainter& painter) const {
  painter.setPen(colors::text);
  painter.drawText(QRectF(10, 2, width() - 20, choice_->height()), Qt::AlignLeft | Qt::AlignVCenter,
                   title_of(chosen()));
}

// Everything outside the marked range is dimmed; the moment pointed to is a line.
void TimePlot::draw_marks(QPainter& painter) const {
  const auto place = area();
  auto dim = colors::panel;
  dim.setAlpha(150);
  if (const auto& marked = source_.window.marked()) {
    const double left = std::clamp(x_of(marked->first), place.left(), place.right());
    const double right = std::clamp(x_of(marked->last + 1), place.left(), place.right());
    painter.fillRect(QRectF(place.topLeft(), QPointF(left, place.bottom())), dim);
    painter.fillRect(QRectF(QPointF(right, place.top()), place.bottomRight()), dim);
    painter.setPen(QPen(colors::text, 1));
    for (const double x : {left, right}) painter.drawLine(QPointF(x, place.top()), QPointF(x, place.bottom()));
  }
  if (const auto moment = source_.window.moment()) {
    const double x = x_of(*moment);
    if (x < place.left() || x > place.right()) return;
    painter.setPen(QPen(colors::warn, 1.5, Qt::DashLine));
    painter.drawLine(QPointF(x, place.top()), QPointF(x, place.bottom()));
  }
}

void TimePlot::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  draw(painter, false);
  if (!hasFocus()) return;
  painter.setPen(QPen(colors::ok, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void TimePlot::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !area().contains(event->position())) return QWidget::mousePressEvent(event);
  pressed_ = sample_at(event->position().x());
  source_.window.point_to(*pressed_);
}

void TimePlot::mouseMoveEvent(QMouseEvent* event) {
  if (!pressed_ || !(event->buttons() & Qt::LeftButton)) return QWidget::mouseMoveEvent(event);
  const auto to = sample_at(event->position().x());
  if (to != *pressed_) source_.window.mark(*pressed_, to);
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
  if (event->type() == QEvent::Show || event->type() == QEvent::Resize) collect();
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto text = text_at(help->pos());
  const auto definition = definition_of(chosen());
  QToolTip::showText(help->globalPos(), text.isEmpty() ? definition : text + "\n\n" + definition, this);
  return true;
}

}  // namespace lw
