#include "common/clock/system_clock.h"

#include "common/clock/kernel_clock.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace lw {
namespace {

constexpr std::chrono::milliseconds ask_interval{50};

}  // namespace

SystemClock::SystemClock(const std::string& phc) : device_(phc) {
  if (!phc.empty()) start(Phc::open(phc));
}

SystemClock::SystemClock(const std::string& phc, const Phc::Ioctl& ioctl) : device_(phc) {
  start(Phc::open(phc, ioctl));
}

void SystemClock::start(Result<Phc> phc) {
  if (phc)
    phc_.emplace(std::move(*phc));
  else
    warn(phc.error());
}

SystemClockState SystemClock::read() {
  const auto now = LocalClock::now();
  if (now < next_) return newest_;
  next_ = now + ask_interval;
  const auto phc = read_phc();
  newest_ = {clock_error_bound(system_clock_error(), phc), phc ? std::optional(phc->ahead) : std::nullopt};
  return newest_;
}

// In UTC.
std::optional<PhcReading> SystemClock::read_phc() {
  if (!phc_) return std::nullopt;
  const auto reading = phc_->read();
  if (!reading) {
    warn(reading.error());
    return std::nullopt;
  }
  const auto tai = tai_less_utc();
  const auto offset = phc_offset(reading->ahead, tai);
  if (!offset) {
    warn({fmt::format("{} is {:.3f} s ahead of the system's clock", device_,
                      std::chrono::duration<double>(reading->ahead).count()),
          tai.count() == 0 ? "if ptp4l keeps it in TAI, tell the kernel TAI - UTC: phc2sys -a does, and chrony with "
                             "leapsectz; if not, let one of them keep it"
                           : "let ptp4l keep it, and phc2sys or chrony the system's clock by it"});
    return std::nullopt;
  }
  warned_ = false;
  return PhcReading{*offset, reading->window, reading->at};
}

void SystemClock::warn(const Error& error) {
  if (!std::exchange(warned_, true)) spdlog::warn("[clock] phc is not used: {}", error.text());
}

std::optional<Nanoseconds> clock_error_bound(std::optional<Nanoseconds> kernel, const std::optional<PhcReading>& phc) {
  if (!phc) return kernel;
  const auto by_phc = std::chrono::abs(phc->ahead) + phc->window / 2;
  return std::max(kernel.value_or(by_phc), by_phc);
}

}  // namespace lw
