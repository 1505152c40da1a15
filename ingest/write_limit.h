// How fast may be written beside what plays. Pure arithmetic: the time is passed in.
#pragma once

#include <cstdint>
#include <optional>

#include "common/base/units.h"
#include "common/store/playing_file.h"

namespace lw {

// A rate limit that may change at any time. Over any span of time no more passes than the limits allowed in it, and one
// piece more.
class RateLimit {
public:
  // Nothing: no limit.
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

// What a disk takes, from how long writes of the last seconds lasted. What it was like before is forgotten by time, not
// by what is written: one that was slow for a moment would else be written to so slowly that it seems slow for long.
class DiskSpeed {
public:
  void wrote(std::uint64_t bytes, Nanoseconds took, LocalTime now);
  // Nothing before enough is written.
  [[nodiscard]] std::optional<double> bytes_per_second() const;

private:
  double bytes_ = 0;  // fading, as the seconds do
  double seconds_ = 0;
  double written_ = 0;
  LocalTime newest_{};
};

// Beside what plays: half of what the disk takes, so that reads find it free half of the time; down to an eighth where
// that is less than what plays reads, since such a disk is near its limits. While the disk's speed is not known: as
// much as plays reads.
double gentle_rate(const std::optional<double>& disk_bytes_per_second, const Playing& playing);

}  // namespace lw
