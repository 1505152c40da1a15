#include "wall-control/plots/lane_chart.h"

#include "wall-control/ui/palette.h"
#include "wall-control/ui/state_shape.h"
#include "wall-control/ui/type.h"
#include "wall-control/ui/within_sentence.h"

#include <QPaintEvent>
#include <QPainter>
#include <QPainterPath>
#include <QRegion>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr double shade = 0.12, envelope_share = 0.28, still_width = 1.5;

QColor faint(QColor color, double share) {
  color.setAlphaF(static_cast<float>(share));
  return color;
}

// Dashes by column, so that they move with the data: solid, dashed, dotted.
bool in_dash(std::size_t dash, qint64 column) {
  switch (dash) {
    case 1:
      return (column % 9 + 9) % 9 < 6;
    case 2:
      return (column % 4 + 4) % 4 < 2;
    default:
      return true;
  }
}

}  // namespace

void LaneChart::draw_data(QPainter& painter, qint64 from, qint64 to, Ink ink) const {
  painter.setRenderHint(QPainter::Antialiasing, false);
  shade_incidents(painter);
  draw_grid(painter, x_of_column(from), x_of_column(to) + 1);
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    const auto& drawn = lanes_[lane];
    if (drawn.rows.size() == 0) continue;
    if (drawn.lane.together || drawn.rows.size() == 1) {
      draw_line(painter, lane, from, to, ink, colors::text2, 0, [&](qint64 column) {
        const auto& band = drawn.bands[drawn.rows.place_of(column)];
        return band.all.any() && drawn.lane.together ? Cell{band.sum, band.sum} : band.all;
      });
      continue;
    }
    draw_band(painter, lane, from, to);
    draw_line(painter, lane, from, to, ink, colors::text2, 0, [&](qint64 column) {
      const auto& band = drawn.bands[drawn.rows.place_of(column)];
      return band.all.any() ? Cell{band.median, band.median} : Cell{};
    });
    // The worst is drawn last.
    for (std::size_t rank = drawn.worst.size(); rank-- > 0;)
      draw_line(painter, lane, from, to, ink, pen_of_rank(rank).color(), rank,
                [&](qint64 column) { return drawn.rows.cell(drawn.worst[rank], column); });
  }
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) draw_limit(painter, lane);
}

void LaneChart::draw_grid(QPainter& painter, double from_x, double to_x) const {
  painter.setPen(colors::grid);
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    const auto place = lane_rect(lane);
    for (const double y : {place.top() + 0.0, place.bottom() + 0.0})
      painter.drawLine(QPointF(from_x, y), QPointF(to_x, y));
    if (place.height() > 70) painter.drawLine(QPointF(from_x, place.center().y()), QPointF(to_x, place.center().y()));
  }
  for (const auto& tick : ticks())
    if (tick.x >= from_x - 1 && tick.x <= to_x)
      painter.drawLine(QPointF(tick.x, area().top()), QPointF(tick.x, area().bottom()));
}

void LaneChart::draw_band(QPainter& painter, std::size_t lane, qint64 from, qint64 to) const {
  const auto& drawn = lanes_[lane];
  painter.setPen(faint(colors::envelope, envelope_share));
  std::vector<QLineF> lines;
  for (qint64 column = from; column <= to; ++column) {
    const auto& all = drawn.bands[drawn.rows.place_of(column)].all;
    if (!all.any()) continue;
    const double x = x_of_column(column);
    lines.emplace_back(x, y_of(lane, static_cast<double>(all.min)), x, y_of(lane, static_cast<double>(all.max)));
  }
  painter.drawLines(lines.data(), static_cast<int>(lines.size()));
}

