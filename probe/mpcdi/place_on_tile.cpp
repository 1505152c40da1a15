#include "probe/mpcdi/place_on_tile.h"

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

struct Edges {
  double left, right, top, bottom;
};

Edges edges_of(const MpcdiRegion& region, const Canvas& canvas) {
  return {canvas.x + region.x * canvas.width, canvas.x + (region.x + region.width) * canvas.width,
          (1 - region.y - region.height) * canvas.height, (1 - region.y) * canvas.height};
}

constexpr double rounding = 0.05;  // of a pixel: files have six digits

unsigned down_to(unsigned step, double place) {
  return static_cast<unsigned>(std::max(0.0, std::floor((place + rounding) / step))) * step;
}

unsigned up_to(unsigned step, double place) {
  return static_cast<unsigned>(std::max(1.0, std::ceil((place - rounding) / step))) * step;
}

}  // namespace

Rect tile_of(const MpcdiRegion& region, const Canvas& canvas) {
  const auto edges = edges_of(region, canvas);
  // A thin region at the canvas's edge keeps its tile on the canvas.
  const auto x = std::min(down_to(2, edges.left), up_to(2, canvas.x + canvas.width) - 2);
  const auto y = std::min(down_to(1, edges.top), up_to(1, canvas.height) - 1);
  return {x, y, std::max(up_to(2, edges.right), x + 2) - x, std::max(up_to(1, edges.bottom), y + 1) - y};
}

PlaceOnTile place_on_tile(const MpcdiRegion& region, const Canvas& canvas, const Rect& tile, WarpValues values) {
  MpcdiRegion all;
  all.width = all.height = 1;
  const auto edges = edges_of(values == WarpValues::of_buffer ? all : region, canvas);
  const double width = tile.width, height = tile.height;
  return {(edges.right - edges.left) / width, (edges.left - tile.x) / width, (edges.top - edges.bottom) / height,
          (edges.bottom - tile.y) / height};
}

bool shows_tile_as_it_is(const PlaceOnTile& place, const Rect& tile) {
  constexpr double least = 0.01;
  const auto near = [](double scale, double from, double side) {
    return std::abs(from) * side < least && std::abs(scale + from - 1) * side < least;
  };
  // A panel without a warp has y = 0, from the bottom, at 1.
  return near(place.x_scale, place.x_from, tile.width) &&
         near(-place.y_scale, place.y_scale + place.y_from, tile.height);
}

}  // namespace lw
