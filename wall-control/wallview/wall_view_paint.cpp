// What WallView draws. From back to front: ground, rulers, brackets, previews, states, hover and selection, minimap.
#include "wall-control/ui/counts.h"
#include "wall-control/ui/focus_ring.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/type.h"
#include "wall-control/wallview/tile_face.h"
#include "wall-control/wallview/tile_words.h"
#include "wall-control/wallview/wall_view.h"

#include <QPaintEvent>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace lw {
namespace {

constexpr double column_label_room = 40, row_label_room = 26;  // pixels for each number, of body text

constexpr double cut_label_min = 20;  // pixels of a tile that is partly seen

// Each n-th number has room.
int label_step(double pitch, double room) {
  for (const int step : {1, 2, 4, 8, 16, 32})
    if (step * pitch >= room) return step;
  return 64;
}

void paint_bracket(QPainter& painter, const QRect& place, int text_from, int text_to) {
  const int y = place.center().y();
  const int hook = 4;
  painter.drawLine(place.left(), y - hook, place.left(), y);
  painter.drawLine(place.right(), y - hook, place.right(), y);
  painter.drawLine(place.left(), y, text_from, y);
  painter.drawLine(text_to, y, place.right(), y);
}

}  // namespace

void WallView::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  const auto& region = event->region();
  const auto port = geometry_.port().toAlignedRect();
  if (geometry_.empty() || !has_faces()) {
    painter.fillRect(event->rect(), colors::well);
    return paint_empty(painter);
  }
  if (!only_tiles(region)) {
    painter.fillRect(event->rect(), colors::well);
    paint_ground(painter);
    paint_rulers(painter);
    paint_brackets(painter);
  }
  painter.setClipRect(port);
  paint_board(painter, event->rect());
  paint_states(painter, region);
  paint_focus(painter);
  if (geometry_.zoomed() && region.intersects(map_.area())) paint_map(painter);
  painter.setClipping(false);
  if (!shows_keyboard_) return;
  paint_focus_ring(painter, rect());
}

// Previews come ten times a second, and nothing else changes then.
bool WallView::only_tiles(const QRegion& region) const {
  return std::all_of(region.begin(), region.end(), [&](const QRect& place) {
    const auto tile = geometry_.tile_at(QRectF(place).center());
    return tile && geometry_.tile_pixels(tile->first, tile->second).contains(place);
  });
}

void WallView::paint_empty(QPainter& painter) const {
  const auto middle = rect().center().y();
  painter.setPen(colors::text);
  painter.setFont(type::sized(14, true));
  painter.drawText(QRect(0, middle - type::scaled(28), width(), type::scaled(28)), Qt::AlignCenter,
                   tr("No wall is connected yet"));
  painter.setPen(colors::text2);
  painter.setFont(type::sized(12));
  painter.drawText(QRect(12, middle, width() - 24, type::scaled(40)), Qt::AlignHCenter | Qt::TextWordWrap,
                   tr("Connect to a server to see its wall."));
}

void WallView::paint_ground(QPainter& painter) const {
  // Round by one pixel, without the time that antialiasing takes.
  const auto plate = geometry_.plate().toAlignedRect().intersected(geometry_.port().toAlignedRect());
  painter.fillRect(plate.adjusted(1, 0, -1, 0), Qt::black);
  painter.fillRect(plate.adjusted(0, 1, 0, -1), Qt::black);
}

void WallView::paint_rulers(QPainter& painter) const {
  const auto port = geometry_.port();
  const auto seen = geometry_.cells_in(port);
  const auto plate = geometry_.plate().intersected(port);
  painter.setFont(type::sized(11));
  painter.setPen(colors::text3);
  const auto first = geometry_.tile_rect(0, 0);
  const auto next = geometry_.tile_rect(1, 1);
  const int columns = label_step(next.left() - first.left(), type::scaled(column_label_room));
  for (int column = seen.left(); column <= seen.right(); ++column) {
    if (column % columns != 0) continue;
    const auto tile = geometry_.tile_rect(column, 0);
    const double from = std::max(tile.left(), port.left()), to = std::min(tile.right(), port.right());
    const double middle = (from + to) / 2;
    if (to - from < std::min(tile.width(), cut_label_min)) continue;
    const QRectF place(middle - 20, plate.top() - type::scaled(18), 40, type::scaled(16));
    painter.drawText(place, Qt::AlignHCenter | Qt::AlignBottom, QString::number(column));
  }
  const int rows = label_step(next.top() - first.top(), type::scaled(row_label_room));
  for (int row = seen.top(); row <= seen.bottom(); ++row) {
    if (row % rows != 0) continue;
    const auto tile = geometry_.tile_rect(0, row);
    const double from = std::max(tile.top(), port.top()), to = std::min(tile.bottom(), port.bottom());
    const double middle = (from + to) / 2;
    if (to - from < std::min(tile.height(), cut_label_min)) continue;
    const QRectF place(plate.left() - type::scaled(34), middle - 10, type::scaled(26), 20);
    painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, QString::number(row));
  }
}

