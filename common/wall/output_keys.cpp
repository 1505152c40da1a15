#include "common/wall/output_keys.h"

#include <fmt/format.h>

#include <cstddef>

namespace lw {
namespace {

// "0.9", or "[0.9, 1, 0.95]" for red, green and blue.
std::array<double, 3> read_channels(TomlSection& section, std::string_view key, double low, double high) {
  std::array<double, 3> channels{1, 1, 1};
  const auto* node = section.find(key);
  if (node == nullptr || !node->is_array()) {
    channels.fill(section.real(key, low, high, 1));
    return channels;
  }
  const auto& list = *node->as_array();
  const auto is_good = [&](std::size_t i) {
    const auto value = list[i].is_number() ? list[i].value<double>() : std::nullopt;
    return value && *value >= low && *value <= high;
  };
  if (list.size() != 3 || !is_good(0) || !is_good(1) || !is_good(2)) {
    section.fail(key, fmt::format("{} {} is not a number for each of red, green and blue", section.name(), key),
                 fmt::format("write three from {} to {}, like {} = [1, 0.95, 0.9], or one for all", low, high, key));
    return channels;
  }
  for (std::size_t i = 0; i < channels.size(); ++i) channels[i] = *list[i].value<double>();
  return channels;
}

BlendWidths read_widths(TomlSection section, const Tile& tile) {
  const auto width = [&](std::string_view key, unsigned most) {
    return static_cast<unsigned>(section.number(key, {0, most}, 0));
  };
  const BlendWidths widths{width("left", tile.place.width), width("right", tile.place.width),
                           width("top", tile.place.height), width("bottom", tile.place.height)};
  if (widths.left + widths.right > tile.place.width || widths.top + widths.bottom > tile.place.height)
    section.fail("left", fmt::format("the blended edges of {} meet", tile.in_words()),
                 fmt::format("use less: it is {} x {} pixels", tile.place.width, tile.place.height));
  return widths;
}

void read_blend(TomlSection& section, const Tile& tile, TileOutput& output) {
  const auto* node = section.find("blend");
  if (node != nullptr && node->is_table())
    output.blend = read_widths(section.below(*node->as_table(), wall_section("blend of tiles")), tile);
  else if (node != nullptr && !node->is_string())
    section.wrong_type("blend", "widths in pixels or the name of a PNG file", "{ left = 200, right = 200 }");
  else
    output.blend_map = section.file("blend", "blend.png");
  output.blend_gamma = section.real("blend_gamma", 0.2, 5, output.blend_gamma);
}

void read_black_lift(TomlSection& section, TileOutput& output) {
  const auto* node = section.find("black_lift");
  if (node != nullptr && node->is_string())
    output.black_lift_map = section.file("black_lift", "black.png");
  else
    output.black_lift = section.real("black_lift", 0, 0.2, 0);
}

}  // namespace

TileOutput read_tile_output(TomlSection& section, const Tile& tile, const Colour& wall) {
  TileOutput output;
  output.gain = read_channels(section, "gain", 0, 4);
  output.gamma = read_channels(section, "gamma", 0.2, 5);
  output.lut = section.file("lut", "panel.cube");
  output.icc = section.file("icc", "panel.icc");
  if (output.lut.named() && output.icc.named())
    section.fail("icc", fmt::format("{} has both lut and icc", tile.in_words()),
                 "keep one: each describes all of the display's colour");
  if (output.icc.named() && wall.transfer != Transfer::sdr)
    section.fail("icc", fmt::format("icc needs an SDR wall, but [wall] transfer is \"{}\"", name_of(wall.transfer)),
                 "use a lut, which may be made for any transfer function");
  output.warp = section.file("warp", "warp.pfm");
  read_blend(section, tile, output);
  read_black_lift(section, output);
  return output;
}

}  // namespace lw
