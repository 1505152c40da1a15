// The skew of the wall's frames: for each frame that all tiles showed, the spread of the times at which they did. Pure;
// the caller brings what the nodes report. Control thread only.
#pragma once

#include "common/metrics/recent_distribution.h"
#include "common/wall/tile.h"

#include <boost/circular_buffer.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace lw {

class SkewWatch {
public:
  explicit SkewWatch(unsigned tiles) : tiles_(tiles) {}

  // A tile showed the frame of this presentation time so much after it.
  void add(TileIndex tile, std::int64_t pts_us, double lateness_us);

  [[nodiscard]] std::uint64_t frames() const { return frames_; }                  // that all tiles showed
  [[nodiscard]] const RecentDistribution<256>& skew_us() const { return skew_; }  // of the newest of them
  // How much later than the first each tile showed the newest of them; empty before one.
  [[nodiscard]] const std::vector<double>& by_tile_us() const { return newest_us_; }

private:
  struct Frame {
    std::int64_t pts_us = 0;
    double least_us = 0, most_us = 0;
    std::vector<std::optional<double>> lateness_us;  // by tile
    unsigned tiles = 0;
  };
  const unsigned tiles_;
  boost::circular_buffer<Frame> open_{64};  // not yet shown by all, oldest first
  std::uint64_t frames_ = 0;
  RecentDistribution<256> skew_;
  std::vector<double> newest_us_;
};

}  // namespace lw
