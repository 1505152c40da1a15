#include "tests/simulate/display.h"

#include <algorithm>

namespace lw::simulate {

// If no packet of a frame arrived with a stamp, it may be any frame of the store: the node does not know which.
bool SimDisplay::is_of(const StoreVersion& version, TileIndex tile, const AssembledFrame& frame) const {
  if (version.format != frame.format) return false;
  if (frame.has_stamp) return frame.frame < version.frames && holds(version, frame.frame, tile, frame);
  for (std::uint32_t number = 0; number < version.frames; ++number)
    if (holds(version, number, tile, frame)) return true;
  return false;
}

bool SimDisplay::holds(const StoreVersion& version, std::uint32_t number, TileIndex tile,
                       const AssembledFrame& frame) const {
  const auto bytes = row_bytes(frame.format, wall_.tile(tile).place.width);
  for (const auto& band : frame.bands)
    for (unsigned row = 0; row < band.rows; ++row)
      if (band.row_present(row) &&
          !is_row(version.seed, number, tile, band.first_row + row, {band.pixels + row * bytes, bytes}))
        return false;
  return true;
}

void SimDisplay::upload(TileIndex tile, const AssembledFrame& frame) {
  host_.take_time(state_.upload);
  const auto& versions = content_.versions();
  const auto version = std::ranges::find_if(versions, [&](const auto& one) { return is_of(one, tile, frame); });
  if (version == versions.end())
    return on_break_("tile " + std::to_string(tile.value) + ", frame " + std::to_string(frame.frame) +
                     (frame.whole ? ", shown as whole" : ", shown in part") + ": a row is not what was stored");
  if (frame.whole) check(tile, frame, *version);
  uploaded_[tile] = {frame.media_time, frame.whole, frame.frame, frame.whole ? &*version : nullptr};
}

// For a frame without any row, its content is unknown.
void SimDisplay::check(TileIndex tile, const AssembledFrame& frame, const StoreVersion& version) {
  const auto where = "tile " + std::to_string(tile.value) + ", frame " + std::to_string(frame.frame);
  unsigned rows = 0;
  for (const auto& band : frame.bands) rows += band.whole ? band.rows : 0;
  if (rows != wall_.tile(tile).place.height) on_break_(where + ": shown as whole, with some of its rows only");
  if (!version.whole) on_break_(where + ": shown from an incomplete store");
  if (!frame.has_stamp || timeline_.now().wall <= anew_until_) return;
  const auto [of_load, is_first] = frames_.try_emplace(frame.generation, version.frames);
  if (!is_first && of_load->second != version.frames)
    on_break_(where + ": the store was replaced by another, which nobody loaded");
}

WallTime SimDisplay::swap(TileIndex tile) {
  const auto& next = uploaded_[tile];
  const auto before = last_.find(tile);
  const bool goes_back = before != last_.end() && next.media_time <= before->second;
  const bool first = shown_anew_.insert(tile).second;
  if (goes_back && (next.media_time == before->second || (!first && timeline_.now().wall > anew_until_)))
    on_break_("tile " + std::to_string(tile.value) + " shows a frame twice, or one after a later one");
  if (wall_.sync.mode == SyncMode::wall && !next.whole)
    on_break_("tile " + std::to_string(tile.value) + " shows an incomplete frame although all must show the same one");
  last_[tile] = next.media_time;
  times_[tile].push_back(next.media_time);
  shown_[tile] = next;
  const bool misses = state_.missed > Nanoseconds{0} && random_.once_in(40);
  return after(state_.swap + (misses ? state_.missed : Nanoseconds{0}));
}

}  // namespace lw::simulate
