#include "probe/mpcdi/region_files.h"

#include "wall-client/display/output/grey_map.h"
#include "wall-client/display/output/warp_mesh.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace lw {
namespace {

static_assert(std::endian::native == std::endian::little, "the scale of PFM files says so");

void put(std::string& bytes, float value) {
  const auto at = bytes.size();
  bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

// By row from the panel's top, x and y from the tile's top left corner.
std::string pfm_of(const WarpMesh& mesh) {
  auto bytes = fmt::format("PF\n{} {}\n-1.0\n", mesh.columns, mesh.rows);
  bytes.reserve(bytes.size() + mesh.places.size() * 3 * sizeof(float));
  constexpr float nothing = std::numeric_limits<float>::quiet_NaN();
  for (const auto& place : mesh.places) {
    put(bytes, place.shown() ? place.x : nothing);
    put(bytes, place.shown() ? place.y : nothing);
    put(bytes, 0);
  }
  return bytes;
}

void note_span(double value, double& low, double& high) {
  low = std::min(low, value);
  high = std::max(high, value);
}

WarpMesh::Place moved(const WarpMesh::Place& at, const PlaceOnTile& place) {
  if (!at.shown()) return at;
  return {static_cast<float>(place.x_scale * at.x + place.x_from),
          static_cast<float>(place.y_scale * at.y + place.y_from)};
}

}  // namespace

Result<TileWarp> tile_warp(std::string_view pfm, const PlaceOnTile& place) {
  auto mesh = parse_warp_mesh(pfm);
  if (!mesh) return mesh.error();
  constexpr double most = std::numeric_limits<double>::max();
  TileWarp warp{{}, most, -most, most, -most};
  for (const auto& at : mesh->places) {
    if (!at.shown()) continue;
    note_span(at.x, warp.x_low, warp.x_high);
    note_span(at.y, warp.y_low, warp.y_high);
  }
  if (warp.x_low > warp.x_high)
    return Error{"shows nothing: all of its values are NaN or infinite", "export the projector's warp again"};
  if (warp.x_high < 0 || warp.x_low > 1 || warp.y_high < 0 || warp.y_low > 1)
    return Error{fmt::format("shows nothing: its values are {:.4g} to {:.4g} and {:.4g} to {:.4g}", warp.x_low,
                             warp.x_high, warp.y_low, warp.y_high),
                 "profile 2d has fractions from 0 to 1: export it with normalized coordinates"};
  for (unsigned row = 0; row < mesh->rows / 2; ++row)
    std::swap_ranges(mesh->places.begin() + row * mesh->columns, mesh->places.begin() + (row + 1) * mesh->columns,
                     mesh->places.end() - (row + 1) * mesh->columns);
  for (auto& at : mesh->places) at = moved(at, place);
  warp.pfm = pfm_of(*mesh);
  return warp;
}

std::string plain_warp(const PlaceOnTile& place) {
  WarpMesh mesh{2, 2, {}};
  for (const float y : {0.75F, 0.25F})
    for (const float x : {0.25F, 0.75F}) mesh.places.push_back(moved({x, y}, place));
  return pfm_of(mesh);
}

Result<TileMap> tile_map(std::string_view png, double exponent) {
  auto map = parse_coloured_map(png);
  if (!map) return map.error();
  if (exponent == 1 && !map->coloured) return TileMap{std::string(png), false};
  for (auto& value : map->values)
    value = static_cast<std::uint16_t>(std::lround(std::pow(value / 65535.0, exponent) * 65535));
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = map->width;
  image.height = map->height;
  image.format = PNG_FORMAT_LINEAR_Y;
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
  TileMap made{std::string(bytes, '\0'), map->coloured};
  if (png_image_write_to_memory(&image, made.png.data(), &bytes, 0, map->values.data(), 0, nullptr) == 0)
    return Error{fmt::format("cannot be written as PNG: {}", image.message), "export it with fewer pixels"};
  made.png.resize(bytes);
  return made;
}

}  // namespace lw
