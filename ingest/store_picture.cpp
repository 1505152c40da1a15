#include "ingest/store_picture.h"

#include "common/pixel/block_decoder.h"
#include "common/pixel/lossless_band.h"
#include "ingest/fit_chain.h"
#include "ingest/source_colour.h"
#include "ingest/tile_split.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstring>

namespace lw {
namespace {

Size size_of(const Grid& grid) {
  const auto picture = grid.picture();
  return {picture.width, picture.height};
}

// The place of the store's image on the wall.
struct Placed {
  double left = 0, top = 0;
  double scale_x = 1, scale_y = 1;
};

// A part of the store's image.
struct Area {
  double left = 0, top = 0, right = 0, bottom = 0;
  [[nodiscard]] double size() const { return std::max(right - left, 0.0) * std::max(bottom - top, 0.0); }
};

Area common_area(const Area& a, const Area& b) {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right), std::min(a.bottom, b.bottom)};
}

Area area_of(const Rect& rect, const Placed& placed) {
  return {(rect.x - placed.left) / placed.scale_x, (rect.y - placed.top) / placed.scale_y,
          (rect.x + rect.width - placed.left) / placed.scale_x, (rect.y + rect.height - placed.top) / placed.scale_y};
}

// From where on the nearest neighbour of [first, end) is the one behind it.
unsigned nearest_change(unsigned first, unsigned end, bool has_before, bool has_behind) {
  if (!has_before) return first;
  return has_behind ? (first + end + 1) / 2 : end;
}

}  // namespace

StorePicture::StorePicture(const Grid& grid, PixelFormat format, const Colour& colour, bool as_blocks)
    : grid_(grid), format_(format), colour_(colour), as_blocks_(as_blocks), size_(size_of(grid)) {
  const auto& pixel = info(format);
  if (as_blocks_)
    units_ = {{0, pixel.group_bytes, pixel.group_pixels, pixel.group_rows}};
  else if (pixel.is_made_from_rgb8())
    units_ = {{0, info(PixelFormat::rgb8).group_bytes, 1, 1}};
  else if (format == PixelFormat::ycbcr422_10)
    units_ = {{0, 2, 1, 1}, {1, 2, 2, 1}, {2, 2, 2, 1}};
  else if (format == PixelFormat::rgb10)
    units_ = {{0, 2, 1, 1}, {1, 2, 1, 1}, {2, 2, 1, 1}};
  else
    units_ = {{0, pixel.group_bytes, pixel.group_pixels, 1}};
  find_gaps();
}

Result<void> StorePicture::can_draw(const Grid& grid, PixelFormat format) {
  const auto& pixel = info(format);
  for (TileIndex tile; !pixel.is_rgb() && tile.value < grid.tile_count(); ++tile.value)
    if (const auto x = grid.place(tile).x; x % pixel.group_pixels != 0)
      return Error{fmt::format("{} begins at column {} of the store's wall, between pixels that share their chroma",
                               grid.name(tile), x),
                   "import it from its source"};
  return {};
}

bool StorePicture::keeps_blocks(const Grid& grid, PixelFormat format, const Wall& wall) {
  const auto size = size_of(grid);
  const auto picture = picture_rect(wall);
  if (!info(format).has_blocks() || size != Size{picture.width, picture.height}) return false;
  // The last blocks of the image may extend beyond it: they also do so in the store.
  const auto consists = [&](const Rect& tile) {
    const auto ends = [](unsigned end, unsigned of_picture) { return end % block_side == 0 || end == of_picture; };
    return tile.x % block_side == 0 && tile.y % block_side == 0 && ends(tile.x + tile.width, size.width) &&
           ends(tile.y + tile.height, size.height);
  };
  for (TileIndex tile; tile.value < grid.tile_count(); ++tile.value)
    if (!consists(grid.place(tile))) return false;
  return std::ranges::all_of(wall.tiles, [&](const Tile& tile) { return consists(tile.place); });
}

void StorePicture::describe(AVFrame& picture) const {
  picture.format = as_blocks_ ? AV_PIX_FMT_GRAY8 : av_format(format_);
  picture.width = static_cast<int>(as_blocks_ ? row_bytes(format_, size_.width) : size_.width);
  picture.height = static_cast<int>(as_blocks_ ? group_rows(format_, size_.height) : size_.height);
  const bool is_rgb = info(format_).is_rgb();
  picture.color_range = is_rgb ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
  picture.colorspace = is_rgb                                   ? AVCOL_SPC_RGB
                       : colour_.primaries == Primaries::bt2020 ? AVCOL_SPC_BT2020_NCL
                                                                : AVCOL_SPC_BT709;
  picture.color_primaries = as_source(colour_).primaries;
  picture.color_trc = colour_.transfer == Transfer::pq    ? AVCOL_TRC_SMPTE2084
                      : colour_.transfer == Transfer::hlg ? AVCOL_TRC_ARIB_STD_B67
                      : is_rgb                            ? AVCOL_TRC_IEC61966_2_1
                                                          : AVCOL_TRC_BT709;
}

