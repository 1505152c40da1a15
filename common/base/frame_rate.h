// Frame rates as text: "30", "30000/1001". "23.976" is rejected (write 24000/1001).
#pragma once

#include "common/base/result.h"
#include "common/base/units.h"

#include <string>
#include <string_view>

namespace lw {

inline constexpr int frame_rate_min = 1, frame_rate_max = 240;  // frames per second

Result<FrameRate> parse_frame_rate(std::string_view text);
std::string to_text(FrameRate rate);

}  // namespace lw