void WallView::paint_brackets(QPainter& painter) const {
  const auto port = geometry_.port();
  for (const auto& group : groups_) {
    if (!group.alone) continue;
    auto place = bracket_area(group);
    if (place.top() > port.bottom() + 1 || place.right() < port.left() || place.left() > port.right()) continue;
    place.setLeft(std::max(place.left(), port.toAlignedRect().left()));
    place.setRight(std::min(place.right(), port.toAlignedRect().right()));
    const auto state = overlay_ == Overlay::none ? State::ok : state_of(group);
    const bool selected = focus_.part().node == group.name;
    const bool strong = selected || state == State::warn || state == State::crit;
    const auto color = state == State::ok || state == State::off ? colors::text3 : color_of(state);
    painter.setFont(type::sized(11, strong));
    const int text = painter.fontMetrics().horizontalAdvance(group.name);
    const int shape = state == State::ok ? 0 : type::scaled(11);
    const int needed = text + shape + 20;
    const bool named = needed + 24 <= place.width();
    const int middle = place.center().x();
    painter.setPen(selected ? colors::text : color);
    if (!named) {
      paint_bracket(painter, place, middle, middle);
      continue;
    }
    paint_bracket(painter, place, middle - needed / 2, middle + needed / 2);
    int x = middle - (text + (shape > 0 ? shape + 6 : 0)) / 2;
    if (shape > 0) {
      paint_state(painter, state, QRectF(x, place.center().y() - shape / 2.0, shape, shape), color_of(state),
                  colors::well);
      x += shape + 6;
    }
    painter.setPen(strong ? colors::text : colors::text3);
    painter.drawText(QRect(x, place.top(), text + 4, place.height()), Qt::AlignLeft | Qt::AlignVCenter, group.name);
  }
}

void WallView::paint_preview(QPainter& painter, const TileRow& tile, const TileHealth& health) const {
  const auto place = geometry_.tile_pixels(tile.column, tile.row);
  if (health.state == State::off && overlay_ == Overlay::state) return tile_face::paint_hatching(painter, place);
  const auto* scaled = previews_.scaled(TilePreviews::Use::canvas, tile.column, tile.row);
  const auto* any = scaled != nullptr ? scaled : previews_.of(tile.column, tile.row);
  if (any == nullptr) return painter.fillRect(place, tile_face::empty_ground());
  // Enlarged or reduced for a moment, until the right size is there.
  if (any->size() == (QSizeF(place.size()) * devicePixelRatioF()).toSize() && devicePixelRatioF() == 1)
    painter.drawImage(place.topLeft(), *any);
  else
    painter.drawImage(place, *any);
}

// The board has all tiles without their states: a preview is drawn once, and repainting is copying.
void WallView::compose_board() {
  const auto ratio = devicePixelRatioF();
  const auto port = geometry_.port().toAlignedRect();
  board_ = QImage((QSizeF(port.size()) * ratio).toSize(), QImage::Format_RGB32);
  board_.setDevicePixelRatio(ratio);
  board_.fill(Qt::black);
  const auto seen = geometry_.cells_in(geometry_.port());
  QPainter painter(&board_);
  painter.translate(-port.topLeft());
  for (std::size_t i = 0; i < faces_.size(); ++i)
    if (const auto& tile = history_.tiles()[i]; seen.contains(tile.column, tile.row))
      paint_preview(painter, tile, faces_[i].health);
}

void WallView::put_on_board(std::size_t face) {
  if (board_.isNull()) return;  // it will be composed
  QPainter painter(&board_);
  painter.translate(-geometry_.port().toAlignedRect().topLeft());
  paint_preview(painter, history_.tiles()[face], faces_[face].health);
}

