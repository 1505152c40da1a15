#include "wall-control/wallview/wall_geometry.h"

#include "wall-control/messages/wall_shape.h"

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr double plate_margin_min = 5;
constexpr double block_distance = 0.25;  // of a tile's length, between blocks

// Where a length begins that is clamped into `from` to `to`, or centred if it is shorter.
std::pair<double, double> filled_range(double length, double margin, double from, double to) {
  const double room = to - from;
  if (length + 2 * margin <= room) {
    const double centered = from + (room - length) / 2;
    return {centered, centered};
  }
  return {to - margin - length, from + margin};
}

double clamped(double value, std::pair<double, double> range, const std::optional<double>& before) {
  if (before) range = {std::min(range.first, *before), std::max(range.second, *before)};
  return std::clamp(value, range.first, range.second);
}

}  // namespace

void WallGeometry::set_wall(const WallInfo& wall) {
  columns_ = static_cast<int>(wall.columns);
  rows_ = static_cast<int>(wall.rows);
  tile_width_ = std::max(1U, wall.tile_width);
  tile_height_ = std::max(1U, wall.tile_height);
  bezel_x_ = wall.bezel_x;
  bezel_y_ = wall.bezel_y;
  free_.clear();
  for (std::size_t i = 0; i < wall.tiles.size(); ++i) free_.push_back(place_on(wall, static_cast<int>(i), 0));
  for (const auto& tile : free_) {
    tile_width_ = std::max(tile_width_, tile.width());
    tile_height_ = std::max(tile_height_, tile.height());
  }
  picture_ = extent_of(wall);
  blocks_.clear();
  find_fit();
  fit();
}

void WallGeometry::set_blocks(std::vector<Block> blocks, double caption) {
  blocks_ = std::move(blocks);
  caption_ = caption;
  find_fit();
  fit();
}

// In as many rows as let the tiles be largest; each block has as much room as the largest needs.
void WallGeometry::lay_blocks() {
  std::vector<QRectF> bounds;
  QSizeF most(1, 1);
  for (const auto& block : blocks_) {
    QRect cells;
    QRectF around;
    for (const auto& [column, row] : block) {
      cells |= QRect(column, row, 1, 1);
      around |= place_of({column, row, 1, 1});
    }
    bounds.push_back(is_free() ? around : place_of(cells));
    most = most.expandedTo(bounds.back().size());
  }
  const double between = tile_width_ * block_distance + bezel_x_, below = tile_height_ * block_distance + bezel_y_;
  const auto count = static_cast<int>(blocks_.size());
  int best = 1;
  double best_scale = 0;
  for (int across = 1; across <= count; ++across) {
    const int down = (count + across - 1) / across;
    const double room = std::max(1.0, port_.height() - 2 * plate_margin_min - down * caption_);
    const double scale = std::min((port_.width() - 2 * plate_margin_min) / (across * (most.width() + between)),
                                  room / (down * (most.height() + below)));
    if (scale <= best_scale) continue;
    best = across;
    best_scale = scale;
  }
  const double caption = best_scale > 0 ? caption_ / best_scale : 0;
  block_places_.clear();
  tile_places_.assign(static_cast<std::size_t>(columns_ * rows_), {});
  for (int i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const QPointF corner(i % best * (most.width() + between), i / best * (most.height() + below + caption));
    block_places_.emplace_back(corner, bounds[at].size());
    for (const auto& [column, row] : blocks_[at])
      tile_places_[static_cast<std::size_t>(row * columns_ + column)] =
          corner + place_of({column, row, 1, 1}).topLeft() - bounds[at].topLeft();
  }
  const int down = (count + best - 1) / best;
  blocks_size_ = {best * (most.width() + between) - between, down * (most.height() + below + caption) - below};
}

QRectF WallGeometry::block_rect(std::size_t block) const {
  const auto& place = block_places_[block];
  return {from_wall(place.topLeft()), place.size() * scale()};
}

