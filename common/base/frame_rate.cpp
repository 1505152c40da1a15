#include "common/base/frame_rate.h"

#include <charconv>
#include <numeric>

namespace lw {
namespace {

bool parse_number(std::string_view text, std::int32_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && end == text.data() + text.size() && out > 0;
}

}  // namespace

Result<FrameRate> parse_frame_rate(std::string_view text) {
  const auto slash = text.find('/');
  std::int32_t numerator = 0;
  std::int32_t denominator = 1;
  const bool parsed = parse_number(text.substr(0, slash), numerator) &&
                      (slash == std::string_view::npos || parse_number(text.substr(slash + 1), denominator));
  const auto at_least = [&](std::int64_t rate) { return numerator >= rate * denominator; };
  const auto at_most = [&](std::int64_t rate) { return numerator <= rate * denominator; };
  if (!parsed || !at_least(frame_rate_min) || !at_most(frame_rate_max))
    return Error{"'" + std::string(text) + "' is not a frame rate",
                 "use a whole number or a fraction like 30000/1001, from " + std::to_string(frame_rate_min) + " to " +
                     std::to_string(frame_rate_max)};
  const auto divisor = std::gcd(numerator, denominator);
  return FrameRate{numerator / divisor, denominator / divisor};
}

std::string to_text(FrameRate rate) {
  return rate.denominator == 1 ? std::to_string(rate.numerator)
                               : std::to_string(rate.numerator) + "/" + std::to_string(rate.denominator);
}

}  // namespace lw
