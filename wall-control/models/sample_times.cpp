#include "wall-control/models/sample_times.h"

#include <algorithm>

namespace lw {
namespace {

constexpr qint64 uneven_samples = 3;

}  // namespace

void SampleTimes::add(std::optional<qint64> time_ms) {
  if (ring_.empty()) ring_.resize(samples_max);
  qint64 time = time_ms.value_or(count_ > 0 ? known(count_ - 1) + sample_ms : 0);
  if (count_ > 0) time = std::max(time, known(count_ - 1) + 1);
  ring_[static_cast<std::size_t>(count_ % samples_max)] = time;
  ++count_;
}

int SampleTimes::missing_before(qint64 time_ms) const {
  if (count_ == 0) return 0;
  const qint64 missing = (time_ms - known(count_ - 1) + sample_ms / 2) / sample_ms - 1;
  return missing < uneven_samples ? 0 : static_cast<int>(std::min<qint64>(missing, samples_max));
}

std::optional<qint64> SampleTimes::time_of(qint64 sample) const {
  if (count_ == 0) return std::nullopt;
  const auto nearest = std::clamp(sample, oldest(), count_ - 1);
  return known(nearest) + (sample - nearest) * sample_ms;
}

qint64 SampleTimes::sample_at(qint64 time_ms) const {
  qint64 before = oldest(), after = count_;
  while (after - before > 1) {
    const qint64 middle = before + (after - before) / 2;
    (known(middle) <= time_ms ? before : after) = middle;
  }
  return before;
}

}  // namespace lw
