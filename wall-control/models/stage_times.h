// Where the time of the frames goes, from disk to screen (docs/metrics.md, Stages): the newest median and 99th
// percentile of each stage, by tile and over the wall. Of a stage that each flow has, a tile has the slowest flow's,
// because a frame is complete when its last band is. Draws nothing.
#pragma once

#include "common/messages/stats.h"
#include "wall-control/models/flow_history.h"

#include <QString>

#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace lw {

enum class Stage : unsigned char { read, queue, send, flight, assemble, wait, upload, swap };
inline constexpr std::size_t stage_count = 8;

// As the waterfall calls it.
QString name_of(Stage stage);
// Frames wait there until they are due: a long time is not a fault.
constexpr bool waits_by_design(Stage stage) {
  return stage == Stage::queue || stage == Stage::wait || stage == Stage::swap;
}

struct StageTime {
  std::optional<double> p50, p99;  // microseconds
};
using StageRow = std::array<StageTime, stage_count>;

class StageTimes {
public:
  // The history must outlive this.
  explicit StageTimes(const FlowHistory& history) : history_(history) {}

  void add(const Stats& stats);
  void forget();

  [[nodiscard]] StageRow of_tile(const TileRow& tile) const;
  // The medians over all tiles of the tiles' figures.
  [[nodiscard]] StageRow of_wall() const;
  // The slowest of several tiles.
  [[nodiscard]] StageRow worst_of(const std::vector<std::size_t>& tiles) const;
  // How far the sender of a flow was behind its pacing within the last seconds.
  [[nodiscard]] std::optional<double> sent_late_us(int flow) const;
  [[nodiscard]] std::optional<double> read_us_p99(int flow) const;

private:
  struct FlowStages {
    StageRow row;
    std::optional<double> late_us;
  };
  FlowStages* flow(unsigned number);
  [[nodiscard]] const FlowStages* flow(int number) const;

  const FlowHistory& history_;
  std::vector<FlowStages> flows_;  // by number
  std::map<std::pair<int, int>, StageRow> tiles_;
};

}  // namespace lw
