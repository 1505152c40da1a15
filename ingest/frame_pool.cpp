#include "ingest/frame_pool.h"

extern "C" {
#include <libavutil/imgutils.h>
}

#include <cstring>
#include <string>

namespace lw {
namespace {

constexpr int alignment = 64;

}  // namespace

bool FramePool::allocate(AVFrame& frame, int width, int height) {
  const auto format = static_cast<AVPixelFormat>(frame.format);
  const int bytes = av_image_get_buffer_size(format, width, height, alignment);
  if (bytes < 0) return false;
  if (bytes != bytes_) {
    // Decoders and scalers read beyond the last pixel, up to a vector's size.
    pool_.reset(av_buffer_pool_init(static_cast<std::size_t>(bytes) + 2 * alignment, nullptr));
    bytes_ = bytes;
  }
  frame.buf[0] = pool_ == nullptr ? nullptr : av_buffer_pool_get(pool_.get());
  if (frame.buf[0] == nullptr) return false;
  std::memset(frame.buf[0]->data, 0, frame.buf[0]->size);
  av_image_fill_arrays(frame.data, frame.linesize, frame.buf[0]->data, format, width, height, alignment);
  frame.extended_data = frame.data;
  return true;
}

Result<av::Frame> FramePool::frame_like(const AVFrame& like, AVPixelFormat format) {
  av::Frame frame(av_frame_alloc());
  frame->format = format;
  frame->width = like.width;
  frame->height = like.height;
  if (av_frame_copy_props(frame.get(), &like) < 0 ||
      (!allocate(*frame) && av_frame_get_buffer(frame.get(), alignment) < 0))
    return Error{"not enough memory for an image of " + std::to_string(like.width) + "x" + std::to_string(like.height),
                 "use smaller images"};
  return frame;
}

}  // namespace lw
