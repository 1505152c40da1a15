// Which way of filling textures takes the presenter's thread the least time with this driver: measured when the display
// opens, with uploads for two tiles in flight, as when a node plays. What the GPU does at its own time does not count;
// that the thread waits for it does, as for drivers without a GPU.
#pragma once

#include "wall-client/display/gl/raw_texture.h"

#include <cstddef>
#include <optional>
#include <string>

namespace lw {

// Frames as they arrive.
struct UploadCase {
  unsigned width = 0, height = 0;
  PixelFormat format = PixelFormat::rgb8;
  std::size_t slot_bytes = 0;  // of packets in slots; 0: in rows
  GLuint slots_program = 0;    // see RawTexture
};

// Of the thread, for each frame.
struct UploadCost {
  double cpu_ms = 0;
  double elapsed_ms = 0;  // until the calls have returned
};

// nullopt if the driver cannot upload this way. In the current context.
std::optional<UploadCost> upload_cost(UploadPath path, const UploadCase& frames);
// Measures all ways with a few such frames.
Uploads cheapest_uploads(const UploadCase& frames);
// `path` for all frames for which it is possible.
Uploads uploads_by(UploadPath path);
// For the log.
std::string text_of(const Uploads& uploads);

}  // namespace lw
