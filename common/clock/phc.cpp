#include "common/clock/phc.h"

#include <fcntl.h>
#include <linux/ptp_clock.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

namespace lw {
namespace {

constexpr unsigned samples = 5;
static_assert(samples <= PTP_MAX_SAMPLES);

Nanoseconds time_of(const ptp_clock_time& time) { return std::chrono::seconds{time.sec} + Nanoseconds{time.nsec}; }

PhcReading reading(const ptp_clock_time& before, const ptp_clock_time& phc, const ptp_clock_time& after) {
  const auto window = time_of(after) - time_of(before);
  return {time_of(phc) - time_of(before) - window / 2, window, time_of(phc)};
}

// Prefers times that the card's driver reads close to the card's; else uses those read by the kernel around the driver.
std::vector<PhcReading> all_readings(const Phc::Ioctl& ioctl, int descriptor) {
  std::vector<PhcReading> readings;
  ptp_sys_offset_extended close{};
  close.n_samples = samples;
  if (ioctl(descriptor, PTP_SYS_OFFSET_EXTENDED, &close) == 0) {
    for (const auto& sample : std::span(close.ts, samples))
      readings.push_back(reading(sample[0], sample[1], sample[2]));
    return readings;
  }
  ptp_sys_offset wide{};
  wide.n_samples = samples;
  if (ioctl(descriptor, PTP_SYS_OFFSET, &wide) == 0)
    for (unsigned i = 0; i < samples; ++i)
      readings.push_back(reading(wide.ts[2 * i], wide.ts[2 * i + 1], wide.ts[2 * i + 2]));
  return readings;
}

constexpr const char* which_device = "`ethtool -T DEVICE` names the card's: PTP Hardware Clock N is /dev/ptpN";

}  // namespace

Phc::Ioctl Phc::of_kernel() {
  return [](int descriptor, unsigned long request, void* data) { return ioctl(descriptor, request, data); };
}

Result<Phc> Phc::open(const std::string& device) { return open(device, of_kernel()); }

Result<Phc> Phc::open(const std::string& device, Ioctl ioctl) {
  const int descriptor = ::open(device.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor >= 0) return Phc(device, descriptor, std::move(ioctl));
  const int reason = errno;
  return Error{
      device + ": cannot be opened: " + std::generic_category().message(reason),
      reason == EACCES || reason == EPERM ? "let the program's user read it, by a rule of udev" : which_device};
}

Phc::Phc(Phc&& other) noexcept
    : device_(std::move(other.device_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      ioctl_(std::move(other.ioctl_)) {}

Phc::~Phc() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<PhcReading> Phc::read() const {
  auto readings = all_readings(ioctl_, descriptor_);
  if (readings.empty())
    return Error{device_ + ": cannot be read as a PTP clock: " + std::generic_category().message(errno), which_device};
  // A window that ends before it begins: the system clock was set in between.
  std::erase_if(readings, [](const PhcReading& entry) { return entry.window < Nanoseconds{0}; });
  if (readings.empty()) return Error{device_ + ": the system's clock was set while it was read", ""};
  return *std::ranges::min_element(readings, {}, &PhcReading::window);
}

std::optional<Nanoseconds> phc_offset(Nanoseconds ahead, std::chrono::seconds tai_less_utc) {
  constexpr std::chrono::seconds near{1};
  for (const auto scale : {tai_less_utc, std::chrono::seconds{0}})
    if (std::chrono::abs(ahead - scale) <= near) return ahead - scale;
  return std::nullopt;
}

}  // namespace lw
