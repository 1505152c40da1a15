#include "ingest/write_limit.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lw {
namespace {

constexpr double known_from_bytes = 16e6;
constexpr double half_life_s = 1;
constexpr double first_rate_min = 10e6;  // bytes per second, while neither the disk's rate nor the servers' is known

}  // namespace

void RateLimit::set(std::optional<double> bytes_per_second, LocalTime now) {
  pay(now);
  bytes_per_second_ = bytes_per_second;
}

void RateLimit::pay(LocalTime now) {
  if (!bytes_per_second_)
    debt_bytes_ = 0;
  else if (now > paid_until_)
    debt_bytes_ =
        std::max(0.0, debt_bytes_ - *bytes_per_second_ * std::chrono::duration<double>(now - paid_until_).count());
  paid_until_ = std::max(paid_until_, now);
}

Nanoseconds RateLimit::wait(LocalTime now) {
  pay(now);
  if (!bytes_per_second_ || debt_bytes_ < 0.5) return Nanoseconds{0};
  const double seconds = std::min(debt_bytes_ / *bytes_per_second_, 3600.0);
  return std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(seconds)) + Nanoseconds{1};
}

void RateLimit::passed(std::uint64_t bytes, LocalTime now) {
  pay(now);
  if (bytes_per_second_) debt_bytes_ += static_cast<double>(bytes);
}

void DiskSpeed::wrote(std::uint64_t bytes, Nanoseconds took, LocalTime now) {
  const double passed = std::chrono::duration<double>(now - std::exchange(newest_, std::max(now, newest_))).count();
  const double kept = passed > 0 ? std::exp2(-passed / half_life_s) : 1;
  bytes_ = bytes_ * kept + static_cast<double>(bytes);
  seconds_ = seconds_ * kept + std::chrono::duration<double>(took).count();
  written_ += static_cast<double>(bytes);
}

std::optional<double> DiskSpeed::bytes_per_second() const {
  if (written_ < known_from_bytes || seconds_ <= 0) return std::nullopt;
  return bytes_ / seconds_;
}

double gentle_rate(const std::optional<double>& disk_bytes_per_second, const Playing& playing) {
  const auto needed = static_cast<double>(playing.bytes_per_second);
  if (!disk_bytes_per_second) return std::max(first_rate_min, needed);
  const double disk = *disk_bytes_per_second;
  if (!playing.complete) return disk / 4;
  return needed <= disk ? disk / 2 : disk / 2 * std::max(disk / needed, 0.25);
}

}  // namespace lw
