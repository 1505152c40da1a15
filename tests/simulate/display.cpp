#include "tests/simulate/display.h"

#include <algorithm>

namespace lw::simulate {

bool SimDisplay::is_of(const Visualization& visualization, unsigned tile, const AssembledFrame& frame) const {
  if (visualization.format != frame.format) return false;
  const auto bytes = row_bytes(frame.format, wall_.tile_width);
  const auto seed = seed_of(visualization.name);
  for (const auto& band : frame.bands)
    for (unsigned row = 0; row < band.rows; ++row)
      if (band.row_present(row) &&
          !is_row(seed, frame.frame, tile, band.first_row + row, {band.pixels + row * bytes, bytes}))
        return false;
  return true;
}

void SimDisplay::upload(TileId tile, const AssembledFrame& frame) {
  host_.take_time(state_.upload);
  const auto index = wall_.index(tile);
  if (!std::ranges::any_of(visualizations_, [&](const auto& one) { return is_of(one, index, frame); }))
    on_break_("tile " + std::to_string(index) + ", frame " + std::to_string(frame.frame) +
              (frame.whole ? ", shown as whole" : ", shown in part") + ": a row is not what was stored");
  uploaded_[tile].media_time = frame.media_time;
  uploaded_[tile].whole = frame.whole;
}

WallTime SimDisplay::swap(TileId tile) {
  const auto& next = uploaded_[tile];
  auto& shown = shown_[tile];
  const auto before = last_.find(tile);
  // A node that was frozen meanwhile still has what was on its way.
  if (shown.at < anew_until_ && timeline_.now().wall - shown.at > std::chrono::seconds{1}) begin_anew();
  const bool goes_back = before != last_.end() && next.media_time <= before->second;
  if (goes_back && (next.media_time == before->second || timeline_.now().wall > anew_until_))
    on_break_("tile " + std::to_string(wall_.index(tile)) + " shows a frame twice, or one after a later one");
  if (wall_.sync.mode == SyncMode::wall && !next.whole)
    on_break_("tile " + std::to_string(wall_.index(tile)) + " shows what is not whole though all are to show the same");
  last_[tile] = next.media_time;
  times_[tile].push_back(next.media_time);
  shown = {next.media_time, next.whole, shown.swaps + 1, timeline_.now().wall};
  const bool misses = state_.missed > Nanoseconds{0} && random_.once_in(40);
  return after(state_.swap + (misses ? state_.missed : Nanoseconds{0}));
}

}  // namespace lw::simulate
