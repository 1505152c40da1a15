// Which way of filling textures takes the presenter's thread the least time with this driver: measured when the display
// opens, with uploads for two tiles in flight, as when a node plays. What the GPU does at its own time does not count.
#pragma once

#include "wall-client/display/gl/raw_texture.h"

#include <optional>
#include <string>

namespace lw {

// The thread's CPU time for each frame, milliseconds; nullopt if the driver cannot upload this way. In the current
// context.
std::optional<double> upload_cost(UploadPath path, unsigned width, unsigned height, PixelFormat format);
// Measures all ways with a few frames of this size.
Uploads cheapest_uploads(unsigned width, unsigned height, PixelFormat format);
// `path` for all frames for which it is possible.
Uploads uploads_by(UploadPath path);
// For the log.
std::string text_of(const Uploads& uploads);

}  // namespace lw