// A column of a line is a stroke from its least to its greatest value, joined to the column before.
template <class Value>
void LaneChart::draw_line(QPainter& painter, std::size_t lane, qint64 from, qint64 to, Ink ink, const QColor& color,
                          std::size_t dash, const Value& value) const {
  std::vector<QLineF> lines;
  QPainterPath path;
  std::optional<QPointF> last;
  for (qint64 column = std::max(from - 1, first_column()); column <= to; ++column) {
    const Cell cell = value(column);
    if (!cell.any() || !in_dash(dash, column)) {
      last.reset();
      continue;
    }
    const double x = x_of_column(column);
    const double low = y_of(lane, static_cast<double>(cell.min)), high = y_of(lane, static_cast<double>(cell.max));
    const bool up = !last || std::abs(last->y() - low) <= std::abs(last->y() - high);
    const QPointF near(x, up ? low : high), far(x, up ? high : low);
    if (ink == Ink::still) {
      last ? path.lineTo(near) : path.moveTo(near);
      path.lineTo(far == near ? far + QPointF(0.01, 0) : far);
    } else {
      if (last) lines.emplace_back(*last, near);
      lines.emplace_back(near, far);
    }
    last = far;
  }
  painter.setBrush(Qt::NoBrush);
  if (ink == Ink::still) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, still_width));
    painter.drawPath(path);
    painter.setRenderHint(QPainter::Antialiasing, false);
    return;
  }
  painter.setPen(color);
  painter.drawLines(lines.data(), static_cast<int>(lines.size()));
}

std::optional<double> LaneChart::shown_limit(std::size_t lane) const {
  const auto& drawn = lanes_[lane];
  const auto limit = this->limit(drawn.lane.quantity);
  return limit && *limit > 0 && !drawn.lane.together && *limit <= drawn.top ? limit : std::nullopt;
}

void LaneChart::draw_limit(QPainter& painter, std::size_t lane) const {
  const auto limit = shown_limit(lane);
  if (!limit) return;
  const double y = y_of(lane, *limit);
  const auto place = lane_rect(lane);
  painter.setPen(colors::warn);
  // The dashes move with the data, so that those drawn before fit those drawn now.
  for (qint64 x = place.left() - (first_column() % 9 + 9) % 9; x <= place.right(); x += 9)
    painter.drawLine(QPointF(std::max<double>(static_cast<double>(x), place.left()), y),
                     QPointF(std::min<double>(static_cast<double>(x) + 5, place.right()), y));
}

void LaneChart::draw_limit_label(QPainter& painter, std::size_t lane) const {
  const auto limit = shown_limit(lane);
  if (!limit) return;
  const auto unit = axis_unit(info(lanes_[lane].lane.quantity), *limit);
  painter.setFont(font_of(11));
  painter.setPen(colors::warn);
  const auto place = lane_rect(lane);
  const int line = QFontMetrics(painter.font()).height();
  const double y = y_of(lane, *limit);
  const double top = y - line < place.top() ? y + 1 : y - line - 1;
  painter.drawText(QRectF(place.left(), top, place.width() - 4, line), Qt::AlignRight,
                   tr("limit %1 %2").arg(short_number(*limit / unit.size), unit.name));
}

// Where several overlap, the worst one is seen: their shades do not add up.
void LaneChart::shade_incidents(QPainter& painter) const {
  const auto place = area();
  QRegion shaded;
  for (const auto state : {State::crit, State::warn, State::off, State::note, State::ok}) {
    QRegion of_state;
    for (const auto& incident : incidents())
      if (const auto reach = reach_of(incident); reach && incident.state == state)
        of_state += QRectF(reach->first, place.top(), reach->second - reach->first, place.height()).toRect();
    for (const auto& part : of_state - shaded) painter.fillRect(part, faint(color_of(state), shade));
    shaded += of_state;
  }
}

