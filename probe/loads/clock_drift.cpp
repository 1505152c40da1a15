#include "probe/loads/clock_drift.h"

#include <algorithm>

namespace lw {
namespace {

constexpr std::size_t delays_min = 32;
constexpr double span_min_s = 1;

// Whether b is above or on the line from a to c.
bool is_above(const DelayAt& a, const DelayAt& b, const DelayAt& c) {
  return (b.delay_us - a.delay_us) * (c.at_s - a.at_s) >= (c.delay_us - a.delay_us) * (b.at_s - a.at_s);
}

// Moves the corners of the lower convex hull to the front. `points` are sorted. Returns their number (Andrew 1979).
std::size_t gather_lower_hull(std::vector<DelayAt>& points) {
  std::size_t corners = 0;
  for (const auto point : points) {
    while (corners >= 2 && is_above(points[corners - 2], points[corners - 1], point)) --corners;
    points[corners++] = point;
  }
  return corners;
}

}  // namespace

std::optional<DriftLine> drift_line(std::vector<DelayAt> delays) {
  if (delays.size() < delays_min) return {};
  std::ranges::sort(delays, [](const DelayAt& a, const DelayAt& b) {
    return a.at_s != b.at_s ? a.at_s < b.at_s : a.delay_us < b.delay_us;
  });
  if (delays.back().at_s - delays.front().at_s < span_min_s) return {};
  double mean_s = 0;
  for (const auto& delay : delays) mean_s += delay.at_s / static_cast<double>(delays.size());
  // The sum of distances is proportional to the height of the points' centre above the line; the hull's side below the
  // centre is the highest line there.
  delays.resize(gather_lower_hull(delays));
  const auto right = std::ranges::find_if(delays.begin() + 1, delays.end() - 1,
                                          [&](const DelayAt& corner) { return corner.at_s >= mean_s; });
  const auto& left = *(right - 1);
  const double ppm = (right->delay_us - left.delay_us) / (right->at_s - left.at_s);
  return DriftLine{ppm, left.delay_us - ppm * left.at_s};
}

}  // namespace lw