void WallView::paint_board(QPainter& painter, const QRect& dirty) {
  if (board_.isNull()) compose_board();
  const auto port = geometry_.port().toAlignedRect();
  const auto place = geometry_.plate().toAlignedRect().adjusted(1, 1, -1, -1).intersected(port).intersected(dirty);
  const QRectF source(QPointF(place.topLeft() - port.topLeft()) * devicePixelRatioF(),
                      QSizeF(place.size()) * devicePixelRatioF());
  painter.drawImage(QRectF(place), board_, source);
}

bool WallView::shows_line(const QRect& tile) const {
  return overlay_ == Overlay::state && tile_face::detail_of(tile.width()) == tile_face::Detail::line &&
         line_area(tile).height() >= QFontMetrics(type::sized(11)).height();
}

// In the bezel below the tile, beneath its frame.
QRect WallView::line_area(const QRect& tile) const {
  constexpr int frame = 3;
  return {tile.left(), tile.bottom() + 1 + frame, tile.width(), static_cast<int>(geometry_.gap()) - 2 * frame};
}

void WallView::paint_states(QPainter& painter, const QRegion& region) const {
  if (overlay_ == Overlay::none) return;
  const int gap = static_cast<int>(geometry_.gap());
  const auto port = geometry_.port().toAlignedRect();
  for (const auto index : problems_) {
    const auto& tile = history_.tiles()[index];
    if (region.intersects(area_of({tile.column, tile.row})))
      tile_face::paint_state(painter, geometry_.tile_pixels(tile.column, tile.row), faces_[index].health, gap, port);
  }
  if (!shows_line(geometry_.tile_pixels(0, 0))) return;
  painter.setFont(type::sized(11));
  painter.setPen(QColor::fromRgb(colors::off_on_wall));
  for (const auto& tile : history_.tiles()) {
    const auto place = line_area(geometry_.tile_pixels(tile.column, tile.row));
    if (region.intersects(place)) type::paint_figure(painter, QRectF(place), Qt::AlignLeft, line_of_tile(tile));
  }
}

void WallView::paint_focus(QPainter& painter) const {
  const int gap = static_cast<int>(geometry_.gap());
  const auto frame_of = [&](int column, int row) {
    const int face = face_at_[static_cast<std::size_t>(row * geometry_.columns() + column)];
    const bool shown = face >= 0 && overlay_ == Overlay::state;
    return shown ? tile_face::frame_outside(faces_[static_cast<std::size_t>(face)].health.state, gap) : 0;
  };
  if (hovered_) {
    const auto [column, row] = *hovered_;
    if (frame_of(column, row) == 0) tile_face::paint_hover(painter, geometry_.tile_pixels(column, row), gap);
  }
  const auto& node = focus_.part().node;
  const auto group = std::ranges::find(groups_, node, &NodeGroup::name);
  if (!node.isEmpty() && group != groups_.end()) paint_node(painter, *group);
  if (const auto* tile = selected())
    tile_face::paint_selection(painter, geometry_.tile_pixels(tile->column, tile->row),
                               frame_of(tile->column, tile->row));
}

void WallView::paint_node(QPainter& painter, const NodeGroup& group) const {
  constexpr int frame = 3;
  if (!group.contiguous) {
    for (const auto& tile : history_.tiles())
      if (tile.node == group.name) tile_face::paint_selection(painter, geometry_.tile_pixels(tile.column, tile.row), 0);
    return;
  }
  const auto block = geometry_.cells_rect(group.cells).toRect();
  tile_face::paint_selection(painter, block, geometry_.gap() >= 2 ? frame : 0);
  if (group.alone) return;  // its bracket has the name
  const auto detail = tr("%1, %2").arg(counts::tiles(group.tiles), counts::flows(group.flows));
  const auto size = tile_face::label_size(group.name, detail);
  QPoint corner(block.left(), block.bottom() + 10);
  if (corner.y() + size.height() > geometry_.port().bottom()) corner.setY(block.top() - 8 - size.height());
  tile_face::paint_label(painter, corner, group.name, detail);
}

void WallView::paint_map(QPainter& painter) const {
  map_.paint(painter, geometry_);
  if (overlay_ == Overlay::none) return;
  for (const auto index : problems_) {
    const auto& tile = history_.tiles()[index];
    map_.paint_dot(painter, geometry_, tile.column, tile.row, faces_[index].health.state);
  }
}

}  // namespace lw
