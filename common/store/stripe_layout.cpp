#include "common/store/stripe_layout.h"

#include "common/store/npy_header.h"

#include <algorithm>
#include <cassert>

namespace lw {
namespace {

std::size_t padded(std::size_t frame_bytes) {
  return (frame_bytes + store_alignment - 1) / store_alignment * store_alignment;
}

// Tiles of a grid are alike.
std::vector<TileSlots> slots_in(const Manifest& manifest) {
  std::vector<TileSlots> slots;
  const auto& geometry = manifest.geometry;
  for (TileIndex tile; tile.value < geometry.distinct_tiles(); ++tile.value)
    if (auto of_tile = slots_of(manifest, tile)) slots.push_back(std::move(*of_tile));
  return slots;
}

}  // namespace

StripeLayout::StripeLayout(const Manifest& manifest)
    : geometry_(manifest.geometry),
      pixel_format_(manifest.pixel_format),
      slots_(slots_in(manifest)),
      stripes_(static_cast<unsigned>(manifest.stripes.size())),
      frame_count_(manifest.frame_count),
      tiles_held_(manifest.tiles),
      copies_(manifest.copies) {
  assert(stripes_ > 0);
}

std::size_t StripeLayout::frame_bytes(TileIndex tile) const {
  const auto place = geometry_.place(tile);
  return lw::frame_bytes(pixel_format_, place.width, place.height);
}

const TileSlots* StripeLayout::slots(TileIndex tile) const {
  if (slots_.empty()) return nullptr;
  return geometry_.is_free() ? &slots_[tile.value] : &slots_.front();
}

std::size_t StripeLayout::stored_bytes(TileIndex tile) const {
  const auto* const in_slots = slots(tile);
  return in_slots != nullptr ? in_slots->memory_bytes() : frame_bytes(tile);
}

std::size_t StripeLayout::record_bytes(TileIndex tile) const { return padded(stored_bytes(tile)); }

std::size_t StripeLayout::frame_bytes_max() const {
  std::size_t most = 0;
  for (TileIndex tile; tile.value < geometry_.tile_count(); ++tile.value) most = std::max(most, frame_bytes(tile));
  return most;
}

std::size_t StripeLayout::stored_bytes_max() const {
  std::size_t most = 0;
  for (TileIndex tile; tile.value < geometry_.tile_count(); ++tile.value) most = std::max(most, stored_bytes(tile));
  return most;
}

std::size_t StripeLayout::record_bytes_max() const { return padded(stored_bytes_max()); }

std::uint64_t StripeLayout::frame_bytes_in_all() const {
  std::uint64_t sum = 0;
  for (TileIndex tile; tile.value < geometry_.tile_count(); ++tile.value) sum += frame_bytes(tile);
  return sum;
}

std::uint64_t StripeLayout::sum_held(std::size_t (StripeLayout::*bytes)(TileIndex) const) const {
  std::uint64_t sum = 0;
  for (const auto tile : tiles_held_) sum += (this->*bytes)(tile);
  if (tiles_held_.empty())
    for (TileIndex tile; tile.value < geometry_.tile_count(); ++tile.value) sum += (this->*bytes)(tile);
  return sum;
}

std::uint64_t StripeLayout::frame_bytes_held() const { return sum_held(&StripeLayout::frame_bytes); }
std::uint64_t StripeLayout::record_bytes_held() const { return sum_held(&StripeLayout::record_bytes); }

FrameLocation StripeLayout::locate(std::uint32_t frame, TileIndex tile) const {
  const std::uint64_t record = frame / stripes_;
  return {(frame + tile.value) % stripes_, record, header_bytes() + record * record_bytes(tile)};
}

std::uint64_t StripeLayout::records_in(unsigned stripe, TileIndex tile) const {
  // The first frame of the tile in this stripe; the others follow every `stripes_` frames.
  const std::uint32_t first = (stripe + stripes_ - tile.value % stripes_) % stripes_;
  return first >= frame_count_ ? 0 : (frame_count_ - first - 1) / stripes_ + 1;
}

std::uint64_t StripeLayout::file_bytes(unsigned stripe, TileIndex tile) const {
  return header_bytes() + records_in(stripe, tile) * record_bytes(tile);
}

std::string StripeLayout::header(unsigned stripe, TileIndex tile) const {
  const auto records = records_in(stripe, tile);
  if (const auto* const in_slots = slots(tile)) return npy_header(*in_slots, records);
  const auto place = geometry_.place(tile);
  return npy_header({records, group_rows(pixel_format_, place.height), row_bytes(pixel_format_, place.width),
                     record_bytes(tile) - frame_bytes(tile)});
}

std::uint64_t StripeLayout::directory_bytes(unsigned directory, TileIndex tile) const {
  std::uint64_t sum = 0;
  for (unsigned copy = 0; copy < copies_; ++copy) sum += file_bytes((directory + stripes_ - copy) % stripes_, tile);
  return sum;
}

std::string stripe_file_name(const Manifest& manifest, TileIndex tile, unsigned copy) {
  return manifest.geometry.name(tile) + (copy == 0 ? ".npy" : ".copy.npy");
}

std::filesystem::path stripe_file(const std::filesystem::path& folder, const Manifest& manifest, unsigned stripe,
                                  TileIndex tile) {
  const auto& directory = manifest.stripes[stripe];
  return (directory.is_absolute() ? directory : folder / directory) / stripe_file_name(manifest, tile);
}

}  // namespace lw
