#include "probe/report/flow_sum.h"

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr std::size_t sums_max = 1'000'000;

struct TimeGrid {
  double begin_s = 0, step_s = 0;
  std::size_t count = 0;
};

TimeGrid grid_of(const std::vector<std::vector<TimedValue>>& flows) {
  std::vector<double> lengths;
  double begin_s = INFINITY, end_s = -INFINITY;
  for (const auto& flow : flows)
    for (const auto& value : flow) {
      begin_s = std::min(begin_s, value.begin_s);
      end_s = std::max(end_s, value.end_s);
      if (value.end_s > value.begin_s) lengths.push_back(value.end_s - value.begin_s);
    }
  if (lengths.empty()) return {};
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::ranges::nth_element(lengths, middle);
  // A last interval that is much shorter than the others is omitted.
  const double count = std::round((end_s - begin_s) / *middle);
  if (!(count >= 1) || count > static_cast<double>(sums_max)) return {};
  return {begin_s, (end_s - begin_s) / count, static_cast<std::size_t>(count)};
}

void add(const std::vector<TimedValue>& flow, std::vector<TimedValue>& sum, const TimeGrid& grid) {
  for (const auto& value : flow) {
    const auto first = static_cast<std::size_t>(std::max(0.0, (value.begin_s - grid.begin_s) / grid.step_s));
    for (auto i = first; i < sum.size() && sum[i].begin_s < value.end_s; ++i) {
      const double covered = std::min(value.end_s, sum[i].end_s) - std::max(value.begin_s, sum[i].begin_s);
      if (covered > 0) sum[i].value += value.value * covered / grid.step_s;
    }
  }
}

}  // namespace

std::vector<TimedValue> values_over_time(const ResultFlow& flow, const std::string& figure) {
  std::vector<TimedValue> values;
  for (const auto& interval : flow.intervals)
    if (const auto found = interval.figures.find(figure); found != interval.figures.end())
      values.push_back({interval.begin_s, interval.end_s, found->second});
  return values;
}

std::vector<TimedValue> sum_over_time(std::span<const ResultFlow* const> flows, const std::string& figure) {
  std::vector<std::vector<TimedValue>> all;
  for (const auto* flow : flows) all.push_back(values_over_time(*flow, figure));
  const auto grid = grid_of(all);
  std::vector<TimedValue> sum(grid.count);
  for (std::size_t i = 0; i < sum.size(); ++i)
    sum[i] = {grid.begin_s + grid.step_s * static_cast<double>(i),
              grid.begin_s + grid.step_s * static_cast<double>(i + 1), 0};
  for (const auto& flow : all) add(flow, sum, grid);
  return sum;
}

}  // namespace lw
