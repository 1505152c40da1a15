#include "common/metrics/packet_spacing.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lw {
namespace {

// The standard's INT(). The period is measured: a value a millionth below a whole number counts as that number.
double whole(double value) { return std::floor(value * (1 + 1e-6)); }

double cinst_max(const SpacingModel& model, std::span<const PacketArrival> arrivals) {
  constexpr double drains_faster = 1.1;
  const double drain_s = model.frame_interval_s / static_cast<double>(model.packets_per_frame) / drains_faster;
  double fill = -1, highest = 0, drained = 0;  // the first packet makes it 0
  for (const auto& arrival : arrivals) {
    const auto since_first = std::chrono::duration<double>(arrival.time - arrivals.front().time);
    const double now = std::floor(since_first.count() / drain_s);
    fill = std::max(0.0, fill + 1 - (now - drained));
    drained = now;
    highest = std::max(highest, fill);
  }
  return highest;
}

}  // namespace

Spacing packet_spacing(const SpacingModel& model, std::span<const PacketArrival> arrivals) {
  if (arrivals.empty() || model.packets_per_frame == 0 || model.frame_interval_s <= 0) return {};
  const auto vrx = [&](ReadSchedule schedule) {
    return vrx_max(schedule, model.packets_per_frame, model.frame_interval_s, arrivals);
  };
  return {cinst_max(model, arrivals), vrx(ReadSchedule::gapped), vrx(ReadSchedule::linear)};
}

std::string_view name_of(SenderType type) {
  constexpr std::array<std::string_view, 4> names{"N", "NL", "W", "none"};
  return names[static_cast<std::size_t>(type)];
}

SpacingLimits limits_of(SenderType type, const SpacingModel& model) {
  const double packets_per_s = static_cast<double>(model.packets_per_frame) / model.frame_interval_s;
  const double share_of_standard = 1500 / static_cast<double>(model.maxip_bytes);
  if (type == SenderType::wide)
    return {std::max(16.0, whole(packets_per_s / 21'600)),
            std::max(whole(720 * share_of_standard), whole(packets_per_s / 300))};
  const double active = type == SenderType::narrow ? active_share(ReadSchedule::gapped) : 1;
  return {std::max(4.0, whole(packets_per_s / (43'200 * active))),
          std::max(whole(8 * share_of_standard), whole(packets_per_s / 27'000))};
}

bool conforms(const Spacing& spacing, SenderType type, const SpacingModel& model) {
  const auto limits = limits_of(type, model);
  const double vrx = type == SenderType::narrow ? spacing.vrx_max_gapped : spacing.vrx_max_linear;
  return spacing.cinst_max <= limits.cinst && vrx <= limits.vrx;
}

SenderType sender_type(const Spacing& spacing, const SpacingModel& model) {
  std::array types{SenderType::narrow, SenderType::narrow_linear, SenderType::wide};
  if (spacing.vrx_max_linear < spacing.vrx_max_gapped) std::swap(types[0], types[1]);
  const auto* const found =
      std::ranges::find_if(types, [&](SenderType type) { return conforms(spacing, type, model); });
  return found == types.end() ? SenderType::none : *found;
}

}  // namespace lw
