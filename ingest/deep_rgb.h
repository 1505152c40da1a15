// RGB and grey pictures of more than 8 bits per channel, rounded to RGB24. FFmpeg's scaler takes them through YCbCr and
// is off by one; here a value that stands for an 8-bit one becomes exactly that one.
#pragma once

#include "common/base/result.h"
#include "ingest/av.h"

namespace lw {

// Integers of up to 16 bits, or floats from 0 to 1, in any layout that FFmpeg decodes to.
bool is_deep_rgb(const AVFrame& frame);
// The same picture as RGB24, with the time and other properties of `deep`.
Result<av::Frame> round_to_rgb24(const AVFrame& deep);

}  // namespace lw
