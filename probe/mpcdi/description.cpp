#include "probe/mpcdi/description.h"

#include "common/base/short_text.h"
#include "probe/mpcdi/id_text.h"
#include "probe/mpcdi/xml_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <utility>

namespace lw {
namespace {

constexpr unsigned side_max = 16384;  // of tiles and of maps

Error error_at(const XmlElement& element, const std::string& what, std::string mend) {
  return {fmt::format("{}: <{}> {}", element.line, element.name, what), std::move(mend)};
}

std::optional<double> real_number(std::string_view text) {
  double value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

struct Limits {
  double low, high;
};

Result<std::string> text_attribute(const XmlElement& element, const char* name) {
  const auto* value = element.attribute(name);
  if (value == nullptr || value->empty())
    return error_at(element, fmt::format("has no {}", name), fmt::format("write {}=\"...\"", name));
  return text_result(*value);
}

Result<double> real_attribute(const XmlElement& element, const char* name, Limits limits) {
  const auto text = text_attribute(element, name);
  if (!text) return text.error();
  const auto value = real_number(*text);
  if (!value || *value < limits.low || *value > limits.high)
    return error_at(element, fmt::format("has {}={}", name, id_text(*text)),
                    fmt::format("write a number from {} to {}", limits.low, limits.high));
  return *value;
}

Result<unsigned> side_attribute(const XmlElement& element, const char* name, unsigned high) {
  const auto value = real_attribute(element, name, {1, static_cast<double>(high)});
  if (!value) return value.error();
  if (*value != std::floor(*value))
    return error_at(element, fmt::format("has {}={}", name, *value), "write a number of pixels");
  return static_cast<unsigned>(*value);
}

// Of <MPCDI profile="..." version="...">.
Result<std::string> checked_version(const XmlElement& root) {
  if (root.name != "mpcdi")
    return Error{fmt::format("{}: the root is <{}>, not <MPCDI>", root.line, short_text(root.name, 80)),
                 "name an MPCDI file"};
  const auto version = text_attribute(root, "version");
  if (!version) return version.error();
  if (!version->starts_with("1.") && !version->starts_with("2."))
    return error_at(root, fmt::format("has version {}", id_text(*version)), "export it as MPCDI 1.0 or 2.0");
  const auto profile = text_attribute(root, "profile");
  if (!profile) return profile.error();
  if (*profile == "2d" || *profile == "2D") return text_result(*version);
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> others{
      {{"3d", "3D simulation"}, {"a3", "advanced 3D"}, {"sl", "shader lamps"}}};
  const auto* const other = std::ranges::find(others, std::string_view(*profile), &decltype(others)::value_type::first);
  return error_at(
      root,
      fmt::format("has profile {}{}", id_text(*profile),
                  other == others.end() ? "" : fmt::format(" ({})", other->second)),
      "only profile 2d describes finished images: export it with profile 2d, onto a flat canvas; profiles of "
      "3D scenes need a renderer that draws the scene for each projector");
}

Result<MpcdiRegion> read_region(const XmlElement& element) {
  MpcdiRegion region;
  auto id = text_attribute(element, "id");
  if (!id) return id.error();
  region.id = std::move(*id);
  constexpr double least = 1e-4;  // of a buffer
  const std::array<std::pair<const char*, double MpcdiRegion::*>, 4> places{{{"x", &MpcdiRegion::x},
                                                                             {"y", &MpcdiRegion::y},
                                                                             {"xsize", &MpcdiRegion::width},
                                                                             {"ysize", &MpcdiRegion::height}}};
  for (const auto& [name, member] : places) {
    const bool is_size = member == &MpcdiRegion::width || member == &MpcdiRegion::height;
    const auto value = real_attribute(element, name, {is_size ? least : 0, 1});
    if (!value) return value.error();
    region.*member = *value;
  }
  constexpr double rounding = 1e-4;  // of programs that write six digits
  if (region.x + region.width > 1 + rounding || region.y + region.height > 1 + rounding)
    return error_at(element, fmt::format("{} reaches beyond its buffer", id_text(region.id)),
                    "x + xsize and y + ysize must be at most 1");
  region.width = std::min(region.width, 1 - region.x);
  region.height = std::min(region.height, 1 - region.y);
  const auto columns = side_attribute(element, "xresolution", side_max);
  if (!columns) return columns.error();
  const auto rows = side_attribute(element, "yresolution", side_max);
  if (!rows) return rows.error();
  region.columns = *columns;
  region.rows = *rows;
  return region;
}

Result<MpcdiBuffer> read_buffer(const XmlElement& element) {
  MpcdiBuffer buffer;
  auto id = text_attribute(element, "id");
  if (!id) return id.error();
  buffer.id = std::move(*id);
  // Both were optional until 2.0.
  constexpr unsigned canvas_max = 65534;
  const bool has_size = element.attribute("xresolution") != nullptr && element.attribute("yresolution") != nullptr;
  if (has_size) {
    const auto columns = side_attribute(element, "xresolution", canvas_max);
    if (!columns) return columns.error();
    const auto rows = side_attribute(element, "yresolution", canvas_max);
    if (!rows) return rows.error();
    buffer.columns = *columns;
    buffer.rows = *rows;
  }
  for (const auto& child : element.children) {
    if (child.name != "region") continue;
    auto region = read_region(child);
    if (!region) return region.error();
    buffer.regions.push_back(std::move(*region));
  }
  if (buffer.regions.empty())
    return error_at(element, fmt::format("{} has no <region>", id_text(buffer.id)),
                    "remove it, or export its projectors");
  return buffer;
}

// Names of buffers, and of regions, stand for them elsewhere: each is there once.
Result<void> check_names(const XmlElement& display, const MpcdiDescription& description) {
  std::set<std::string> buffers, regions;
  for (const auto& buffer : description.buffers) {
    if (!buffers.insert(buffer.id).second)
      return error_at(display, fmt::format("has two buffers {}", id_text(buffer.id)), "give each its own id");
    for (const auto& region : buffer.regions)
      if (!regions.insert(region.id).second)
        return error_at(display, fmt::format("has two regions {}", id_text(region.id)),
                        "give each its own id: <fileset> names them");
  }
  if (regions.empty()) return error_at(display, "has no <buffer>", "export the projectors with their regions");
  if (regions.size() > mpcdi_regions_max)
    return error_at(display, fmt::format("has {} regions", regions.size()),
                    fmt::format("a wall has {} tiles at most: export them in several files", mpcdi_regions_max));
  return {};
}

Result<void> read_display(const XmlElement& root, MpcdiDescription& description) {
  const auto* display = root.child("display");
  if (display == nullptr) return error_at(root, "has no <display>", "export it again, with its projectors");
  for (const auto& child : display->children) {
    if (child.name != "buffer") continue;
    auto buffer = read_buffer(child);
    if (!buffer) return buffer.error();
    description.buffers.push_back(std::move(*buffer));
  }
  return check_names(*display, description);
}

std::string path_in(const XmlElement* element) {
  const auto* path = element == nullptr ? nullptr : element->child("path");
  return path == nullptr ? "" : path->text;
}

// Some programs write an empty <alphaMap/> for none.
Result<std::optional<MpcdiMap>> read_map(const XmlElement& fileset, const char* name) {
  const auto* element = fileset.child(name);
  MpcdiMap map{path_in(element), {}};
  if (map.path.empty()) return std::optional<MpcdiMap>{};
  const auto* gamma = element->child("gammaembedded");
  if (gamma == nullptr || gamma->text.empty()) return std::optional(std::move(map));
  map.gamma = real_number(gamma->text);
  if (!map.gamma || *map.gamma < 0.1 || *map.gamma > 10)
    return error_at(*gamma, fmt::format("is {}", id_text(gamma->text)),
                    "write the gamma of the map, 1 for light, or 2.2");
  return std::optional(std::move(map));
}

Result<void> read_warp(const XmlElement& fileset, MpcdiRegion& region) {
  const auto* element = fileset.child("geometrywarpfile");
  region.warp = path_in(element);
  if (region.warp.empty()) return {};
  const auto* interpolation = element->child("interpolation");
  if (interpolation != nullptr && interpolation->text != "linear")
    return error_at(*interpolation, fmt::format("is {}", id_text(interpolation->text)),
                    "only linear is supported: export a warp with a vertex for each pixel, and linear interpolation");
  const auto* unit = element->child("geometricunit");
  if (unit != nullptr && !unit->text.empty() && unit->text != "2D" && unit->text != "2d" && unit->text != "unknown")
    return error_at(*unit, fmt::format("is {}", id_text(unit->text)), "a warp of profile 2d has no unit of length");
  return {};
}

Result<void> read_fileset(const XmlElement& element, MpcdiDescription& description) {
  const auto id = text_attribute(element, "region");
  if (!id) return id.error();
  auto* region = description.find(*id);
  if (region == nullptr)
    return error_at(element, fmt::format("is of region {}, which no buffer has", id_text(*id)),
                    "name a region of <display>");
  if (std::exchange(region->described, true))
    return error_at(element, fmt::format("is the second of region {}", id_text(*id)), "remove one of the two");
  if (auto warp = read_warp(element, *region); !warp) return warp.error();
  auto alpha = read_map(element, "alphamap");
  if (!alpha) return alpha.error();
  auto beta = read_map(element, "betamap");
  if (!beta) return beta.error();
  region->alpha = std::move(*alpha);
  region->beta = std::move(*beta);
  if (!path_in(element.child("distortionmap")).empty())
    description.notes.push_back(fmt::format(
        "region {}: its distortionMap is not used: profile 2d has all of the warp in geometryWarpFile", id_text(*id)));
  return {};
}

void note_unused(const XmlElement& root, MpcdiDescription& description) {
  const auto* extensions = root.child("extensionset");
  if (extensions != nullptr && !extensions->children.empty())
    description.notes.emplace_back("its <extensionSet> is not used");
  for (const auto& buffer : description.buffers)
    for (const auto& region : buffer.regions) {
      if (region.warp.empty())
        description.notes.push_back(
            fmt::format("region {} has no geometryWarpFile: it is not warped", id_text(region.id)));
      if (!region.alpha)
        description.notes.push_back(fmt::format("region {} has no alphaMap: it is not blended", id_text(region.id)));
    }
}

}  // namespace

MpcdiRegion* MpcdiDescription::find(std::string_view region) {
  for (auto& buffer : buffers)
    for (auto& candidate : buffer.regions)
      if (candidate.id == region) return &candidate;
  return nullptr;
}

Result<MpcdiDescription> parse_mpcdi(std::string_view xml) {
  const auto root = parse_xml(xml);
  if (!root) return root.error();
  MpcdiDescription description;
  auto version = checked_version(*root);
  if (!version) return version.error();
  description.version = std::move(*version);
  if (auto display = read_display(*root, description); !display) return display.error();
  if (const auto* files = root->child("files"))
    for (const auto& fileset : files->children)
      if (fileset.name == "fileset")
        if (auto read = read_fileset(fileset, description); !read) return read.error();
  note_unused(*root, description);
  return description;
}

}  // namespace lw
