#include "wall-control/health/figure_cell.h"

#include "wall-control/ui/palette.h"
#include "wall-control/ui/sparkline.h"
#include "wall-control/ui/type.h"

#include <QPainter>

namespace lw {
namespace {

constexpr double cell_label_px = 12, cell_figure_px = 20, cell_unit_px = 13, cell_context_px = 11;
constexpr int cell_roomy_width = 150;  // from here on with wider margins

QString in_words(const HealthFigure& figure) {
  const auto number = figure.value ? figure.value->joined() : FigureCell::tr("not measured");
  const auto words = QString("%1: %2").arg(figure.label, number);
  if (!figure.value || !figure.limit) return words;
  const auto limit = FigureCell::tr("limit %1").arg(figure_text::of(figure.quantity, *figure.limit).joined());
  const bool beyond = figure.state != State::ok || (figure.number && *figure.number > *figure.limit);
  const auto verdict = figure.state == State::crit ? FigureCell::tr("visible on the wall")
                       : beyond                    ? FigureCell::tr("beyond the limit")
                                                   : FigureCell::tr("in limits");
  return QString("%1, %2, %3").arg(words, limit, verdict);
}

}  // namespace

FigureCell::FigureCell(QWidget* parent) : QAbstractButton(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setCursor(Qt::PointingHandCursor);
}

QSize FigureCell::sizeHint() const { return {type::scaled(200), type::scaled(72)}; }
QSize FigureCell::minimumSizeHint() const { return {type::scaled(104), type::scaled(72)}; }

int FigureCell::margin() const { return width() >= type::scaled(cell_roomy_width) ? 16 : 8; }

void FigureCell::show_figure(const HealthFigure& figure, const QString& aged) {
  figure_ = figure;
  aged_ = aged;
  setAccessibleName(figure.label);
  const auto words = in_words(figure);
  if (accessibleDescription() != words) setAccessibleDescription(words);
  const auto& quantity = info(figure.quantity);
  setToolTip(
      QString("%1\n%2\n%3\n%4").arg(figure.label, definition_of(quantity), figure.contexts.value(0), quantity.key));
  update();
}

void FigureCell::show_sparkline(bool shown) {
  if (sparkline_ == shown) return;
  sparkline_ = shown;
  update();
}

// Beside the value, as wide as it leaves room.
QRect FigureCell::sparkline_place() const {
  if (!sparkline_) return {};
  int taken = margin();
  if (figure_.value)
    taken += static_cast<int>(type::figure_width(type::sized(cell_figure_px, true), figure_.value->value)) + 6 +
             QFontMetrics(type::sized(cell_unit_px)).horizontalAdvance(figure_.value->unit);
  const int wide = std::min(type::scaled(80), width() - 12 - taken - 10);
  return wide < type::scaled(24) ? QRect() : QRect{width() - 12 - wide, type::scaled(14), wide, type::scaled(24)};
}

QString FigureCell::context() const {
  const QStringList texts = aged_.isEmpty() ? figure_.contexts : QStringList{aged_};
  return type::fitting(type::sized(cell_context_px), texts, width() - 2 * margin());
}

void FigureCell::paint_value(QPainter& painter, const QRect& place) const {
  if (!figure_.value) {
    painter.setFont(type::sized(cell_unit_px));
    painter.setPen(colors::text3);
    painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, tr("not measured"));
    return;
  }
  const bool fine = figure_.state == State::ok || !aged_.isEmpty();
  painter.setFont(type::sized(cell_figure_px, true));
  painter.setPen(!aged_.isEmpty() ? colors::text3 : fine ? colors::text : color_of(figure_.state));
  const auto wide = type::paint_figure(painter, place, Qt::AlignLeft | Qt::AlignVCenter, figure_.value->value);
  painter.setFont(type::sized(cell_unit_px));
  painter.setPen(aged_.isEmpty() ? colors::text2 : colors::text3);
  painter.drawText(place.adjusted(static_cast<int>(wide) + 6, 2, 0, 2), Qt::AlignLeft | Qt::AlignVCenter,
                   figure_.value->unit);
}

void FigureCell::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), underMouse() ? colors::hover : colors::window);
  painter.fillRect(0, 0, 1, height(), colors::line);
  const auto line = sparkline_place();
  const int left = margin();
  const int right = line.isNull() ? width() - left / 2 : line.left() - 4;
  painter.setFont(type::sized(cell_label_px));
  painter.setPen(colors::text2);
  painter.drawText(QRect(left, type::scaled(8), right - left, type::scaled(16)), Qt::AlignLeft | Qt::AlignVCenter,
                   type::fitting(painter.font(), {figure_.label, figure_.short_label}, right - left));
  paint_value(painter, {left, type::scaled(24), right - left, type::scaled(26)});
  painter.setFont(type::sized(cell_context_px));
  painter.setPen(colors::text3);
  painter.drawText(QRect(left, type::scaled(51), width() - 2 * left, type::scaled(15)),
                   Qt::AlignLeft | Qt::AlignVCenter, context());
  const bool fine = figure_.state == State::ok || !aged_.isEmpty();
  if (!line.isNull())
    paint_sparkline(painter, line, figure_.minute, fine ? colors::envelope : color_of(figure_.state), figure_.limit);
  if (!fine) painter.fillRect(1, height() - 2, width(), 2, color_of(figure_.state));
  if (hasFocus()) {
    painter.setPen(QPen(colors::accent, 2));
    painter.drawRect(rect().adjusted(3, 3, -4, -4));
  }
}

}  // namespace lw