void LaneChart::draw_incidents(QPainter& painter) const {
  const auto place = area();
  for (const auto& incident : incidents()) {
    const auto reach = reach_of(incident);
    if (!reach || reach->first <= place.left()) continue;
    const auto color = color_of(incident.state);
    painter.setPen(color);
    painter.drawLine(QPointF(reach->first, place.top()), QPointF(reach->first, place.bottom()));
    paint_state(painter, incident.state,
                QRectF(reach->first - shape_size / 2.0, place.top() - shape_size, shape_size, shape_size));
  }
}

void LaneChart::draw_gutter(QPainter& painter) const {
  const int margin = 8;
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    const auto& drawn = lanes_[lane];
    const auto place = lane_rect(lane);
    const auto& quantity = info(drawn.lane.quantity);
    const auto unit = axis_unit(quantity, drawn.top);
    painter.setFont(font_of(11));
    const int line = QFontMetrics(painter.font()).height();
    painter.setPen(colors::axis);
    const auto top = short_number(drawn.top / unit.size);
    const QRect numbers(0, place.top() - 2, place.left() - margin, line);
    type::paint_figure(painter, numbers, Qt::AlignRight, top);
    if (place.height() > line + 6)
      type::paint_figure(painter, numbers.translated(0, place.height() - line + 4), Qt::AlignRight, "0");
    const int room = place.left() - 2 * margin - static_cast<int>(type::figure_width(painter.font(), top)) - 4;
    const auto whose = drawn.lane.together             ? within_sentence(name_of(source_.focus.part()))
                       : quantity.scope == Scope::flow ? tr("by flow")
                       : quantity.scope == Scope::tile ? tr("by tile")
                                                       : tr("whole wall");
    const auto strong = font_of(11, true);
    const QFontMetrics metrics(strong);
    const auto title = metrics.elidedText(name_of(quantity), Qt::ElideRight, room);
    painter.setFont(strong);
    painter.setPen(colors::text);
    painter.drawText(QRect(margin, place.top() - 2, room, line), Qt::AlignLeft | Qt::AlignVCenter, title);
    painter.setFont(font_of(11));
    painter.setPen(colors::text3);
    if (place.height() > 2 * line - 6)
      painter.drawText(
          QRect(margin, place.top() - 2 + line, room, line), Qt::AlignLeft | Qt::AlignVCenter,
          QFontMetrics(painter.font()).elidedText(tr("%1, %2").arg(unit.name, whose), Qt::ElideRight, room));
    if (!look_.legend_above)
      draw_lane_legend(painter, lane,
                       QRect(margin, place.top() - 2 + 2 * line, room, place.height() - 2 * line + lane_gap));
  }
}

