// Judges from the wall's figures whether the audience sees faults: the answer becomes worse at once, and better ten
// seconds after the last fault. Pure: the caller passes figures and time. Control thread only.
#pragma once

#include "common/messages/stats.h"
#include "common/messages/summary.h"
#include "common/wall/wall_file.h"

#include <boost/circular_buffer.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace lw {

class HealthWatch {
public:
  static constexpr std::chrono::seconds memory{10};  // of faults, and the time over which losses are counted
  static constexpr std::chrono::seconds patience{
      2};  // with figures beyond their limits, and with tiles without a frame

  explicit HealthWatch(const Wall& wall);

  // Beyond these a wall is degraded: those of the alarms for a LAN (docs/alarms.md).
  static SummaryFigures limits();

  // Call twice a second, whether or not anybody wants to know.
  void update(const Stats& stats, PlayStatus status, LocalTime now);

  [[nodiscard]] WallHealth health() const { return health_; }
  [[nodiscard]] unsigned tiles_faulty() const { return tiles_faulty_; }
  [[nodiscard]] const SummaryFigures& figures() const { return figures_; }

private:
  // A total that begins again at zero when a node is started again.
  class Growth {
  public:
    std::uint64_t take(std::optional<std::uint64_t> total);

  private:
    std::optional<std::uint64_t> before_;
  };
  struct WatchedTile {
    Growth faults;
    std::optional<LocalTime> fault;        // the last one
    std::optional<LocalTime> empty_since;  // without a frame
    bool shows = false;                    // a frame, in this report
  };
  struct Lost {
    LocalTime at;
    std::uint64_t packets = 0;  // in total
  };
  void look_at(const NodeReport& report, LocalTime now);
  void look_for_empty_tiles(LocalTime now);
  void look_at_losses(LocalTime now);
  void look_at_limits(LocalTime now);
  [[nodiscard]] bool is_recent(const std::optional<LocalTime>& time, LocalTime now) const {
    return time && now - *time < memory;
  }

  std::map<GridCell, std::size_t> places_;  // in tiles_
  std::vector<WatchedTile> tiles_;          // by tile
  std::vector<Growth> lost_;                // by flow
  std::uint64_t lost_total_ = 0;
  boost::circular_buffer<Lost> losses_;
  std::optional<LocalTime> beyond_since_;  // a figure has been beyond its limit
  std::optional<LocalTime> degraded_;      // the last time
  SummaryFigures figures_;
  WallHealth health_ = WallHealth::idle;
  unsigned tiles_faulty_ = 0;
};

}  // namespace lw
