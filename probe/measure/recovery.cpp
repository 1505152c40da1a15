#include "probe/measure/recovery.h"

#include <algorithm>

namespace lw {

std::optional<double> recovery_s(const nlohmann::json& intervals, double disturbed_from_s, double disturbed_until_s) {
  constexpr double rounding_s = 0.01;  // intervals end some moments after their nominal time
  double before = 0, before_s = 0;
  for (const auto& interval : intervals) {
    const double begin = interval.at("begin_s"), end = interval.at("end_s"), rate = interval.value("gbit_per_s", 0.0);
    if (end <= disturbed_from_s + rounding_s) {
      before += rate * (end - begin);
      before_s += end - begin;
    }
    if (begin < disturbed_until_s - rounding_s) continue;
    if (before_s <= 0 || before <= 0) return {};
    if (rate >= recovered_share * before / before_s) return std::max(begin - disturbed_until_s, 0.0);
  }
  return {};
}

}  // namespace lw
