// How a tile's state is drawn over and around its preview, by the tile's width on the screen. Nothing is drawn on a
// healthy tile. The colours are the same in every theme, because they lie over frames of a visualization.
#pragma once

#include "wall-control/models/health.h"

#include <QRect>

class QPainter;

namespace lw::tile_face {

enum class Detail : unsigned char { fill, shape, badge, line };
Detail detail_of(int width);

// Instead of the preview of a tile that shows nothing, and where a preview has not arrived yet.
void paint_hatching(QPainter& painter, const QRect& tile);
QColor empty_ground();

// `gap`: the bezel between two tiles, where the frame lies as far as there is room. The badge is in the part `seen`.
void paint_state(QPainter& painter, const QRect& tile, const TileHealth& health, int gap, const QRect& seen);
void paint_hover(QPainter& painter, const QRect& tile, int gap);
// White on black, outside the frame of the state.
void paint_selection(QPainter& painter, const QRect& place, int frame);
// Of several that are selected, the one that keys move: its outline is of another colour.
void paint_current(QPainter& painter, const QRect& place, int frame);
// Which is drawn with the mouse to select several.
void paint_band(QPainter& painter, const QRect& place);
// How far the frame reaches beyond the tile.
int frame_outside(State state, int gap);
// All that can be painted for a tile lies within.
QRect painted_area(const QRect& tile);

// A shape and a text on a dark ground; returns its place. Without room for the text there is only the shape.
QRect paint_badge(QPainter& painter, const QPoint& corner, int width_max, State state, const QString& text);
QRect paint_label(QPainter& painter, const QPoint& corner, const QString& name, const QString& detail);
QSize label_size(const QString& name, const QString& detail);

}  // namespace lw::tile_face