void LaneChart::draw_lane_legend(QPainter& painter, std::size_t lane, QRect place) const {
  const auto& drawn = lanes_[lane];
  const int line = QFontMetrics(painter.font()).height();
  const auto entry = [&](const QPen& pen, const QString& name) {
    if (place.height() < line) return;
    painter.setPen(pen);
    painter.drawLine(place.left(), place.top() + line / 2, place.left() + 12, place.top() + line / 2);
    painter.setPen(colors::text2);
    painter.drawText(place.adjusted(18, 0, 0, line - place.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(painter.font()).elidedText(name, Qt::ElideRight, place.width() - 18));
    place.setTop(place.top() + line);
  };
  if (drawn.lane.together || drawn.rows.size() <= 1) return;
  for (std::size_t rank = 0; rank < drawn.worst.size(); ++rank)
    entry(pen_of_rank(rank), drawn.rows.line(drawn.worst[rank]).name);
  entry(colors::text2, tr("median"));
}

void LaneChart::draw_legend(QPainter& painter) const {
  const Drawn* lead = nullptr;
  for (const auto& drawn : lanes_)
    if (drawn.lane.quantity == lead_) lead = &drawn;
  if (lead == nullptr || lead->rows.size() == 0) return;
  painter.setFont(font_of(11));
  const QFontMetrics metrics(painter.font());
  const int line = metrics.height();
  constexpr int top = 2;
  int x = 8;
  const auto name = [&](const QString& text, const QColor& color) {
    painter.setPen(color);
    painter.drawText(QRect(x, top, width() - x, line), Qt::AlignLeft | Qt::AlignVCenter, text);
    x += metrics.horizontalAdvance(text) + 14;
  };
  const auto stroke = [&](const QPen& pen) {
    painter.setPen(pen);
    painter.drawLine(x, top + line / 2, x + 14, top + line / 2);
    x += 19;
  };
  const auto count = static_cast<int>(lead->rows.size());
  if (count > 1) {
    painter.fillRect(QRect(x, top + line / 2 - 5, 14, 10), faint(colors::envelope, envelope_share));
    x += 19;
    name(info(lead_).scope == Scope::tile ? tr("all %1 tiles, least to greatest").arg(count)
                                          : tr("all %1 flows, least to greatest").arg(count),
         colors::text2);
    stroke(colors::text2);
    name(tr("median"), colors::text2);
    name(tr("Worst:"), colors::text3);
  }
  for (std::size_t rank = 0; rank < lead->worst.size(); ++rank) {
    const auto& words = lead->rows.line(lead->worst[rank]).name;
    if (x + 19 + metrics.horizontalAdvance(words) > width()) return;
    stroke(count > 1 ? pen_of_rank(rank) : QPen(colors::text2));
    name(words, colors::text2);
  }
}

void LaneChart::draw_values(QPainter& painter) const {
  const auto strong = font_of(12, true), usual = font_of(11);
  const int line = QFontMetrics(strong).height();
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    const auto& drawn = lanes_[lane];
    QRect place(area().right() + 10, lane_rect(lane).top() - 3, width() - area().right() - 10, line);
    const auto write = [&](const QString& value, const QString& words) {
      painter.setFont(strong);
      painter.setPen(drawn.beyond ? colors::warn : colors::text);
      const double width = type::paint_figure(painter, place, Qt::AlignLeft, value);
      painter.setFont(usual);
      painter.setPen(colors::text2);
      painter.drawText(place.adjusted(static_cast<int>(width) + (value.isEmpty() ? 0 : 4), 0, 0, 0),
                       Qt::AlignLeft | Qt::AlignVCenter, words);
      place.translate(0, line);
    };
    write(drawn.first_value, drawn.first_words);
    if (!drawn.second_value.isEmpty() && lane_rect(lane).height() >= 2 * line - 6)
      write(drawn.second_value, drawn.second_words);
  }
}

void LaneChart::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  const auto place = area();
  painter.fillRect(event->rect(), colors::panel);
  painter.drawPixmap(place.topLeft(), plot_);
  const QRect beside(0, 0, place.left() - edge, place.bottom() + 1);
  const QRect above(0, 0, width(), place.top() - shape_size - 1);
  if (event->region().intersects(beside) || event->region().intersects(above)) {
    draw_gutter(painter);
    if (look_.legend_above) draw_legend(painter);
  }
  const QRect after(place.right() + 1 + edge, 0, width() - place.right() - 1 - edge, place.bottom() + 1);
  if (look_.values && event->region().intersects(after)) draw_values(painter);
  if (source_.history.flows().empty()) draw_nothing(painter);
  draw_incidents(painter);
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) draw_limit_label(painter, lane);
  draw_axis(painter);
  draw_marks(painter);
  draw_focus(painter);
}

void LaneChart::draw(QPainter& painter) const {
  painter.fillRect(rect(), colors::panel);
  draw_gutter(painter);
  if (look_.legend_above) draw_legend(painter);
  if (look_.values) draw_values(painter);
  painter.save();
  painter.setClipRect(area());
  draw_data(painter, first_column(), first_column() + grid().width - 1, Ink::still);
  painter.restore();
  draw_incidents(painter);
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) draw_limit_label(painter, lane);
  draw_axis(painter);
  draw_mark(painter);
}

}  // namespace lw
