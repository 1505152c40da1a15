#include "probe/impair/impairment.h"

#include "common/fec/path_loss.h"

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr double pareto_shape = 3;

}  // namespace

bool ImpairedPath::happens(double probability) {
  return probability > 0 && std::uniform_real_distribution<>(0, 1)(random_) < probability;
}

bool ImpairedPath::is_lost() {
  const PathLoss path{impairment_.loss, impairment_.loss_burst};
  if (path.loss >= 1) return true;
  if (path.loss <= 0) return in_loss_ = false;
  return in_loss_ = in_loss_ ? !happens(path.leave_bad()) : happens(path.enter_bad());
}

Nanoseconds ImpairedPath::wait_on_path() {
  const auto jitter = static_cast<double>(impairment_.jitter.count());
  if (jitter <= 0) return impairment_.delay;
  double extra = 0;
  switch (impairment_.distribution) {
    case Jitter::uniform:
      extra = std::uniform_real_distribution<>(-jitter, jitter)(random_);
      break;
    case Jitter::normal:
      extra = std::normal_distribution<>(0, jitter)(random_);
      break;
    case Jitter::exponential:
      extra = std::exponential_distribution<>(1 / jitter)(random_);
      break;
    case Jitter::pareto: {
      const double scale = jitter * (pareto_shape - 1);
      const double u = std::uniform_real_distribution<>(0, 1)(random_);
      extra = scale * (std::pow(1 - u, -1 / pareto_shape) - 1);
      break;
    }
  }
  return std::max(Nanoseconds{0}, impairment_.delay + Nanoseconds{static_cast<std::int64_t>(extra)});
}

Fate ImpairedPath::take(std::size_t bytes, LocalTime now) {
  Fate fate;
  if (is_lost()) {
    fate.kind = Fate::Kind::lost;
    return fate;
  }
  LocalTime through = now;  // the slow link
  if (impairment_.rate) {
    const auto start = std::max(now, link_free_);
    if (start - now > impairment_.queue) {
      fate.kind = Fate::Kind::queue_full;
      return fate;
    }
    const double seconds = static_cast<double>(bytes) * 8 / impairment_.rate->bits_per_second;
    through = link_free_ = start + Nanoseconds{static_cast<std::int64_t>(seconds * 1e9)};
  }
  fate.departure = through + wait_on_path();
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
