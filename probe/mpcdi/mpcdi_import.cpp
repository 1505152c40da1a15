#include "probe/mpcdi/mpcdi_import.h"

#include "common/wall/wall_file.h"
#include "probe/mpcdi/id_text.h"
#include "probe/mpcdi/region_files.h"
#include "probe/mpcdi/wall_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace lw {
namespace {

constexpr double usual_gamma = 2.2;

// The standard says mpcdi.xml; others have been seen.
Result<std::string> name_of_description(const ZipArchive& archive) {
  for (const auto* name : {"mpcdi.xml", "mpacs.xml"})
    if (archive.has(name)) return text_result(name);
  std::vector<std::string> candidates;
  for (const auto& name : archive.names())
    if (name.ends_with(".xml") && name.find('/') == std::string::npos) candidates.push_back(name);
  if (candidates.size() == 1) return text_result(candidates.front());
  return Error{"has no entry mpcdi.xml", "name an MPCDI file: a ZIP archive with mpcdi.xml, warps and maps"};
}

Result<MpcdiDescription> read_description(ZipArchive& archive) {
  const auto name = name_of_description(archive);
  if (!name) return name.error();
  const auto xml = archive.read(*name);
  if (!xml) return xml.error();
  auto description = parse_mpcdi(*xml);
  if (!description) return Error{*name + ":" + description.error().what, description.error().mend};
  return description;
}

// Without the buffer's own size, each projector has at least its own pixels.
Canvas natural_canvas(const MpcdiBuffer& buffer) {
  if (buffer.columns && buffer.rows)
    return {0, static_cast<double>(*buffer.columns), static_cast<double>(*buffer.rows)};
  Canvas canvas;
  for (const auto& region : buffer.regions) {
    canvas.width = std::max(canvas.width, region.columns / region.width);
    canvas.height = std::max(canvas.height, region.rows / region.height);
  }
  return canvas;
}

// Beside each other, as buffers are separate contents.
std::vector<Canvas> canvases_of(const MpcdiDescription& description, std::optional<unsigned> wall_width) {
  std::vector<Canvas> canvases;
  double width = 0;
  for (const auto& buffer : description.buffers) {
    canvases.push_back(natural_canvas(buffer));
    width += canvases.back().width;
  }
  const double scale = wall_width ? *wall_width / width : 1;
  double x = 0;
  for (auto& canvas : canvases) {
    canvas = {x, std::max(2.0, std::round(canvas.width * scale)), std::max(1.0, std::round(canvas.height * scale))};
    x = 2 * std::ceil((x + canvas.width) / 2);
  }
  return canvases;
}

Result<void> check_tile(const MpcdiRegion& region, const Rect& tile) {
  constexpr unsigned place_max = 65534, side_max = 16384;
  if (tile.x <= place_max && tile.y <= place_max && tile.width <= side_max && tile.height <= side_max) return {};
  return Error{fmt::format("region {} would be a tile of {} x {} pixels at {}, {}", id_text(region.id), tile.width,
                           tile.height, tile.x, tile.y),
               fmt::format("use --wall-width with fewer pixels: a tile has {} at most on each side", side_max)};
}

// The gamma that the calibration assumed of the projectors. Maps of light (gamma 1) say nothing about them.
double display_gamma(const MpcdiRegion& region) {
  const auto gamma = region.alpha ? region.alpha->gamma : std::nullopt;
  return gamma && *gamma >= 1.5 && *gamma <= 3 ? *gamma : usual_gamma;
}

// Exports one region.
class RegionImport {
public:
  RegionImport(ZipArchive& archive, const MpcdiRegion& region, const FileSink& sink, std::vector<std::string>& notes)
      : archive_(archive), region_(region), sink_(sink), notes_(notes) {}

  Result<ImportedProjector> run(const std::string& name, const Canvas& canvas, WarpValues values) {
    const auto tile = tile_of(region_, canvas);
    if (auto checked = check_tile(region_, tile); !checked) return checked.error();
    made_ = {name, region_.id, tile, region_.columns, region_.rows, {}, {}, {}, display_gamma(region_)};
    if (auto warp = add_warp(canvas, values); !warp) return warp.error();
    // Of light, and of code values: what the keys blend and black_lift of the wall file have.
    const double map_gamma = region_.alpha ? region_.alpha->gamma.value_or(usual_gamma) : made_.blend_gamma;
    if (region_.alpha)
      if (auto added = add_map(*region_.alpha, map_gamma, "blend", made_.blend); !added) return added.error();
    if (region_.beta) {
      const double exponent = region_.beta->gamma.value_or(map_gamma) / made_.blend_gamma;
      if (auto added = add_map(*region_.beta, exponent, "black", made_.black); !added) return added.error();
    }
    return made_;
  }

private:
  [[nodiscard]] Error of_entry(const std::string& path, const Error& error) const {
    return {fmt::format("entry {} of region {} {}", id_text(path), id_text(region_.id), error.what), error.mend};
  }

