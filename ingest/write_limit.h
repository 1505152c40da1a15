// Computes how fast an import may write beside servers that play. Pure arithmetic: the time is passed in.
#pragma once

#include <cstdint>
#include <optional>

#include "common/base/units.h"
#include "common/store/playing_file.h"

namespace lw {

// A rate limit that may change at any time. Over any span of time, at most the allowed amount and one piece more
// passes.
class RateLimit {
public:
  // Empty: no limit.
  void set(std::optional<double> bytes_per_second, LocalTime now);
  [[nodiscard]] std::optional<double> get() const { return bytes_per_second_; }
  // Until the next piece may pass; 0: now.
  [[nodiscard]] Nanoseconds wait(LocalTime now);
  void passed(std::uint64_t bytes, LocalTime now);

private:
  void pay(LocalTime now);

  std::optional<double> bytes_per_second_;
  double debt_bytes_ = 0;  // passed before its time
  LocalTime paid_until_{};
};

// Estimates a disk's write rate from the duration of recent writes. Old measurements expire by time, not by the amount
// written: otherwise a disk that was slow for a moment would be written to so slowly that it seems slow for long.
class DiskSpeed {
public:
  void wrote(std::uint64_t bytes, Nanoseconds took, LocalTime now);
  // Empty until enough is written.
  [[nodiscard]] std::optional<double> bytes_per_second() const;

private:
  double bytes_ = 0;  // decays like the seconds
  double seconds_ = 0;
  double written_ = 0;
  LocalTime newest_{};
};

// The limit beside servers that play: half of the disk's write rate, so that the disk is free for reads half of the
// time. If the disk writes less than the servers read, it is near its limits, and the share falls to as little as an
// eighth. While the disk's rate is unknown, the limit is the servers' read rate.
double gentle_rate(const std::optional<double>& disk_bytes_per_second, const Playing& playing);

}  // namespace lw
