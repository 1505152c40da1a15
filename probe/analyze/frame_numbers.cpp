#include "probe/analyze/frame_numbers.h"

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

// Least squares over all parts of the stream without jumps: each has its own origin, all have one slope.
class Slope {
public:
  void add(double number, double timestamp) {
    if (count_ == 0) first_number_ = number, first_timestamp_ = timestamp;
    const double x = number - first_number_, y = timestamp - first_timestamp_;
    ++count_;
    x_ += x;
    y_ += y;
    xx_ += x * x;
    xy_ += x * y;
  }
  void begin_part() {
    if (count_ > 0) {
      above_ += xy_ - x_ * y_ / count_;
      below_ += xx_ - x_ * x_ / count_;
    }
    count_ = x_ = y_ = xx_ = xy_ = 0;
  }
  // Ends the last part. Empty if no part has two frames.
  std::optional<double> value() {
    begin_part();
    return below_ > 0 ? std::optional(above_ / below_) : std::nullopt;
  }

private:
  double first_number_ = 0, first_timestamp_ = 0;
  double count_ = 0, x_ = 0, y_ = 0, xx_ = 0, xy_ = 0;  // of the current part
  double above_ = 0, below_ = 0;
};

double usual_distance(std::span<const std::int64_t> timestamps) {
  std::vector<std::int64_t> distances;
  distances.reserve(timestamps.size());
  for (std::size_t i = 1; i < timestamps.size(); ++i) distances.push_back(timestamps[i] - timestamps[i - 1]);
  const auto middle = distances.begin() + std::ssize(distances) / 2;
  std::ranges::nth_element(distances, middle);
  return static_cast<double>(*middle);
}

}  // namespace

std::optional<FrameNumbers> number_frames(std::span<const std::int64_t> timestamps) {
  if (timestamps.size() < 2) return {};
  FrameNumbers frames{usual_distance(timestamps), std::vector<std::int64_t>(timestamps.size())};
  std::size_t jumps = 0;
  // Repeats the fit with the first slope, as needed for gaps of many lost frames.
  for (unsigned time = 0; time < 2; ++time) {
    Slope slope;
    slope.add(0, 0);
    jumps = 0;
    for (std::size_t i = 1; i < timestamps.size(); ++i) {
      const auto distance = static_cast<double>(timestamps[i] - timestamps[i - 1]);
      const double step = std::max(1.0, std::round(distance / frames.period_ticks));
      frames.numbers[i] = frames.numbers[i - 1] + static_cast<std::int64_t>(step);
      if (std::abs(distance - step * frames.period_ticks) >= frames.period_ticks / 4) {
        slope.begin_part();
        ++jumps;
      }
      slope.add(static_cast<double>(frames.numbers[i]), static_cast<double>(timestamps[i] - timestamps.front()));
    }
    frames.period_ticks = slope.value().value_or(frames.period_ticks);
  }
  if (jumps * 10 > timestamps.size() - 1) return {};
  return frames;
}

}  // namespace lw