QSizeF WallGeometry::wall_size() const {
  if (!blocks_.empty()) return blocks_size_;
  if (is_free()) return picture_;
  return {columns_ * tile_width_ + (columns_ - 1) * bezel_x_, rows_ * tile_height_ + (rows_ - 1) * bezel_y_};
}

QPointF WallGeometry::margin() const {
  return {std::max(plate_margin_min, bezel_x_ * scale()), std::max(plate_margin_min, bezel_y_ * scale())};
}

void WallGeometry::find_fit() {
  if (empty()) return;
  if (!blocks_.empty()) lay_blocks();
  const auto size = wall_size();
  const double width = std::max(1.0, port_.width() - 2 * plate_margin_min) / (size.width() + 2 * bezel_x_);
  const double height = std::max(1.0, port_.height() - 2 * plate_margin_min) / (size.height() + 2 * bezel_y_);
  fit_scale_ = std::min(width, height);
}

void WallGeometry::set_port(const QRectF& port) {
  if (port == port_) return;
  const auto middle = to_wall(port_.center());
  port_ = port;
  if (empty()) return;
  find_fit();
  if (!zoomed()) return fit();
  center_on(middle);
}

void WallGeometry::center_on(const QPointF& of_wall) {
  origin_ = port_.center() - of_wall * scale();
  keep_filled({});
}

void WallGeometry::fit() {
  zoom_ = 1;
  const auto size = wall_size() * scale();
  origin_ = port_.center() - QPointF(size.width(), size.height()) / 2;
}

void WallGeometry::zoom_about(const QPointF& about, double factor) {
  const double zoom = std::clamp(zoom_ * factor, 1.0, zoom_max);
  if (empty() || zoom == zoom_) return;
  if (zoom == 1) return fit();
  origin_ = about - (about - origin_) * (zoom / zoom_);
  const bool out = zoom < zoom_;
  zoom_ = zoom;
  if (out) keep_filled({});
}

void WallGeometry::pan(const QPointF& by) {
  const auto before = origin_;
  origin_ += by;
  keep_filled(before);
}

void WallGeometry::bring_into_view(const QRectF& place) {
  QPointF by;
  if (place.left() < port_.left() || place.width() > port_.width())
    by.setX(port_.left() - place.left());
  else
    by.setX(std::min(0.0, port_.right() - place.right()));
  if (place.top() < port_.top() || place.height() > port_.height())
    by.setY(port_.top() - place.top());
  else
    by.setY(std::min(0.0, port_.bottom() - place.bottom()));
  if (zoomed()) origin_ += by;
}

void WallGeometry::keep_filled(const std::optional<QPointF>& before) {
  const auto size = wall_size() * scale();
  const auto around = margin();
  const auto axis = [&](auto of) { return before ? std::optional(of(*before)) : std::nullopt; };
  origin_ = {clamped(origin_.x(), filled_range(size.width(), around.x(), port_.left(), port_.right()),
                     axis([](const QPointF& at) { return at.x(); })),
             clamped(origin_.y(), filled_range(size.height(), around.y(), port_.top(), port_.bottom()),
                     axis([](const QPointF& at) { return at.y(); }))};
}

QRectF WallGeometry::wall_rect() const { return {origin_, wall_size() * scale()}; }

QRectF WallGeometry::plate() const {
  const auto around = margin();
  return wall_rect().adjusted(-around.x(), -around.y(), around.x(), around.y());
}

QRectF WallGeometry::place_of(const QRect& cells) const {
  if (is_free()) {
    QRectF all;
    for (int i = std::max(0, cells.left()); i <= std::min(cells.right(), columns_ - 1); ++i)
      all |= free_[static_cast<std::size_t>(i)];
    return all;
  }
  return {cells.left() * (tile_width_ + bezel_x_), cells.top() * (tile_height_ + bezel_y_),
          cells.width() * (tile_width_ + bezel_x_) - bezel_x_, cells.height() * (tile_height_ + bezel_y_) - bezel_y_};
}

