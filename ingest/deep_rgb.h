// RGB and grey pictures of more than 8 bits per channel, made ready for FFmpeg's scaler. It takes them through YCbCr,
// with 0xff00 for white: off by one in RGB, too bright in YCbCr.
#pragma once

#include "common/base/result.h"
#include "common/pixel/pixel_format.h"
#include "ingest/av.h"

namespace lw {

// Integers of up to 16 bits, or floats from 0 to 1, in any layout that FFmpeg decodes to.
bool is_deep_rgb(const AVFrame& frame);
// The same picture, with the time and other properties of `deep`: for a store of 8 bits rounded to RGB24, where a value
// that stands for an 8-bit one becomes exactly that one; for 10 bits GBRP16 with what the scaler takes for white.
Result<av::Frame> prepare_deep_rgb(const AVFrame& deep, PixelFormat target);

}  // namespace lw
