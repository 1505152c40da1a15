// Prepares RGB and grey images with more than 8 bits per channel for FFmpeg's scaler. The scaler converts them through
// YCbCr with 0xff00 for white, which is off by one in RGB and too bright in YCbCr.
#pragma once

#include "common/base/result.h"
#include "ingest/av.h"
#include "ingest/frame_pool.h"

namespace lw {

// Integers of up to 16 bits, or floats from 0 to 1, in any layout that FFmpeg decodes to.
bool is_deep_rgb(const AVFrame& frame);
// The same image, with the time and other properties of `deep`. With `all_bits` it is GBRP16 with the scaler's white.
// Without, it is rounded to RGB24, so that a value that represents an 8-bit value becomes exactly that value. Its
// memory is from `pool`.
Result<av::Frame> prepare_deep_rgb(const AVFrame& deep, bool all_bits, FramePool& pool);

}  // namespace lw
