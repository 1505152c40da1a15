#include "wall-client/display/output/output_stage.h"

#include "common/base/read_file.h"
#include "wall-client/display/output/cube_file.h"
#include "wall-client/display/output/display_profile.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace lw {
namespace {

constexpr std::size_t file_bytes_max = std::size_t{256} << 20U;

// Errors name the wall file's line, and then the file.
template <class Parse>
auto parsed_file(const NamedFile& file, std::string_view key, std::size_t bytes_max, Parse parse)
    -> decltype(parse(std::string_view())) {
  const auto bytes = read_file(file.path, bytes_max, fmt::format("correct {} in the wall file, or copy the file", key));
  if (!bytes) return Error(bytes.error()).in(file.where);
  auto parsed = parse(std::string_view(*bytes));
  if (!parsed)
    return Error{fmt::format("{}: {}: {} {}", file.where, key, file.path.string(), parsed.error().what),
                 parsed.error().mend};
  return parsed;
}

Result<void> load_map(const NamedFile& file, std::string_view key, std::optional<GreyMap>& into) {
  if (!file.named()) return {};
  auto map = parsed_file(file, key, file_bytes_max, parse_grey_map);
  if (!map) return map.error();
  into = std::move(*map);
  return {};
}

Result<void> take_table(Result<ColourTable> table, OutputStage& stage) {
  if (!table) return table.error();
  stage.table_is_idle = table->is_identity();
  if (!stage.table_is_idle) stage.table = std::move(*table);
  return {};
}

Result<void> load_colours(const TileOutput& settings, Primaries wall, OutputStage& stage) {
  if (settings.lut.named()) return take_table(parsed_file(settings.lut, "lut", file_bytes_max, parse_cube), stage);
  if (!settings.icc.named()) return {};
  const auto parse = [wall](std::string_view bytes) { return table_of_profile(bytes, wall); };
  return take_table(parsed_file(settings.icc, "icc", profile_bytes_max, parse), stage);
}

std::string text_of(const Rgb& channels) {
  if (channels[0] == channels[1] && channels[1] == channels[2]) return fmt::format("{:.4g}", channels[0]);
  return fmt::format("{:.4g}, {:.4g}, {:.4g}", channels[0], channels[1], channels[2]);
}

}  // namespace

OutputStage plain_stage(const Tile& tile, const TileOutput& settings) {
  OutputStage stage;
  stage.turn = tile.turn;
  stage.tile = tile.size();
  stage.panel = tile.panel();
  stage.map = tile.turn_map();
  stage.active = settings.active();
  for (std::size_t i = 0; i < 3; ++i) {
    stage.gain[i] = static_cast<float>(settings.gain[i]);
    stage.exponent[i] = static_cast<float>(1 / settings.gamma[i]);
  }
  stage.blend = settings.blend;
  stage.blend_gamma = static_cast<float>(settings.blend_gamma);
  stage.black_lift = static_cast<float>(settings.black_lift);
  return stage;
}

Result<OutputStage> load_stage(const Wall& wall, const TilePlacement& placement) {
  const auto& settings = placement.output;
  auto stage = plain_stage(wall.tile(placement.tile), settings);
  if (settings.warp.named()) {
    auto mesh = parsed_file(settings.warp, "warp", file_bytes_max, parse_warp_mesh);
    if (!mesh) return mesh.error();
    stage.warp = std::move(*mesh);
  }
  if (auto loaded = load_colours(settings, wall.colour.primaries, stage); !loaded) return loaded.error();
  if (auto loaded = load_map(settings.blend_map, "blend", stage.blend_map); !loaded) return loaded.error();
  if (auto loaded = load_map(settings.black_lift_map, "black_lift", stage.black_lift_map); !loaded)
    return loaded.error();
  return stage;
}

Result<std::map<TileIndex, OutputStage>> load_stages(const Wall& wall, const WallNode& node) {
  std::map<TileIndex, OutputStage> stages;
  for (const auto& placement : node.tiles) {
    auto stage = load_stage(wall, placement);
    if (!stage) return stage.error();
    if (stage->needed()) spdlog::info("output of {}: {}", wall.tile(placement.tile).in_words(), text_of(*stage));
    stages.emplace(placement.tile, std::move(*stage));
  }
  return stages;
}

std::string text_of(const OutputStage& stage) {
  std::vector<std::string> parts;
  if (stage.turn != Turn::none) parts.push_back(fmt::format("turned {} degrees", 90 * static_cast<int>(stage.turn)));
  if (stage.warp) parts.push_back(fmt::format("warped by {} x {} vertices", stage.warp->columns, stage.warp->rows));
  if (stage.gain != Rgb{1, 1, 1}) parts.push_back("gain " + text_of(stage.gain));
  if (stage.exponent != Rgb{1, 1, 1})
    parts.push_back("gamma " + text_of(Rgb{1 / stage.exponent[0], 1 / stage.exponent[1], 1 / stage.exponent[2]}));
  if (stage.table) parts.push_back(fmt::format("colours by a table of {}^3", stage.table->side));
  if (stage.table_is_idle) parts.emplace_back("a table that changes no colour");
  if (stage.blend != BlendWidths{})
    parts.push_back(fmt::format("blended over {}, {}, {} and {} pixels (left, right, top, bottom)", stage.blend.left,
                                stage.blend.right, stage.blend.top, stage.blend.bottom));
  if (stage.blend_map)
    parts.push_back(fmt::format("blended by a map of {} x {}", stage.blend_map->width, stage.blend_map->height));
  if (stage.black_lift > 0) parts.push_back(fmt::format("black lifted by {:.4g}", stage.black_lift));
  if (stage.black_lift_map)
    parts.push_back(
        fmt::format("black lifted by a map of {} x {}", stage.black_lift_map->width, stage.black_lift_map->height));
  if (stage.active) parts.emplace_back("dithered");
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace lw
