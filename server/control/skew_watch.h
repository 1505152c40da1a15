// The skew of the wall's frames: for each frame that all tiles showed, the spread of the times at which they did. It
// compares the clocks of nodes, so it is empty while the bound of their difference is unknown. Pure: the caller passes
// the nodes' reports. Control thread only.
#pragma once

#include "common/metrics/histograms.h"
#include "common/metrics/recent_distribution.h"
#include "common/wall/tile.h"

#include <boost/circular_buffer.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace lw {

class SkewWatch {
public:
  explicit SkewWatch(unsigned tiles) : expected_(tiles, true), expected_count_(tiles) {}

  // Of these tiles: the others do not report.
  void expect(const std::vector<bool>& tiles);

  // A tile showed the frame with this presentation time `lateness_us` after it. `clocks_us`: bound of the difference
  // between any two nodes' clocks; empty if unknown.
  void add(TileIndex tile, std::int64_t pts_us, double lateness_us, std::optional<double> clocks_us);

  [[nodiscard]] std::uint64_t frames() const { return frames_; }  // frames that all tiles showed
  // Of the newest frames; empty if the bound of the clocks was unknown at the last one.
  [[nodiscard]] const RecentDistribution<256>& skew_us() const { return skew_; }
  [[nodiscard]] std::optional<double> error_us() const { return error_.max(); }  // bound of the error of skew_us()
  // How much later than the first tile each tile showed the newest frame; empty when skew_us() is.
  [[nodiscard]] const std::vector<std::optional<double>>& by_tile_us() const { return newest_us_; }

  // Of all of them with a bound.
  [[nodiscard]] const WallHistograms& histograms() const { return histograms_; }

private:
  struct Frame {
    std::int64_t pts_us = 0;
    double least_us = 0, most_us = 0;
    std::optional<double> clocks_us;                 // the largest bound while the frame was shown
    std::vector<std::optional<double>> lateness_us;  // by tile
    unsigned tiles = 0;
  };
  [[nodiscard]] bool is_complete(const Frame& frame) const;

  std::vector<bool> expected_;  // by tile
  unsigned expected_count_;
  boost::circular_buffer<Frame> open_{128};  // not yet shown by all tiles, oldest first: of two reports at 240 frame/s
  std::uint64_t frames_ = 0;
  RecentDistribution<256> skew_, error_;
  WallHistograms histograms_;
  std::vector<std::optional<double>> newest_us_;
};

}  // namespace lw
