// Memory for frames that is used again when the last reference to a frame is gone.
#pragma once

#include <memory>

#include "common/base/result.h"
#include "ingest/av.h"

extern "C" {
#include <libavutil/buffer.h>
}

namespace lw {

class FramePool {
public:
  // Gives `frame`, of which format, width and height are set, its memory: zeros, so that what a decoder skips does not
  // depend on earlier frames. Frames may outlive the pool. Any thread may release them; one calls this. False: not
  // enough memory, an unknown format, or a frame of more than 2 GB.
  bool allocate(AVFrame& frame) { return allocate(frame, frame.width, frame.height); }
  // Memory for `width` x `height` pixels, of which the frame is a part.
  bool allocate(AVFrame& frame, int width, int height);
  // A frame of that format with the size and the properties of another; of the heap if the pool cannot.
  Result<av::Frame> frame_like(const AVFrame& like, AVPixelFormat format);

private:
  std::unique_ptr<AVBufferPool, av::FreeByAddress<av_buffer_pool_uninit>> pool_;
  int bytes_ = 0;  // of its buffers
};

}  // namespace lw
