// What a wall must recover.
#pragma once

#include "common/base/units.h"
#include "common/pixel/pixel_format.h"
#include "common/wall/wall_file.h"

namespace lw::simulate {

// Whether most packets that are lost alone are recovered while a visualization of this rate and format plays: parity is
// always sent and can help, or resends come in time.
[[nodiscard]] bool recovers_lone_losses(const Wall& wall, FrameRate rate, PixelFormat format);

}  // namespace lw::simulate
