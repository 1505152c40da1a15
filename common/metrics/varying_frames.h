// Which numbers of a flow's stream belong to packets, while its frames vary in length. Each frame takes as many numbers
// as the longest frame has packets, so that servers agree on numbers without reading frames. Those of the shortest part
// that a frame needs are sent. Every packet says how many these are, and how many packets of the stream came before its
// frame. So the numbers that were not sent are known:
//
// - of a frame of which any packet arrived, from that packet;
// - of frames of which none arrived, how many packets they had in all, from the frames around them. Which of them had
//   how many is assumed: as equal shares as possible;
// - if servers do not know how many packets came before (a wall with several servers for a tile), each of these frames
//   is assumed to be as long as the one after it.
//
// One thread; no allocation after the first such frame.
#pragma once

#include "common/metrics/sequence_tracker.h"
#include "common/wire/media_packet.h"
#include "common/wire/parity_packet.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

namespace lw {

class VaryingFrames {
public:
  // Called before the packets after the highest number, up to this one, count as missing.
  using Missed = std::function<void(std::int64_t last)>;
  // Of streams with which each packet says how many numbers a frame takes.
  VaryingFrames() = default;
  // Of a flow's band whose packets are cut in this way.
  VaryingFrames(unsigned width, unsigned rows, const PacketCut& cut, Missed missed = {})
      : width_(width), rows_(rows), cut_(cut), missed_(std::move(missed)) {}

  // Call with each packet, before `sequences` takes its number.
  void come(const MediaPacket& packet, std::int64_t sequence, SequenceTracker& sequences);
  // The same with each packet of parity, of a frame that begins with this number.
  void come(const ParityPacket& packet, std::int64_t first, SequenceTracker& sequences);
  // The same of any stream whose frames each take so many numbers.
  void come(std::int64_t first, std::int64_t packets, std::int64_t numbers, SequenceTracker& sequences);
  // This number belongs to a packet of a frame that does not vary in length: those that do are over.
  void end(std::int64_t sequence, SequenceTracker& sequences);
  // Another stream begins.
  void forget() { count_ = 0; }

private:
  static constexpr std::size_t frames_kept = 64;
  struct Frame {
    std::int64_t first = 0;
    std::int64_t packets = 0;
    std::uint32_t before = 0;  // as in FrameStamp
    bool known = true;         // else assumed
  };

  bool lay_out(PixelFormat format);
  void learn(const Frame& frame, SequenceTracker& sequences);
  void end_newest(SequenceTracker& sequences);
  void assume(std::int64_t first, std::int64_t frames, std::int64_t packets, SequenceTracker& sequences);
  void pass(std::int64_t last, std::int64_t end, SequenceTracker& sequences);
  void correct(const Frame& frame, SequenceTracker& sequences);
  void balance(std::size_t from, std::size_t to, SequenceTracker& sequences);
  void balance_around(std::size_t place, SequenceTracker& sequences);
  void push(const Frame& frame);
  [[nodiscard]] std::int64_t end_of(const Frame& frame) const { return frame.first + numbers_; }
  [[nodiscard]] std::optional<std::size_t> numbered_before(std::size_t place) const;
  [[nodiscard]] std::optional<std::int64_t> packets_until(const Frame& frame) const;
  // From a frame on until `before`. Both count modulo 2^32.
  static std::int64_t packets_from(const Frame& earlier, std::uint32_t before) {
    return static_cast<std::uint32_t>(before - earlier.before);
  }

  const unsigned width_ = 0;
  const unsigned rows_ = 0;
  const PacketCut cut_{};
  const Missed missed_{};
  PacketTemplates templates_;
  std::int64_t numbers_ = 0;                 // of a frame; 0: not laid out
  std::array<Frame, frames_kept> frames_{};  // in the order of their numbers
  std::size_t count_ = 0;
  std::int64_t newest_ended_ = -1;  // the first number of the newest frame, if that is over
};

}  // namespace lw
