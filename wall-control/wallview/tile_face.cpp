#include "wall-control/wallview/tile_face.h"

#include "wall-control/ui/palette.h"
#include "wall-control/ui/type.h"

#include <QFontMetrics>
#include <QPainter>
#include <QPixmap>
#include <QPixmapCache>

#include <algorithm>
#include <cmath>

namespace lw::tile_face {
namespace {

// Pixels of a tile's width, below which there is less.
constexpr int shape_from = 24, badge_from = 90, line_from = 220;
constexpr int badge_inset = 4, badge_padding = 5;
constexpr double badge_radius = 3;
constexpr int selection_width = 4;  // black, white, white, black

QColor badge_ground() { return QColor::fromRgba(colors::badge_on_wall); }

int frame_width(State state) {
  switch (state) {
    case State::crit:
      return 3;
    case State::warn:
    case State::off:
      return 2;
    case State::ok:
    case State::note:
      break;
  }
  return 0;
}

void paint_ring(QPainter& painter, const QRect& outer, int width, const QColor& color) {
  const int inside = outer.height() - 2 * width;
  painter.fillRect(outer.left(), outer.top(), outer.width(), width, color);
  painter.fillRect(outer.left(), outer.bottom() - width + 1, outer.width(), width, color);
  painter.fillRect(outer.left(), outer.top() + width, width, inside, color);
  painter.fillRect(outer.right() - width + 1, outer.top() + width, width, inside, color);
}

// Dashes as rectangles: a stroker takes much longer.
void paint_dashed(QPainter& painter, const QRect& outer, const QColor& color) {
  constexpr int dash = 6, period = 10, width = 2;
  for (int x = outer.left(); x <= outer.right(); x += period) {
    const int length = std::min(dash, outer.right() + 1 - x);
    painter.fillRect(x, outer.top(), length, width, color);
    painter.fillRect(x, outer.bottom() + 1 - width, length, width, color);
  }
  for (int y = outer.top(); y <= outer.bottom(); y += period) {
    const int length = std::min(dash, outer.bottom() + 1 - y);
    painter.fillRect(outer.left(), y, width, length, color);
    painter.fillRect(outer.right() + 1 - width, y, width, length, color);
  }
}

// Badges lie over previews, which come ten times a second: antialiased shapes are drawn once and kept.
template <class Draw>
void paint_kept(QPainter& painter, const QRect& place, const QString& key, const Draw& draw) {
  const double ratio = painter.device()->devicePixelRatioF();
  const auto full_key = QString("lw-badge %1 %2x%3 %4").arg(key).arg(place.width()).arg(place.height()).arg(ratio);
  QPixmap made;
  if (!QPixmapCache::find(full_key, &made)) {
    made = QPixmap((QSizeF(place.size()) * ratio).toSize());
    made.setDevicePixelRatio(ratio);
    made.fill(Qt::transparent);
    QPainter drawing(&made);
    drawing.setRenderHint(QPainter::Antialiasing);
    drawing.setPen(Qt::NoPen);
    drawing.setBrush(badge_ground());
    drawing.drawRoundedRect(QRect(QPoint(), place.size()), badge_radius, badge_radius);
    draw(drawing);
    drawing.end();
    QPixmapCache::insert(full_key, made);
  }
  painter.drawPixmap(place.topLeft(), made);
}

QString key_of(State state, const QFont& font, const QString& text) {
  return QString("%1 %2 %3").arg(static_cast<int>(state)).arg(font.key(), text);
}

void paint_shape(QPainter& painter, const QRect& tile, State state) {
  constexpr int around = 2;
  const int size = std::clamp(std::min(tile.width(), tile.height()) - 8, 7, 15);
  QRect place(0, 0, size + 2 * around, size + 2 * around);
  place.moveCenter(tile.center());
  paint_kept(painter, place, QString::number(static_cast<int>(state)), [&](QPainter& drawing) {
    lw::paint_state(drawing, state, QRectF(around, around, size, size), color_on_wall(state), badge_ground());
  });
}

}  // namespace

Detail detail_of(int width) {
  if (width < shape_from) return Detail::fill;
  if (width < badge_from) return Detail::shape;
  return width < line_from ? Detail::badge : Detail::line;
}

QColor empty_ground() { return QColor::fromRgb(colors::badge_on_wall | 0xff000000); }

void paint_hatching(QPainter& painter, const QRect& tile) {
  constexpr int period = 14;
  static const QPixmap stripes = [] {
    QImage made(period, period, QImage::Format_RGB32);
    const auto ground = empty_ground();
    const auto stripe = QColor::fromRgb(0x16191d);
    for (int y = 0; y < period; ++y)
      for (int x = 0; x < period; ++x) made.setPixelColor(x, y, (x + y) % period < period / 2 ? stripe : ground);
    return QPixmap::fromImage(made);
  }();
  painter.drawTiledPixmap(tile, stripes);
}

int frame_outside(State state, int gap) { return std::clamp(gap / 2, 0, frame_width(state)); }

QRect painted_area(const QRect& tile) {
  constexpr int reach = 3 + selection_width;
  return tile.adjusted(-reach, -reach, reach, reach);
}

void paint_state(QPainter& painter, const QRect& tile, const TileHealth& health, int gap, const QRect& seen) {
  const auto state = health.state;
  if (frame_width(state) == 0) return;
  const auto detail = detail_of(tile.width());
  if (detail == Detail::fill) return painter.fillRect(tile, color_on_wall(state));
  const int outside = frame_outside(state, gap);
  const auto outer = tile.adjusted(-outside, -outside, outside, outside);
  if (state == State::off)
    paint_dashed(painter, outer, color_on_wall(state));
  else
    paint_ring(painter, outer, frame_width(state), color_on_wall(state));
  if (detail == Detail::shape) return paint_shape(painter, tile, state);
  const auto room = tile.intersected(seen).adjusted(badge_inset, badge_inset, -badge_inset, -badge_inset);
  if (room.isValid()) paint_badge(painter, room.topLeft(), room.width(), state, health.badge);
}

void paint_hover(QPainter& painter, const QRect& tile, int gap) {
  const int outside = gap >= 2 ? 1 : 0;
  paint_ring(painter, tile.adjusted(-outside, -outside, outside, outside), 1, Qt::white);
}

void paint_selection(QPainter& painter, const QRect& place, int frame) {
  const int reach = frame + selection_width;
  const auto outer = place.adjusted(-reach, -reach, reach, reach);
  paint_ring(painter, outer, selection_width, Qt::black);
  paint_ring(painter, outer.adjusted(1, 1, -1, -1), 2, Qt::white);
}

void paint_current(QPainter& painter, const QRect& place, int frame) {
  const int reach = frame + selection_width;
  paint_ring(painter, place.adjusted(-reach, -reach, reach, reach), 1, QColor::fromRgb(colors::current_on_wall));
}

void paint_band(QPainter& painter, const QRect& place) {
  paint_ring(painter, place, 1, Qt::white);
  paint_ring(painter, place.adjusted(1, 1, -1, -1), 1, Qt::black);
}

QRect paint_badge(QPainter& painter, const QPoint& corner, int width_max, State state, const QString& text) {
  const auto font = type::sized(11, true);
  const QFontMetrics metrics(font);
  const int shape = metrics.ascent();
  const int height = metrics.height() + 4;
  const int text_width = static_cast<int>(std::ceil(type::figure_width(font, text)));
  int width = shape + text_width + 3 * badge_padding;
  const bool has_text = !text.isEmpty() && width <= width_max;
  if (!has_text) width = shape + 2 * badge_padding;
  const QRect place(corner, QSize(width, height));
  paint_kept(painter, place, key_of(state, font, has_text ? text : QString()), [&](QPainter& drawing) {
    const QRectF at(badge_padding, (height - shape) / 2.0, shape, shape);
    lw::paint_state(drawing, state, at, color_on_wall(state), badge_ground());
    if (!has_text) return;
    drawing.setFont(font);
    drawing.setPen(Qt::white);
    type::paint_figure(drawing, QRect(shape + 2 * badge_padding, 0, text_width, height), Qt::AlignLeft, text);
  });
  return place;
}

QSize label_size(const QString& name, const QString& detail) {
  const QFontMetrics strong(type::sized(12, true));
  const QFontMetrics usual(type::sized(12));
  return {strong.horizontalAdvance(name) + usual.horizontalAdvance(detail) + 3 * badge_padding, strong.height() + 6};
}

QRect paint_label(QPainter& painter, const QPoint& corner, const QString& name, const QString& detail) {
  const QRect place(corner, label_size(name, detail));
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(badge_ground());
  painter.drawRoundedRect(place, badge_radius, badge_radius);
  painter.setPen(Qt::white);
  painter.setFont(type::sized(12, true));
  auto text = place.adjusted(badge_padding, 0, -badge_padding, 0);
  painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, name);
  text.setLeft(text.left() + painter.fontMetrics().horizontalAdvance(name) + badge_padding);
  painter.setFont(type::sized(12));
  painter.setPen(QColor::fromRgb(0xb3bcc5));
  painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, detail);
  painter.restore();
  return place;
}

}  // namespace lw::tile_face
