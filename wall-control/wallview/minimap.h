// The entire wall in a corner of the zoomed canvas: previews, tiles with problems as dots, and the part that is seen.
#pragma once

#include "wall-control/wallview/wall_geometry.h"

#include "wall-control/models/health.h"

#include <QImage>

class QPainter;

namespace lw {

class Minimap {
public:
  // In the corner of the port, for a wall of this shape.
  void place(const WallGeometry& geometry);
  [[nodiscard]] const QRect& area() const { return area_; }
  // The wall's point there.
  [[nodiscard]] QPointF to_wall(const WallGeometry& geometry, const QPointF& place) const;

  void put(const WallGeometry& geometry, int column, int row, const QImage* preview);
  void paint(QPainter& painter, const WallGeometry& geometry) const;
  void paint_dot(QPainter& painter, const WallGeometry& geometry, int column, int row, State state) const;

private:
  [[nodiscard]] QRectF inner() const;
  [[nodiscard]] QRectF cell(const WallGeometry& geometry, int column, int row) const;  // in the image

  QRect area_;
  QImage image_;  // of the previews
};

}  // namespace lw
