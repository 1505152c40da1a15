#include "common/wall/grid.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {
namespace {

constexpr std::string_view checksum_file = "checksums";  // of a store, which may lie beside its tiles' files

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr bool is_plain(char c) { return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9'); }
bool is_same_name(std::string_view a, std::string_view b) { return std::ranges::equal(a, b, {}, lower, lower); }

bool overlap(const Rect& a, const Rect& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

template <class Matches>
std::optional<TilePair> first_pair(std::size_t tiles, Matches matches) {
  for (std::size_t second = 1; second < tiles; ++second)
    for (std::size_t first = 0; first < second; ++first)
      if (matches(first, second)) return TilePair{first, second};
  return std::nullopt;
}

}  // namespace

Grid Grid::of(std::vector<FreeTile> tiles) {
  Grid grid;
  grid.columns = static_cast<unsigned>(tiles.size());
  grid.rows = 1;
  grid.free = std::move(tiles);
  return grid;
}

Rect Grid::place(TileIndex tile) const {
  if (is_free()) return free[tile.value].place;
  const auto [column, row] = cell(tile);
  return {column * (tile_width + bezel_x), row * (tile_height + bezel_y), tile_width, tile_height};
}

std::string Grid::name(TileIndex tile) const {
  if (is_free()) return free[tile.value].name;
  const auto [column, row] = cell(tile);
  return fmt::format("tile-{}-{}", column, row);
}

Rect Grid::picture() const {
  Rect all;
  for (TileIndex tile; tile.value < tile_count(); ++tile.value) {
    const auto of_tile = place(tile);
    all.width = std::max(all.width, of_tile.x + of_tile.width);
    all.height = std::max(all.height, of_tile.y + of_tile.height);
  }
  return all;
}

std::vector<Tile> tiles_of(const Grid& grid) {
  std::vector<Tile> tiles;
  tiles.reserve(grid.tile_count());
  for (TileIndex tile; tile.value < grid.tile_count(); ++tile.value)
    tiles.push_back({grid.name(tile), grid.place(tile), grid.cell(tile), grid.is_free(), Turn::none});
  return tiles;
}

bool is_tile_name(std::string_view name) {
  return !name.empty() && name.size() <= FreeTile::name_bytes_max && is_plain(name.front()) &&
         std::ranges::all_of(name, [](char c) { return is_plain(c) || c == '-' || c == '_'; }) &&
         !is_same_name(name, checksum_file);
}

std::optional<TilePair> same_names(const std::vector<FreeTile>& tiles) {
  return first_pair(tiles.size(), [&](auto a, auto b) { return is_same_name(tiles[a].name, tiles[b].name); });
}

std::optional<TilePair> overlapping(const std::vector<FreeTile>& tiles, const std::vector<bool>& projectors) {
  return first_pair(tiles.size(), [&](auto a, auto b) {
    return overlap(tiles[a].place, tiles[b].place) && !(projectors[a] && projectors[b]);
  });
}

std::string to_text(const FreeTile& tile) {
  const auto& place = tile.place;
  return fmt::format("{} {}x{}+{}+{}", tile.name, place.width, place.height, place.x, place.y);
}

}  // namespace lw