  Result<void> add_warp(const Canvas& canvas, WarpValues values) {
    const auto& tile = made_.place;
    if (region_.warp.empty()) {
      const auto place = place_on_tile(region_, canvas, tile, WarpValues::of_region);
      return shows_tile_as_it_is(place, tile) ? Result<void>{} : write(plain_warp(place), "warp.pfm", made_.warp);
    }
    const auto pfm = archive_.read(region_.warp);
    if (!pfm) return pfm.error();
    const auto warp = tile_warp(*pfm, place_on_tile(region_, canvas, tile, values));
    if (!warp) return of_entry(region_.warp, warp.error());
    if (values == WarpValues::of_region) note_values(*warp);
    return write(warp->pfm, "warp.pfm", made_.warp);
  }

  void note_values(const TileWarp& warp) {
    constexpr double near = 0.02, far = 0.05;  // of the buffer
    const auto is = [](double value, double edge, double most) { return std::abs(value - edge) <= most; };
    const auto spans = [&](double x, double y, double width, double height, double most) {
      return is(warp.x_low, x, most) && is(warp.x_high, x + width, most) && is(warp.y_low, y, most) &&
             is(warp.y_high, y + height, most);
    };
    if (spans(region_.x, region_.y, region_.width, region_.height, near) && !spans(0, 0, 1, 1, far))
      notes_.push_back(
          fmt::format("region {}: its warp seems to count fractions of the buffer, where MPCDI has fractions of the "
                      "region; if the image is too small or at a wrong place, use --warp-values buffer",
                      id_text(region_.id)));
  }

  Result<void> add_map(const MpcdiMap& map, double exponent, const char* kind, std::string& into) {
    const auto png = archive_.read(map.path);
    if (!png) return png.error();
    const auto made = tile_map(*png, exponent);
    if (!made) return of_entry(map.path, made.error());
    if (made->coloured)
      notes_.push_back(
          fmt::format("region {}: {} has colours, of which only the luminance is used: correct colours with "
                      "gain or lut in the wall file",
                      id_text(region_.id), id_text(map.path)));
    return write(made->png, fmt::format("{}.png", kind), into);
  }

  Result<void> write(const std::string& bytes, const std::string& kind, std::string& into) {
    into = fmt::format("{}-{}", made_.tile, kind);
    return sink_(into, bytes);
  }

  ZipArchive& archive_;
  const MpcdiRegion& region_;
  const FileSink& sink_;
  std::vector<std::string>& notes_;
  ImportedProjector made_;
};

// A node for each buffer, and more where it has more projectors than a node.
std::vector<ImportedNode> nodes_of(const std::string& buffer, std::vector<ImportedProjector> projectors,
                                   unsigned per_node, std::vector<std::string>& used) {
  std::vector<ImportedNode> nodes;
  for (auto& projector : projectors) {
    if (nodes.empty() || nodes.back().projectors.size() == per_node) nodes.push_back({name_of_id(buffer, used), {}});
    nodes.back().projectors.push_back(std::move(projector));
  }
  return nodes;
}

void note_small_tiles(const std::vector<ImportedNode>& nodes, MpcdiImport& made) {
  double needed = 1;
  for (const auto& node : nodes)
    for (const auto& projector : node.projectors)
      needed = std::max({needed, static_cast<double>(projector.columns) / projector.place.width,
                         static_cast<double>(projector.rows) / projector.place.height});
  if (needed > 1.01)
    made.notes.push_back(fmt::format(
        "tiles have fewer pixels than their projectors; --wall-width {} gives each of its projectors' pixels "
        "one, and needs content and links of that size",
        static_cast<unsigned>(std::ceil(made.width * needed))));
}

}  // namespace

Result<MpcdiImport> import_mpcdi(std::string_view bytes, std::string_view source, const MpcdiOptions& options,
                                 const FileSink& sink) {
  auto archive = ZipArchive::open(bytes, options.limits);
  if (!archive) return archive.error();
  auto description = read_description(*archive);
  if (!description) return description.error();
  MpcdiImport made{description->version, 0, 0, 0, 0, std::move(description->notes)};
  const auto canvases = canvases_of(*description, options.wall_width);
  std::vector<std::string> tile_names, node_names;
  std::vector<ImportedNode> nodes;
  for (std::size_t i = 0; i < canvases.size(); ++i) {
    const auto& buffer = description->buffers[i];
    std::vector<ImportedProjector> projectors;
    for (const auto& region : buffer.regions) {
      RegionImport import(*archive, region, sink, made.notes);
      auto projector = import.run(name_of_id(region.id, tile_names), canvases[i], options.values);
      if (!projector) return projector.error();
      made.width = std::max(made.width, projector->place.x + projector->place.width);
      made.height = std::max(made.height, projector->place.y + projector->place.height);
      projectors.push_back(std::move(*projector));
      ++made.projectors;
    }
    auto of_buffer = nodes_of(buffer.id, std::move(projectors), options.per_node, node_names);
    std::ranges::move(of_buffer, std::back_inserter(nodes));
    ++made.buffers;
  }
  note_small_tiles(nodes, made);
  const auto text = wall_text(source, made.version, nodes);
  if (const auto wall = parse_wall(text, "wall.toml"); !wall) return wall.error();
  if (auto written = sink("wall.toml", text); !written) return written.error();
  return made;
}

}  // namespace lw
