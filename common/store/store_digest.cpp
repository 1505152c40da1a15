#include "common/store/store_digest.h"

#include "common/base/frame_rate.h"
#include "common/store/checksum.h"
#include "common/store/growing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>

namespace lw {

namespace {

std::string geometry_text(const Grid& grid) {
  if (!grid.is_free())
    return fmt::format("{}x{} of {}x{}, bezels {}x{}", grid.columns, grid.rows, grid.tile_width, grid.tile_height,
                       grid.bezel_x, grid.bezel_y);
  std::string text = "tiles";
  for (const auto& tile : grid.free) text += " " + to_text(tile);
  return text;
}

}  // namespace

std::string layout_text(const Manifest& manifest) {
  return fmt::format("{}, {}, {}", geometry_text(manifest.geometry), info(manifest.pixel_format).name,
                     to_text(manifest.frame_rate));
}

std::string store_digest(const Manifest& manifest, const Beneath& folder) {
  if (manifest.growing) {
    GrowingEditions editions(manifest);
    return editions.read(folder, 1) ? editions.digest(1) : std::string();
  }
  auto text = fmt::format("{}, {} frames", layout_text(manifest), manifest.frame_count);
  if (manifest.colour != Colour{}) text += ", " + to_text(manifest.colour);
  if (!manifest.checksums.empty()) {
    const auto table = load_checksums(folder, manifest.checksums);
    // Without readable checksums, no other store is known to have the same frames.
    text += table ? fmt::format(", {}", fmt::join(table->values, " ")) : ", of " + manifest.id;
  }
  return fmt::format("{:016x}", checksum(std::as_bytes(std::span(text))));
}

}  // namespace lw
