// The skew of the wall's frames: for each frame that all tiles showed, the spread of the times at which they did. It
// compares the clocks of nodes, so there is none while nobody knows how far these are apart. Pure; the caller brings
// what the nodes report. Control thread only.
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

  // A tile showed the frame of this presentation time so much after it. `clocks_us`: no two nodes' clocks are further
  // apart; nothing if that is not known.
  void add(TileIndex tile, std::int64_t pts_us, double lateness_us, std::optional<double> clocks_us);

  [[nodiscard]] std::uint64_t frames() const { return frames_; }  // that all tiles showed
  // Of the newest of them; empty if the clocks' error was unknown at the last.
  [[nodiscard]] const RecentDistribution<256>& skew_us() const { return skew_; }
  [[nodiscard]] std::optional<double> error_us() const { return error_.max(); }  // bounds the error of these
  // How much later than the first each tile showed the newest of them; empty like the others.
  [[nodiscard]] const std::vector<double>& by_tile_us() const { return newest_us_; }

private:
  struct Frame {
    std::int64_t pts_us = 0;
    double least_us = 0, most_us = 0;
    std::optional<double> clocks_us;                 // the worst that was known of them
    std::vector<std::optional<double>> lateness_us;  // by tile
    unsigned tiles = 0;
  };
  const unsigned tiles_;
  boost::circular_buffer<Frame> open_{64};  // not yet shown by all, oldest first
  std::uint64_t frames_ = 0;
  RecentDistribution<256> skew_, error_;
  std::vector<double> newest_us_;
};

}  // namespace lw
