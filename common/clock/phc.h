// A network card's PTP hardware clock (PHC, /dev/ptpN), synchronized by ptp4l, against the system clock. One thread.
#pragma once

#include "common/base/result.h"
#include "common/base/units.h"

#include <functional>
#include <optional>
#include <string>

namespace lw {

struct PhcReading {
  Nanoseconds ahead{0};   // PHC minus system clock, as the PHC counts: TAI or UTC
  Nanoseconds window{0};  // between the two surrounding reads of the system clock: `ahead` is exact to half of it
  Nanoseconds at{0};      // when it was read, by the PHC
};

class Phc {
public:
  using Ioctl = std::function<int(int descriptor, unsigned long request, void* data)>;  // ioctl(2), or a test's
  static Ioctl of_kernel();

  // Fails if the device does not exist or cannot be read.
  static Result<Phc> open(const std::string& device);
  static Result<Phc> open(const std::string& device, Ioctl ioctl);
  ~Phc();
  Phc(Phc&& other) noexcept;
  Phc& operator=(Phc&&) = delete;

  // The fastest of several samples. Fails if it is not a PTP clock, or the card is gone.
  [[nodiscard]] Result<PhcReading> read() const;

private:
  Phc(std::string device, int descriptor, Ioctl ioctl)
      : device_(std::move(device)), descriptor_(descriptor), ioctl_(std::move(ioctl)) {}

  std::string device_;
  int descriptor_;
  Ioctl ioctl_;
};

// The same between clocks that both count in UTC. PTP keeps a card's clock in TAI, other services in UTC: chooses the
// interpretation that is within a second of the system clock; empty if neither is. `tai_less_utc`: as set in the
// kernel; 0 if not set.
std::optional<Nanoseconds> phc_offset(Nanoseconds ahead, std::chrono::seconds tai_less_utc);

}  // namespace lw
