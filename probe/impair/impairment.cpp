#include "probe/impair/impairment.h"

#include "common/fec/path_loss.h"

#include <algorithm>
#include <cmath>

namespace lw {

bool ImpairedPath::happens(double probability) {
  return probability > 0 && std::uniform_real_distribution<>(0, 1)(random_) < probability;
}

bool ImpairedPath::is_lost() {
  const PathLoss path{impairment_.loss, impairment_.loss_burst};
  if (path.loss >= 1) return true;
  if (path.loss <= 0) return in_loss_ = false;
  return in_loss_ = in_loss_ ? !happens(path.leave_bad()) : happens(path.enter_bad());
}

Nanoseconds ImpairedPath::wait_on_path(LocalTime entry) {
  if (impairment_.jitter <= Nanoseconds{0}) return impairment_.delay;
  const JitterLaw law(impairment_.distribution, impairment_.jitter);
  const double extra = impairment_.keep_order ? wandering_.at(entry, law, delay_random_) : law.draw(delay_random_);
  // Rounded down even below 0, so that rounding keeps the order.
  return std::max(Nanoseconds{0}, impairment_.delay + Nanoseconds{static_cast<std::int64_t>(std::floor(extra))});
}

Fate ImpairedPath::take(std::size_t bytes, LocalTime now) {
  Fate fate;
  if (is_lost()) {
    fate.kind = Fate::Kind::lost;
    return fate;
  }
  LocalTime through = now;  // when it has passed the slow link
  if (impairment_.rate) {
    auto& link = shared_ != nullptr ? *shared_ : own_;
    const auto passed = link.pass(bytes, *impairment_.rate, impairment_.queue, now);
    if (!passed) {
      fate.kind = Fate::Kind::queue_full;
      return fate;
    }
    through = *passed;
  }
  fate.departure = through + wait_on_path(through);
  if (impairment_.keep_order) fate.departure = std::max(fate.departure, newest_departure_);
  newest_departure_ = std::max(newest_departure_, fate.departure);
  fate.twice = happens(impairment_.duplicate);
  if (happens(impairment_.corrupt) && bytes > 0) {
    const auto within = impairment_.corrupt_bytes > 0 ? std::min<std::size_t>(bytes, impairment_.corrupt_bytes) : bytes;
    fate.flipped_bit = std::uniform_int_distribution<std::uint64_t>(0, within * 8 - 1)(random_);
  }
  if (happens(impairment_.reorder)) fate.overtaken_by = impairment_.reorder_by;
  return fate;
}

}  // namespace lw
