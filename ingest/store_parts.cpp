#include "ingest/store_parts.h"

#include <algorithm>

namespace lw {

void StoreParts::add(std::unique_ptr<StoreWriter> part) {
  parts_.push_back(std::move(part));
  resumed_ = frames();
}

std::uint32_t StoreParts::frames() const {
  return (*std::ranges::min_element(parts_, {}, [](const auto& part) { return part->frames(); }))->frames();
}

std::uint32_t StoreParts::resumed_frames() const { return resumed_; }

std::uint64_t StoreParts::frame_bytes() const {
  std::uint64_t sum = 0;
  for (const auto& part : parts_) sum += part->layout().frame_bytes_held();
  return sum;
}

Result<void> StoreParts::check_space(std::uint32_t frames, std::uint64_t sound_bytes) {
  for (const auto& part : parts_)
    if (auto enough = part->check_space(frames, sound_bytes); !enough) return enough;
  return {};
}

Result<void> StoreParts::write_tile(TileIndex tile, std::span<const std::byte> pixels, std::uint64_t sum) {
  const auto frame = frames();
  for (const auto& part : parts_)
    if (part->frames() == frame)
      if (auto written = part->write_tile(tile, pixels, sum); !written) return written;
  return {};
}

Result<void> StoreParts::end_frame() {
  const auto frame = frames();
  for (const auto& part : parts_)
    if (part->frames() == frame)
      if (auto ended = part->end_frame(); !ended) return ended;
  return {};
}

Result<void> StoreParts::each(const std::function<Result<void>(StoreWriter&)>& act) {
  Result<void> done;
  for (const auto& part : parts_) {
    if (!done)
      static_cast<void>(part->interrupt());
    else
      done = act(*part);
  }
  return done;
}

}  // namespace lw
