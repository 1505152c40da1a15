#include "wall-control/wallview/minimap.h"

#include "wall-control/ui/palette.h"
#include "wall-control/wallview/tile_face.h"

#include <QPainter>

#include <algorithm>

namespace lw {
namespace {

constexpr double map_width = 196, map_height_max = 120;
constexpr int map_border = 4, map_distance = 12;
constexpr double dot_min = 3, dot_max = 10;

}  // namespace

void Minimap::place(const WallGeometry& geometry) {
  const auto wall = geometry.wall_size();
  const auto size = wall.scaled(map_width, map_height_max, Qt::KeepAspectRatio).toSize().expandedTo({8, 8});
  QRect area(QPoint(), size + QSize(2 * map_border, 2 * map_border));
  area.moveBottomRight(geometry.port().toRect().bottomRight() - QPoint(map_distance, map_distance));
  area_ = area;
  if (image_.size() == size) return;
  image_ = QImage(size, QImage::Format_RGB32);
  image_.fill(tile_face::empty_ground());
}

QRectF Minimap::inner() const { return QRectF(area_).adjusted(map_border, map_border, -map_border, -map_border); }

QPointF Minimap::to_wall(const WallGeometry& geometry, const QPointF& place) const {
  const auto wall = geometry.wall_size();
  const auto at = place - inner().topLeft();
  return {at.x() * wall.width() / inner().width(), at.y() * wall.height() / inner().height()};
}

QRectF Minimap::cell(const WallGeometry& geometry, int column, int row) const {
  const auto tile = geometry.tile_rect(column, row);
  const auto wall = geometry.wall_rect();
  const double scale = image_.width() / wall.width();
  return {(tile.topLeft() - wall.topLeft()) * scale, tile.size() * scale};
}

void Minimap::put(const WallGeometry& geometry, int column, int row, const QImage* preview) {
  QPainter painter(&image_);
  const auto place = cell(geometry, column, row).toAlignedRect();
  if (preview != nullptr)
    painter.drawImage(place, *preview);
  else
    painter.fillRect(place, tile_face::empty_ground());
}

void Minimap::paint(QPainter& painter, const WallGeometry& geometry) const {
  painter.fillRect(area_, Qt::black);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QColor::fromRgb(colors::off_on_wall));
  painter.drawRect(area_.adjusted(0, 0, -1, -1));
  painter.drawImage(inner().topLeft(), image_);
  const auto wall = geometry.wall_size();
  const QPointF scale(inner().width() / wall.width(), inner().height() / wall.height());
  const auto first = geometry.to_wall(geometry.port().topLeft());
  const auto last = geometry.to_wall(geometry.port().bottomRight());
  const QRectF seen(QPointF(first.x() * scale.x(), first.y() * scale.y()),
                    QPointF(last.x() * scale.x(), last.y() * scale.y()));
  painter.setPen(Qt::white);
  painter.drawRect(seen.translated(inner().topLeft()).intersected(inner().adjusted(0, 0, -1, -1)).toRect());
}

void Minimap::paint_dot(QPainter& painter, const WallGeometry& geometry, int column, int row, State state) const {
  auto place = cell(geometry, column, row).translated(inner().topLeft());
  const QSizeF size(std::clamp(place.width() - 1, dot_min, dot_max), std::clamp(place.height() - 1, dot_min, dot_max));
  const auto middle = place.center();
  place = QRectF(middle - QPointF(size.width(), size.height()) / 2, size);
  painter.fillRect(place.toRect(), color_on_wall(state));
}

}  // namespace lw
