#include "common/metrics/packet_spacing.h"

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

double seconds(Nanoseconds time) { return std::chrono::duration<double>(time).count(); }

double highest_fill(const SpacingModel& model, std::span<const PacketArrival> arrivals) {
  const double drain_s = seconds(model.frame_interval) / static_cast<double>(model.packets_per_frame) / 1.1;
  double fill = 0, highest = 0, cleared = 0;
  for (const auto& arrival : arrivals) {
    const double now = std::floor(seconds(arrival.time - arrivals.front().time) / drain_s);
    fill = std::max(0.0, fill + 1 - (now - cleared));
    cleared = now;
    highest = std::max(highest, fill);
  }
  return highest;
}

// A packet is taken at origin + frame * interval + packet * TRS. With the origin of the latest packet every other is
// there in time; an earlier one waits, and with it those taken before it that have also come.
double longest_queue(const SpacingModel& model, std::span<const PacketArrival> arrivals) {
  const double spacing_s = seconds(model.frame_interval) * model.active / static_cast<double>(model.packets_per_frame);
  const auto lateness_s = [&](const PacketArrival& arrival) {
    return seconds(arrival.time - arrivals.front().time) -
           seconds(model.frame_interval) * (arrival.frame - arrivals.front().frame) -
           spacing_s * (static_cast<double>(arrival.packet) - static_cast<double>(arrivals.front().packet));
  };
  double earliest = 0, latest = 0;
  for (const auto& arrival : arrivals) {
    earliest = std::min(earliest, lateness_s(arrival));
    latest = std::max(latest, lateness_s(arrival));
  }
  constexpr double rounding = 1e-6;  // of times in double
  return std::ceil((latest - earliest) / spacing_s - rounding);
}

}  // namespace

SpacingLimits narrow_limits(const SpacingModel& model) {
  const auto packets = static_cast<double>(model.packets_per_frame);
  const double frame_s = seconds(model.frame_interval);
  return {std::max(4.0, std::floor(packets / (43'200 * model.active * frame_s))),
          std::max(8.0, std::floor(packets / (27'000 * frame_s)))};
}

SpacingLimits wide_limits(const SpacingModel& model) {
  const auto packets = static_cast<double>(model.packets_per_frame);
  const double frame_s = seconds(model.frame_interval);
  return {std::max(16.0, std::floor(packets / (21'600 * frame_s))),
          std::max(720.0, std::floor(packets / (300 * frame_s)))};
}

Spacing packet_spacing(const SpacingModel& model, std::span<const PacketArrival> arrivals) {
  if (arrivals.empty() || model.packets_per_frame == 0) return {};
  return {highest_fill(model, arrivals), longest_queue(model, arrivals)};
}

}  // namespace lw
