// wall-server --sdp: an SDP file for each flow, so that any RTP receiver can show the stream.
#pragma once

#include "common/base/result.h"
#include "common/wall/wall_file.h"

#include <filesystem>

namespace lw {

// Writes DIR/flow-N.sdp for every flow of the wall, and DIR/group-ADDRESS.sdp for every group to which it is sent, in
// the given pixel format and frame rate: the wall's own, or those of a visualization; and DIR/sound-N.sdp for every
// stream of sound, with the channels of a visualization (0: it has none). Returns the number of files.
Result<unsigned> write_sdp(const Wall& wall, PixelFormat format, FrameRate rate, const std::filesystem::path& directory,
                           unsigned channels = 2);

}  // namespace lw
