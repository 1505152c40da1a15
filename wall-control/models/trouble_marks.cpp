#include "wall-control/models/trouble_marks.h"

#include "wall-control/models/flow_history.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace lw {
namespace {

constexpr double report_s = 0.1;
// From a load to its first frame on the wall, in addition to the playout delay: reading ahead, and the delay of the
// report.
constexpr double settle_s = 0.4;

std::array<qint64, trouble_count> counts_of(const TileRow& tile) {
  return {tile.shown_repaired, tile.late, tile.shown_concealed, tile.not_shown};
}

}  // namespace

void TroubleMarks::follow(const QString& name, double speed) {
  frames_per_report_max_ = static_cast<int>(std::ceil(2 * report_s * std::abs(speed))) + 1;
  if (name == name_) return;
  name_ = name;
  marks_.clear();
  seen_.clear();
  began_ = true;
}

void TroubleMarks::add(const FlowHistory& history) {
  if (std::exchange(began_, false)) {
    const double delay_s = history.wall().playout_delay_us.value_or(0) / 1e6;
    reports_left_out_ = static_cast<int>(std::ceil((settle_s + delay_s) / report_s));
  }
  if (name_.isEmpty() || std::exchange(reports_left_out_, std::max(0, reports_left_out_ - 1)) > 0) return;
  for (const auto& tile : history.tiles()) take(tile);
}

void TroubleMarks::take(const TileRow& tile) {
  const std::pair place{tile.column, tile.row};
  if (!tile.connected || !tile.frame) {
    seen_.erase(place);
    return;
  }
  const Seen now{*tile.frame, counts_of(tile)};
  const auto known = seen_.find(place);
  if (known == seen_.end()) {
    seen_[place] = now;
    return;
  }
  const auto before = std::exchange(known->second, now);
  TroubleMark mark{now.frame, now.frame, tile.column, tile.row, {}};
  for (std::size_t i = 0; i < trouble_count; ++i) mark.counts[i] = now.counts[i] - before.counts[i];
  const auto grew = [](qint64 count) { return count > 0; };
  const auto fell = [](qint64 count) { return count < 0; };
  // The counts of a restarted node begin at zero.
  if (std::ranges::any_of(mark.counts, fell) || std::ranges::none_of(mark.counts, grew)) return;
  // Across a seek or the loop's end the frames are not known: the mark is placed where the tile is.
  if (std::abs(now.frame - before.frame) <= frames_per_report_max_)
    std::tie(mark.first, mark.last) = std::minmax({before.frame, now.frame});
  marks_.push_back(mark);
  if (marks_.size() > marks_max) marks_.pop_front();
}

std::array<qint64, trouble_count> TroubleMarks::totals() const {
  std::array<qint64, trouble_count> totals{};
  for (const auto& mark : marks_)
    for (std::size_t i = 0; i < trouble_count; ++i) totals[i] += mark.counts[i];
  return totals;
}

}  // namespace lw
