// What a flow has sent: its newest frames, still in their buffers, from which lost packets are resent. Bounded; each
// entry is a user of its buffer. One thread (the flow's); no allocation after construction.
#pragma once

#include "common/wire/media_packet.h"
#include "server/read/frame_buffer.h"

#include <boost/circular_buffer.hpp>

#include <cstdint>

namespace lw {

struct SentFrame {
  FrameBuffer* buffer = nullptr;
  FrameStamp stamp;
  std::uint32_t first_sequence = 0;
  std::uint32_t packets = 0;  // sent so far
};

class SentFrames {
public:
  // `capacity` 0: keeps nothing.
  explicit SentFrames(std::size_t capacity) : frames_(capacity) {}
  ~SentFrames() { forget(); }
  SentFrames(const SentFrames&) = delete;
  SentFrames& operator=(const SentFrames&) = delete;

  // Becomes a user of the frame's buffer; drops the oldest frame if full.
  void add(const SentFrame& frame) {
    if (frames_.capacity() == 0) return;
    if (frames_.full()) forget_oldest();
    frame.buffer->add_users(1);
    frames_.push_back(frame);
  }
  // Frames from before this media time are no longer needed.
  void forget_before(WallTime media_time) {
    while (!frames_.empty() && frames_.front().stamp.media_time < media_time) forget_oldest();
  }
  void forget() {
    while (!frames_.empty()) forget_oldest();
  }
  // The newest frame's count grows while it is being sent.
  void set_packets(std::uint32_t packets) {
    if (!frames_.empty()) frames_.back().packets = packets;
  }

  [[nodiscard]] bool empty() const { return frames_.empty(); }
  // Media time of the oldest frame; there is one.
  [[nodiscard]] WallTime oldest() const { return frames_.front().stamp.media_time; }
  // The frame to which this packet belonged, or nullptr.
  [[nodiscard]] const SentFrame* find(std::uint32_t sequence) const {
    for (const auto& frame : frames_)
      if (sequence - frame.first_sequence < frame.packets) return &frame;  // modulo 2^32
    return nullptr;
  }

private:
  void forget_oldest() {
    frames_.front().buffer->release();
    frames_.pop_front();
  }
  boost::circular_buffer<SentFrame> frames_;
};

}  // namespace lw
