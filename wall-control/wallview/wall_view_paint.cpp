// What WallView draws. From back to front: ground, rulers, brackets, previews and states, which lie on a board of their
// own; hover and selection; minimap.
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

constexpr int node_frame = 3;

QString label_detail(const NodeGroup& group) {
  return WallView::tr("%1, %2").arg(counts::tiles(group.tiles), counts::flows(group.flows));
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
  if (geometry_.empty() || !has_faces()) {
    painter.fillRect(event->rect(), colors::well);
    return paint_empty(painter);
  }
  if (board_.isNull()) compose_board();
  paint_board(painter, event->rect());
  painter.setClipRect(geometry_.port().toAlignedRect());
  paint_focus(painter);
  if (geometry_.zoomed() && event->region().intersects(map_.area())) paint_map(painter);
  painter.setClipping(false);
  if (shows_keyboard_) paint_focus_ring(painter, rect());
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
  const auto fill = [&](const QRect& area) {
    const auto plate = area.intersected(geometry_.port().toAlignedRect());
    painter.fillRect(plate.adjusted(1, 0, -1, 0), Qt::black);
    painter.fillRect(plate.adjusted(0, 1, 0, -1), Qt::black);
  };
  if (!grouped_) return fill(geometry_.plate().toAlignedRect());
  for (const auto& group : groups_) fill(block_of(group).toAlignedRect().adjusted(-5, -5, 5, 5));
}

void WallView::paint_rulers(QPainter& painter) const {
  if (grouped_ || geometry_.is_free()) return;  // neighbours here are not neighbours on the wall
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
    if (!has_bracket(group)) continue;
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

// With its state and the line below it.
void WallView::paint_face(QPainter& painter, std::size_t face) const {
  const auto& tile = history_.tiles()[face];
  const auto& shown = faces_[face];
  const auto pixels = geometry_.tile_pixels(tile.column, tile.row);
  paint_preview(painter, tile, shown.health);
  if (overlay_ == Overlay::none) return;
  const auto port = geometry_.port().toAlignedRect();
  tile_face::paint_state(painter, pixels, shown.health, static_cast<int>(geometry_.gap()), port);
  if (shown.line.isEmpty()) return;
  painter.setFont(type::sized(11));
  painter.setPen(QColor::fromRgb(colors::off_on_wall));
  type::paint_figure(painter, QRectF(line_area(pixels)), Qt::AlignLeft, shown.line);
}

// The board has all but selection, pointer and minimap. A tile is drawn on it when it changes, and painting is copying.
void WallView::compose_board() {
  const auto ratio = devicePixelRatioF();
  board_ = QImage((QSizeF(size()) * ratio).toSize(), QImage::Format_RGB32);
  board_.setDevicePixelRatio(ratio);
  board_.fill(colors::well);
  QPainter painter(&board_);
  paint_ground(painter);
  paint_rulers(painter);
  paint_brackets(painter);
  painter.setClipRect(geometry_.port().toAlignedRect());
  const auto seen = geometry_.cells_in(geometry_.port());
  for (std::size_t i = 0; i < faces_.size(); ++i)
    if (const auto& tile = history_.tiles()[i]; seen.contains(tile.column, tile.row)) paint_face(painter, i);
}

void WallView::put_on_board(std::size_t face) {
  if (board_.isNull()) return;  // it will be composed
  const auto& tile = history_.tiles()[face];
  const auto pixels = geometry_.tile_pixels(tile.column, tile.row);
  const auto port = geometry_.port().toAlignedRect();
  if (!pixels.intersects(port)) return;
  QPainter painter(&board_);
  painter.setClipRect(port);
  // The bezel, as far as the frames of states reach and the line below.
  const int around = tile_face::frame_outside(State::crit, static_cast<int>(geometry_.gap()));
  painter.fillRect(pixels.adjusted(-around, -around, around, around), Qt::black);
  if (shows_line(pixels)) painter.fillRect(line_area(pixels), Qt::black);
  paint_face(painter, face);
}

// They show the state of their nodes, and which of them is selected.
void WallView::put_brackets_on_board() {
  if (board_.isNull()) return;
  QPainter painter(&board_);
  for (const auto& group : groups_) {
    if (!has_bracket(group)) continue;
    auto place = bracket_area(group);
    if (!grouped_) place.setTop(geometry_.plate().toAlignedRect().bottom() + 1);
    painter.fillRect(place, colors::well);
  }
  paint_brackets(painter);
}

void WallView::paint_board(QPainter& painter, const QRect& dirty) const {
  const auto ratio = devicePixelRatioF();
  painter.drawImage(QRectF(dirty), board_, QRectF(QPointF(dirty.topLeft()) * ratio, QSizeF(dirty.size()) * ratio));
}

bool WallView::shows_line(const QRect& tile) const {
  return overlay_ == Overlay::state && tile_face::detail_of(tile.width()) == tile_face::Detail::line &&
         line_area(tile).height() >= QFontMetrics(type::sized(11)).height();
}

QString WallView::line_of(const TileRow& tile) const {
  return shows_line(geometry_.tile_pixels(tile.column, tile.row)) ? line_of_tile(tile) : QString();
}

// In the bezel below the tile, beneath its frame.
QRect WallView::line_area(const QRect& tile) const {
  constexpr int frame = 3;
  return {tile.left(), tile.bottom() + 1 + frame, tile.width(), static_cast<int>(geometry_.gap()) - 2 * frame};
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
  const auto tiles = focus_.tiles();
  for (const auto& [column, row] : tiles)
    if (history_.tile(column, row) != nullptr)
      tile_face::paint_selection(painter, geometry_.tile_pixels(column, row), frame_of(column, row));
  if (tiles.size() > 1) {
    const auto [column, row] = tiles.front();
    tile_face::paint_current(painter, geometry_.tile_pixels(column, row), frame_of(column, row));
  }
  if (band_) tile_face::paint_band(painter, *band_);
}

void WallView::paint_node(QPainter& painter, const NodeGroup& group) const {
  if ((!group.contiguous || geometry_.is_free()) && !grouped_) {
    for (const auto& tile : history_.tiles())
      if (tile.node == group.name) tile_face::paint_selection(painter, geometry_.tile_pixels(tile.column, tile.row), 0);
    return;
  }
  const auto block = block_of(group).toRect();
  tile_face::paint_selection(painter, block, geometry_.gap() >= 2 ? node_frame : 0);
  if (has_bracket(group)) return;  // its bracket has the name
  tile_face::paint_label(painter, label_area(group).topLeft(), group.name, label_detail(group));
}

QRect WallView::label_area(const NodeGroup& group) const {
  const auto block = block_of(group).toRect();
  QRect label({block.left(), block.bottom() + 10}, tile_face::label_size(group.name, label_detail(group)));
  if (label.bottom() > geometry_.port().bottom()) label.moveBottom(block.top() - 8);
  return label;
}

QRegion WallView::focus_area() const {
  QRegion area;
  for (const auto& place : focus_.tiles()) area += area_of(place);
  const auto group = std::ranges::find(groups_, focus_.part().node, &NodeGroup::name);
  if (group == groups_.end()) return area;
  area += tile_face::painted_area(block_of(*group).toRect());
  if (!has_bracket(*group)) area += label_area(*group);
  for (const auto& tile : history_.tiles())
    if (tile.node == group->name) area += area_of({tile.column, tile.row});
  return area;
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