QRectF WallGeometry::cells_rect(const QRect& cells) const {
  auto place = place_of(cells);
  const bool one = cells.width() == 1 && cells.height() == 1;
  const auto at = static_cast<std::size_t>(cells.top() * columns_ + cells.left());
  if (!blocks_.empty() && one && at < tile_places_.size()) place.moveTopLeft(tile_places_[at]);
  return {from_wall(place.topLeft()), place.size() * scale()};
}

QRectF WallGeometry::tile_rect(int column, int row) const { return cells_rect({column, row, 1, 1}); }

QRect WallGeometry::tile_pixels(int column, int row) const {
  const auto exact = tile_rect(column, row);
  const QPoint first(static_cast<int>(std::lround(exact.left())), static_cast<int>(std::lround(exact.top())));
  const QPoint end(static_cast<int>(std::lround(exact.right())), static_cast<int>(std::lround(exact.bottom())));
  return {first, QSize(std::max(1, end.x() - first.x()), std::max(1, end.y() - first.y()))};
}

double WallGeometry::gap() const { return std::min(bezel_x_, bezel_y_) * scale(); }

std::optional<std::pair<int, int>> WallGeometry::tile_at(const QPointF& place) const {
  if (empty() || !port_.contains(place)) return std::nullopt;
  const auto at = to_wall(place);
  for (std::size_t i = 0; !blocks_.empty() && i < tile_places_.size(); ++i)
    if (QRectF(tile_places_[i], is_free() ? free_[i].size() : QSizeF(tile_width_, tile_height_)).contains(at))
      return std::pair{static_cast<int>(i) % columns_, static_cast<int>(i) / columns_};
  if (!blocks_.empty()) return std::nullopt;
  for (std::size_t i = 0; i < free_.size(); ++i)
    if (free_[i].contains(at)) return std::pair{static_cast<int>(i), 0};
  if (is_free()) return std::nullopt;
  const int column = static_cast<int>(std::floor(at.x() / (tile_width_ + bezel_x_)));
  const int row = static_cast<int>(std::floor(at.y() / (tile_height_ + bezel_y_)));
  if (column < 0 || row < 0 || column >= columns_ || row >= rows_) return std::nullopt;
  if (!tile_rect(column, row).contains(place)) return std::nullopt;
  return std::pair{column, row};
}

// Of free tiles, the one whose middle is nearest in that direction; what is beside counts twice.
std::pair<int, int> WallGeometry::beside(const std::pair<int, int>& tile, int right, int down) const {
  if (!is_free())
    return {std::clamp(tile.first + right, 0, columns_ - 1), std::clamp(tile.second + down, 0, rows_ - 1)};
  auto best = tile;
  double least = 0;
  const auto from = place_of({tile.first, 0, 1, 1}).center();
  for (int i = 0; i < columns_; ++i) {
    const auto way = free_[static_cast<std::size_t>(i)].center() - from;
    const double ahead = right * way.x() + down * way.y();
    const double aside = std::abs(down * way.x() + right * way.y());
    const double distance = ahead + 2 * aside;
    if (ahead <= 0 || aside > 2 * ahead || (best != tile && distance >= least)) continue;
    best = {i, 0};
    least = distance;
  }
  return best;
}

QRect WallGeometry::cells_in(const QRectF& place) const {
  if (empty()) return {};
  if (!blocks_.empty() || is_free()) return {0, 0, columns_, rows_};
  const auto from = to_wall(place.topLeft());
  const auto to = to_wall(place.bottomRight());
  const auto cell = [](double at, double pitch, int count) {
    return static_cast<int>(std::clamp(std::floor(at / pitch), -1.0, static_cast<double>(count)));
  };
  const int left = std::max(0, cell(from.x(), tile_width_ + bezel_x_, columns_));
  const int top = std::max(0, cell(from.y(), tile_height_ + bezel_y_, rows_));
  const int right = std::min(columns_ - 1, cell(to.x(), tile_width_ + bezel_x_, columns_));
  const int bottom = std::min(rows_ - 1, cell(to.y(), tile_height_ + bezel_y_, rows_));
  return {QPoint(left, top), QPoint(right, bottom)};
}

}  // namespace lw
