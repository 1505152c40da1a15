#include "tests/simulate/display.h"

#include <algorithm>

namespace lw::simulate {

DisplayState draw_screen(Nanoseconds refresh, const Wall& wall, Random& random) {
  DisplayState screen;
  screen.refresh = refresh;
  screen.phase = Nanoseconds{static_cast<std::int64_t>(random.below(static_cast<std::size_t>(refresh.count() + 1)))};
  if (2 * refresh + std::chrono::milliseconds{4} < wall.frame_rate.duration_of(1)) screen.misses_once_in = 500;
  return screen;
}

// If no packet of a frame arrived with a stamp, it may be any frame of the store: the node does not know which.
bool SimDisplay::is_of(const StoreVersion& version, TileIndex tile, const AssembledFrame& frame) const {
  const auto shown = info(version.format).varies_in_length() ? PixelFormat::rgb8 : version.format;
  if (shown != frame.format) return false;
  if (frame.has_stamp) return frame.frame < version.frames && holds(version, frame.frame, tile, frame);
  for (std::uint32_t number = 0; number < version.frames; ++number)
    if (holds(version, number, tile, frame)) return true;
  return false;
}

bool SimDisplay::holds(const StoreVersion& version, std::uint32_t number, TileIndex tile,
                       const AssembledFrame& frame) const {
  const auto bytes = row_bytes(frame.format, wall_.tile(tile).place.width);
  row_.resize(bytes);
  for (const auto& band : frame.bands)
    for (unsigned row = 0; row < band.rows; ++row) {
      if (!band.row_present(row)) continue;
      band.pixels.copy(row * bytes, bytes, row_.data());
      if (!is_row(version, number, tile, band.first_row + row, row_)) return false;
    }
  return true;
}

void SimDisplay::upload(TileIndex tile, const AssembledFrame& frame) {
  host_.take_time(state_.upload);
  const auto& versions = content_.versions();
  const auto version = std::ranges::find_if(versions, [&](const auto& one) { return is_of(one, tile, frame); });
  if (version == versions.end())
    return on_break_("tile " + std::to_string(tile.value) + ", frame " + std::to_string(frame.frame) +
                     (frame.whole ? ", shown as whole" : ", shown in part") + ": a row is not what was stored");
  if (tile.value % 2 == 0) reading_[tile].push_back({timeline_.now().wall + state_.reading, frame, &*version});
  if (frame.whole) check(tile, frame, *version);
  uploaded_[tile] = {frame.media_time, frame.whole, frame.frame, frame.whole ? &*version : nullptr};
}

std::size_t SimDisplay::unread(TileIndex tile) {
  auto& reading = reading_[tile];
  for (; !reading.empty() && reading.front().until <= timeline_.now().wall; reading.pop_front())
    if (!is_of(*reading.front().version, tile, reading.front().frame))
      on_break_("tile " + std::to_string(tile.value) + ", frame " + std::to_string(reading.front().frame.frame) +
                ": a packet was written where the GPU still read");
  return reading.size();
}

// For a frame without any row, its content is unknown.
void SimDisplay::check(TileIndex tile, const AssembledFrame& frame, const StoreVersion& version) {
  const auto where = "tile " + std::to_string(tile.value) + ", frame " + std::to_string(frame.frame);
  unsigned rows = 0;
  for (const auto& band : frame.bands) rows += band.whole ? band.rows : 0;
  if (rows != group_rows(frame.format, wall_.tile(tile).place.height))
    on_break_(where + ": shown as whole, with some of its rows only");
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
  if (tile == last_tile_ && next.whole) frames_shown_.push_back(next);
  if (state_.one_window)
    chosen_.push_back(tile);
  else
    screen_times_[tile].push_back(wait_for_retrace(tile));
  return host_.now().wall;
}

WallTime SimDisplay::present() {
  const auto on_screen = wait_for_retrace(last_tile_);
  for (const auto tile : chosen_) screen_times_[tile].push_back(on_screen);
  chosen_.clear();
  return host_.now().wall;
}

// The other tiles' images appear at the same retrace.
WallTime SimDisplay::wait_for_retrace(TileIndex tile) {
  host_.take_time(state_.swap);
  if (state_.missed > Nanoseconds{0} && random_.once_in(40)) host_.take_time(state_.missed);
  const auto swapped = timeline_.now().wall + host_.taken();
  if (state_.refresh == Nanoseconds{0}) return swapped;
  auto wait = state_.refresh - (swapped.time_since_epoch() - state_.phase) % state_.refresh;
  if (tile != last_tile_) return swapped + wait;
  if (state_.misses_once_in > 0 && random_.once_in(state_.misses_once_in)) {
    wait += state_.refresh;
    ++missed_;
  }
  host_.take_time(wait);
  return swapped + wait;
}

}  // namespace lw::simulate
