// wall-server --sdp: an SDP file for each flow, so that any RTP receiver can show it.
#pragma once

#include "common/base/result.h"
#include "common/wall/wall_file.h"

#include <filesystem>

namespace lw {

// Writes DIR/flow-N.sdp for every flow of the wall, in the wall's own pixel format and frame rate, or in those of a
// visualization that is to be played. Returns how many.
Result<unsigned> write_sdp(const Wall& wall, PixelFormat format, FrameRate rate,
                           const std::filesystem::path& directory);

}  // namespace lw
