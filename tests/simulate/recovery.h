// What a wall must show and recover.
#pragma once

#include "common/base/units.h"
#include "common/pixel/pixel_format.h"
#include "common/wall/wall_file.h"

namespace lw::simulate {

// The programs warn of a visualization that is faster than the wall and for which they have too little memory: then
// nothing is promised.
[[nodiscard]] bool is_promised(const Wall& wall, FrameRate rate);

// Whether most packets that are lost alone are recovered while a visualization of this rate and format plays: parity is
// always sent and can help, or resends come in time.
[[nodiscard]] bool recovers_lone_losses(const Wall& wall, FrameRate rate, PixelFormat format);

}  // namespace lw::simulate
