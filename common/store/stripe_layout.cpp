#include "common/store/stripe_layout.h"

#include <fmt/format.h>

#include <cassert>

namespace lw {

StripeLayout::StripeLayout(const Manifest& manifest)
    : frame_bytes_(row_bytes(manifest.pixel_format, manifest.geometry.tile_width) * manifest.geometry.tile_height),
      record_bytes_((frame_bytes_ + store_alignment - 1) / store_alignment * store_alignment),
      stripes_(static_cast<unsigned>(manifest.stripes.size())),
      frame_count_(manifest.frame_count) {
  assert(stripes_ > 0);
}

FrameLocation StripeLayout::locate(std::uint32_t frame, unsigned tile_index) const {
  const std::uint64_t record = frame / stripes_;
  return {(frame + tile_index) % stripes_, record, header_bytes() + record * record_bytes_};
}

std::uint64_t StripeLayout::records_in(unsigned stripe, unsigned tile_index) const {
  // The first frame of the tile in this stripe; the others follow every `stripes_` frames.
  const std::uint32_t first = (stripe + stripes_ - tile_index % stripes_) % stripes_;
  return first >= frame_count_ ? 0 : (frame_count_ - first - 1) / stripes_ + 1;
}

std::uint64_t StripeLayout::file_bytes(unsigned stripe, unsigned tile_index) const {
  return header_bytes() + records_in(stripe, tile_index) * record_bytes_;
}

std::string stripe_file_name(TileId tile) { return fmt::format("tile-{}-{}.npy", tile.column, tile.row); }

std::filesystem::path stripe_file(const std::filesystem::path& folder, const Manifest& manifest, unsigned stripe,
                                  TileId tile) {
  const auto& directory = manifest.stripes[stripe];
  return (directory.is_absolute() ? directory : folder / directory) / stripe_file_name(tile);
}

}  // namespace lw
