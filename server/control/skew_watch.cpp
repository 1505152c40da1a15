#include "server/control/skew_watch.h"

#include <algorithm>
#include <cmath>

namespace lw {

void SkewWatch::expect(const std::vector<bool>& tiles) {
  expected_ = tiles;
  expected_count_ = static_cast<unsigned>(std::ranges::count(tiles, true));
}

bool SkewWatch::is_complete(const Frame& frame) const {
  if (frame.tiles < expected_count_ || expected_count_ == 0) return false;
  for (std::size_t tile = 0; tile < expected_.size(); ++tile)
    if (expected_[tile] && !frame.lateness_us[tile]) return false;
  return true;
}

void SkewWatch::add(TileIndex tile, std::int64_t pts_us, double lateness_us, std::optional<double> clocks_us) {
  auto frame = std::ranges::find(open_, pts_us, &Frame::pts_us);
  if (frame == open_.end()) {
    open_.push_back(
        {pts_us, lateness_us, lateness_us, clocks_us, std::vector<std::optional<double>>(expected_.size()), 0});
    frame = open_.end() - 1;
  }
  if (frame->lateness_us[tile.value]) return;
  frame->lateness_us[tile.value] = lateness_us;
  frame->least_us = std::min(frame->least_us, lateness_us);
  frame->most_us = std::max(frame->most_us, lateness_us);
  frame->clocks_us =
      frame->clocks_us && clocks_us ? std::optional(std::max(*frame->clocks_us, *clocks_us)) : std::nullopt;
  ++frame->tiles;
  if (!is_complete(*frame)) return;
  ++frames_;
  newest_us_.clear();
  if (frame->clocks_us) {
    const auto skew_us = frame->most_us - frame->least_us;
    skew_.add(skew_us);
    histograms_.skew.add(Nanoseconds{std::llround(skew_us * 1000)});
    error_.add(*frame->clocks_us);
    for (const auto& lateness : frame->lateness_us)
      newest_us_.push_back(lateness ? std::optional(*lateness - frame->least_us) : std::nullopt);
  } else {
    skew_.clear();
    error_.clear();
  }
  open_.erase(frame);
}

}  // namespace lw
