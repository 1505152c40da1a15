#include "wall-control/present/repair.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lw {
namespace {

constexpr int repair_samples = 100;  // ten seconds

double sum_of(const FlowRow& flow, Quantity quantity) {
  const auto& series = flow.series.of(quantity);
  double sum = 0;
  for (int age = 0; age < std::min(repair_samples, series.size()); ++age) sum += series.back(age).value_or(0);
  return sum;
}

}  // namespace

Repair repair_of(const FlowHistory& history) {
  std::map<std::pair<int, int>, double> lost_by_tile;
  double lost = 0;
  double recovered = 0;
  for (const auto& flow : history.flows()) {
    const double here = std::max(0.0, sum_of(flow, Quantity::loss));
    lost_by_tile[{flow.column, flow.row}] += here;
    lost += here;
    recovered += sum_of(flow, Quantity::repaired) + sum_of(flow, Quantity::rebuilt);
  }
  // Before the first report no node is connected, and nothing is being repaired.
  const bool reports = std::ranges::any_of(history.tiles(), &TileRow::connected);
  Repair repair;
  for (const auto& tile : history.tiles()) {
    const bool lost_here = lost_by_tile[{tile.column, tile.row}] > 0;
    if (lost_here || tile.troubles > 0 || (reports && !tile.connected)) ++repair.displays;
  }
  if (lost > 0) repair.share = std::clamp(recovered / lost, 0.0, 1.0);
  return repair;
}

}  // namespace lw