bool StorePicture::draw(TileIndex tile, std::span<const std::byte> pixels, AVFrame& picture) const {
  const auto place = grid_.place(tile);
  if (!as_blocks_) return put_tile(pixels, format_, place, picture);
  const auto row_size = row_bytes(format_, place.width);
  const auto rows = group_rows(format_, place.height);
  for (unsigned row = 0; row < rows; ++row)
    std::memcpy(av::line_of<std::byte>(picture, 0, place.y / block_side + row) + row_bytes(format_, place.x),
                pixels.data() + row * row_size, row_size);
  return true;
}

void StorePicture::find_gaps() {
  std::vector<unsigned> edges{0, size_.height};
  for (TileIndex tile; tile.value < grid_.tile_count(); ++tile.value) {
    const auto place = grid_.place(tile);
    edges.push_back(place.y);
    edges.push_back(place.y + place.height);
  }
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) find_gaps_between(edges[i], edges[i + 1]);
}

// No tile begins or ends between these rows.
void StorePicture::find_gaps_between(unsigned first_row, unsigned end_row) {
  std::vector<Rect> tiles;
  for (TileIndex tile; tile.value < grid_.tile_count(); ++tile.value)
    if (const auto place = grid_.place(tile); place.y <= first_row && end_row <= place.y + place.height)
      tiles.push_back(place);
  if (tiles.empty()) return empty_rows_.push_back({first_row, end_row});
  std::ranges::sort(tiles, {}, &Rect::x);
  unsigned covered = 0;
  for (const auto& tile : tiles) {
    if (tile.x > covered) gaps_.push_back({first_row, end_row, covered, tile.x});
    covered = std::max(covered, tile.x + tile.width);  // projectors overlap
  }
  if (covered < size_.width) gaps_.push_back({first_row, end_row, covered, size_.width});
}

void StorePicture::fill_gaps(AVFrame& picture) const {
  for (const auto& units : units_) {
    for (const auto& gap : gaps_) fill_gap(gap, units, picture);
    for (const auto& rows : empty_rows_) fill_rows(rows, units, picture);
  }
}

void StorePicture::fill_gap(const Gap& gap, const Units& units, AVFrame& picture) const {
  const bool has_left = gap.first > 0;
  const bool has_right = gap.end < size_.width;
  const auto first = gap.first / units.pixels;
  const auto end = (gap.end + units.pixels - 1) / units.pixels;
  const auto middle = nearest_change(first, end, has_left, has_right);
  for (auto y = gap.first_row / units.rows; y < (gap.end_row + units.rows - 1) / units.rows; ++y) {
    auto* line = av::line_of<std::byte>(picture, units.plane, y);
    if (has_left) repeat(units, line, first - 1, first, middle);
    if (has_right) repeat(units, line, end, middle, end);
  }
}

// The nearest pixel of a group of two lends its luma to both.
void StorePicture::repeat(const Units& units, std::byte* line, unsigned from, unsigned first, unsigned end) const {
  const auto* source = line + std::size_t{from} * units.bytes;
  const bool has_two = format_ == PixelFormat::ycbcr422_8;
  const auto luma = from < first ? source[units.bytes - 1] : source[1];
  for (auto unit = first; unit < end; ++unit) {
    auto* to = line + std::size_t{unit} * units.bytes;
    std::memcpy(to, source, units.bytes);
    if (has_two) to[1] = to[3] = luma;
  }
}

void StorePicture::fill_rows(const Rows& rows, const Units& units, AVFrame& picture) const {
  const auto bytes = std::size_t{(size_.width + units.pixels - 1) / units.pixels} * units.bytes;
  const auto first = rows.first / units.rows;
  const auto end = rows.end / units.rows;
  const auto middle = nearest_change(first, end, rows.first > 0, rows.end < size_.height);
  for (auto y = first; y < end; ++y)
    std::memcpy(av::line_of<std::byte>(picture, units.plane, y),
                av::line_of<std::byte>(picture, units.plane, y < middle ? first - 1 : end), bytes);
}

void cut_blocks(const AVFrame& picture, PixelFormat format, const Rect& tile, std::span<std::byte> out) {
  const auto row_size = row_bytes(format, tile.width);
  const auto rows = group_rows(format, tile.height);
  assert(out.size() >= rows * row_size);
  for (unsigned row = 0; row < rows; ++row)
    std::memcpy(out.data() + row * row_size,
                av::line_of<std::byte>(picture, 0, tile.y / block_side + row) + row_bytes(format, tile.x), row_size);
}

double hidden_share(const Grid& store, const Wall& wall, Fit fit, bool even) {
  const auto size = size_of(store);
  const auto whole = picture_rect(wall);
  const auto fitted = fitted_size(size, 1, whole, fit, even);
  const Placed placed{(whole.width - double(fitted.width)) / 2, (whole.height - double(fitted.height)) / 2,
                      double(fitted.width) / size.width, double(fitted.height) / size.height};
  const auto picture = area_of({0, 0, size.width, size.height}, Placed{});
  double hidden = 0;
  double all = 0;
  for (const auto& tile : wall.tiles) {
    const auto shown = common_area(area_of(tile.place, placed), picture);
    hidden += shown.size();
    all += area_of(tile.place, placed).size();
    for (TileIndex from; from.value < store.tile_count(); ++from.value)
      hidden -= common_area(shown, area_of(store.place(from), Placed{})).size();
  }
  return std::max(hidden, 0.0) / all;
}

}  // namespace lw
