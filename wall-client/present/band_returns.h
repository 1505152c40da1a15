// Band buffers of a tile that wait until the GPU has read them, before they go back to their flows. The law: a buffer
// is returned only when all uploads that began before it was added have been read, so that no packet is written where
// the GPU reads. A buffer that was not part of the newest upload waits for it too, which is short.
//
// One thread (the presenter's); no allocation after construction.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lw {

class BandReturns {
public:
  struct Buffer {
    unsigned flow = 0;
    unsigned buffer = 0;
    bool decoded = false;  // a decoder's
  };

  BandReturns() = default;
  // At most `buffers` wait: all of the tile's.
  explicit BandReturns(std::size_t buffers) : ring_(buffers) {}

  // An upload began, from buffers that are added later.
  void uploaded() { ++uploads_; }
  void add(const Buffer& buffer) {
    assert(held_ < ring_.size());
    ring_[(first_ + held_++) % ring_.size()] = {buffer, uploads_};
  }
  [[nodiscard]] bool empty() const { return held_ == 0; }
  // The newest `unread` uploads may still be read.
  void settle(std::size_t unread) { read_ = std::max(read_, uploads_ - unread); }
  // The next buffer that nobody reads.
  bool take(Buffer& buffer) {
    if (held_ == 0 || ring_[first_].upload > read_) return false;
    buffer = ring_[first_].buffer;
    first_ = (first_ + 1) % ring_.size();
    --held_;
    return true;
  }

private:
  struct Held {
    Buffer buffer;
    std::uint64_t upload = 0;  // the newest when it was added
  };

  std::vector<Held> ring_;
  std::size_t first_ = 0, held_ = 0;
  std::uint64_t uploads_ = 0;  // that began
  std::uint64_t read_ = 0;     // of those, the newest that has been read with all before it
};

}  // namespace lw
