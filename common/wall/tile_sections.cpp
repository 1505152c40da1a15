#include "common/wall/tile_sections.h"

#include "common/base/short_text.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>
#include <utility>

namespace lw {
namespace {

struct LengthKeys {
  std::string_view pixels, millimetres;
};

// "x = 1920", or "x_mm = 960.0" with the wall's pitch, which gives a multiple of `step`.
unsigned read_length(TomlSection& section, const LengthKeys& keys, NumberRange range, double pitch_mm, unsigned step) {
  if (!section.find(keys.millimetres)) return static_cast<unsigned>(section.number(keys.pixels, range));
  const auto least = static_cast<unsigned>(range.low);
  if (section.find(keys.pixels))
    section.fail(keys.millimetres, fmt::format("a tile has both {} and {}", keys.pixels, keys.millimetres), "keep one");
  constexpr double farthest_mm = 1e6;
  const double length = section.real(keys.millimetres, 0, farthest_mm, 0);
  if (pitch_mm <= 0) {
    section.fail(keys.millimetres, fmt::format("[[tile]] {} needs the wall's pitch_mm", keys.millimetres),
                 "add the distance of two pixels to [wall], like pitch_mm = 0.625");
    return least;
  }
  const auto pixels = step * std::llround(length / pitch_mm / step);
  if (pixels >= range.low && pixels <= range.high) return static_cast<unsigned>(pixels);
  section.fail(keys.millimetres, fmt::format("[[tile]] {} = {} is {} pixels", keys.millimetres, length, pixels),
               fmt::format("use {} to {} pixels of {} mm", range.low, range.high, pitch_mm));
  return least;
}

Turn read_turn(TomlSection& section) {
  const auto degrees = section.number("rotation", {0, 270}, 0);
  if (degrees % 90 != 0)
    section.fail("rotation", fmt::format("[[tile]] rotation = {} is not a quarter turn", degrees),
                 "use 0, 90, 180 or 270: how far the panel is turned clockwise");
  return static_cast<Turn>(degrees / 90);
}

FreeTile read_free_tile(TomlSection& section, double pitch_mm) {
  FreeTile tile;
  tile.name = section.text("name");
  if (section.find("name") && !is_tile_name(tile.name))
    section.fail("name", fmt::format("[[tile]] name = \"{}\" cannot be the name of files", short_text(tile.name, 80)),
                 fmt::format("use 1 to {} letters, digits, '-' and '_', a letter or digit first, and not 'checksums'",
                             FreeTile::name_bytes_max));
  // RFC 4175 counts rows and pixels with 15 bits.
  constexpr NumberRange place{0, FreeTile::place_max};
  tile.place.x = read_length(section, {"x", "x_mm"}, place, pitch_mm, 2);
  tile.place.y = read_length(section, {"y", "y_mm"}, place, pitch_mm, 1);
  tile.place.width = read_length(section, {"width", "width_mm"}, {2, 16384}, pitch_mm, 2);
  tile.place.height = read_length(section, {"height", "height_mm"}, {1, 16384}, pitch_mm, 1);
  if (tile.place.width % 2 != 0)
    section.fail("width", fmt::format("[[tile]] width = {} is odd", tile.place.width),
                 "use an even width: YCbCr-4:2:2 pixels come in pairs");
  return tile;
}

void check_free_tiles(const std::vector<FreeTile>& tiles, const std::vector<bool>& projectors,
                      const std::vector<unsigned>& lines, WallFileErrors& errors) {
  if (const auto same = same_names(tiles))
    errors.add(lines[same->second],
               fmt::format("tile '{}' has the name of tile '{}' of line {}", tiles[same->second].name,
                           tiles[same->first].name, lines[same->first]),
               "give each tile its own name; upper case makes no difference");
  if (const auto pair = overlapping(tiles, projectors))
    errors.add(lines[pair->second],
               fmt::format("tile '{}' overlaps tile '{}' of line {}", tiles[pair->second].name, tiles[pair->first].name,
                           lines[pair->first]),
               "move one of them, or make it smaller; if both are projectors, mark them with projector = true");
}

}  // namespace

void read_tile_sections(TomlSection& section, const std::vector<const toml::table*>& tables, Wall& wall,
                        WallFileErrors& errors) {
  for (const auto* key : {"columns", "rows", "tile_width", "tile_height", "bezel_x", "bezel_y"})
    if (section.find(key))
      section.fail(key, fmt::format("[wall] {} describes a grid, but the file has [[tile]]", key),
                   "keep one: remove it, or the [[tile]] sections");
  const double pitch_mm = section.real("pitch_mm", 0.001, 1000, 0);
  std::vector<FreeTile> tiles;
  std::vector<Turn> turns;
  std::vector<bool> projectors;
  std::vector<unsigned> lines;
  if (tables.size() > FreeTile::count_max)
    return errors.add(tables.back()->source().begin.line, fmt::format("the file has {} tiles", tables.size()),
                      fmt::format("use at most {}", FreeTile::count_max));
  for (const auto* table : tables) {
    TomlSection tile(*table, wall_section("[[tile]]"), errors);
    tiles.push_back(read_free_tile(tile, pitch_mm));
    turns.push_back(read_turn(tile));
    projectors.push_back(tile.flag("projector", false));
    lines.push_back(tile.line());
  }
  check_free_tiles(tiles, projectors, lines, errors);
  wall.set_grid(Grid::of(std::move(tiles)));
  for (std::size_t i = 0; i < turns.size(); ++i) {
    wall.tiles[i].turn = turns[i];
    wall.tiles[i].projector = projectors[i];
  }
}

}  // namespace lw
