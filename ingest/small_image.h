// Small images for people: memory for a frame, and JPEG files.
#pragma once

#include "ingest/av.h"

#include <string>

namespace lw {

av::Frame new_frame(AVPixelFormat format, unsigned width, unsigned height);
// The bytes of a JPEG file with this RGB image; empty if FFmpeg cannot encode it.
std::string jpeg_of(const AVFrame& rgb);

}  // namespace lw
