// Reads frames from stripe files without blocking its caller. Two implementations: io_uring, and pread where the
// kernel has no io_uring or a container forbids it. One thread.
//
// A frame is read in blocks, several of them under way at once on every stripe: a disk is fast only when asked for more
// than it is just giving. Each stripe has a queue of its own, so that a slow or dead disk delays its own frames only.
#pragma once

#include "common/base/units.h"
#include "server/read/frame_buffer.h"
#include "server/read/open_store.h"

#include <cerrno>
#include <memory>
#include <span>
#include <string>

namespace lw {

struct ReadDone {
  FrameBuffer* buffer = nullptr;
  int error = 0;  // errno; 0: the buffer holds the complete frame
};
// The error of a read from a file that is not what it was when it was checked, whatever was read from it.
inline constexpr int file_changed = ESTALE;

struct ReaderSettings {
  std::size_t block_bytes = std::size_t{1} << 20U;  // a multiple of store_alignment
  unsigned depth = 16;                              // blocks under way on each stripe
  bool kernel_polls = false;                        // IORING_SETUP_SQPOLL: a kernel thread submits, and burns a core
};

class StripeReader {
public:
  // io_uring if the kernel lets us, else pread. `reads_max` frames may be under way at once. `memory`: where the frame
  // buffers lie; registered with the kernel where it allows (RLIMIT_MEMLOCK), which spares it pinning pages at each
  // read.
  static std::unique_ptr<StripeReader> create(unsigned reads_max, const ReaderSettings& settings,
                                              std::span<const std::span<std::byte>> memory);
  virtual ~StripeReader() = default;

  // The files that extents come from, from now on; reads under way go on.
  virtual void use(const OpenStore& store) = 0;
  // Queues a frame. False when reads_max are under way.
  virtual bool start(const FrameExtent& extent, FrameBuffer& buffer) = 0;
  // Lets the queued reads begin, and waits up to `timeout` for at least one frame to end; fills `done` and returns how
  // many.
  virtual std::size_t wait(std::span<ReadDone> done, Nanoseconds timeout) = 0;
  [[nodiscard]] virtual unsigned under_way() const = 0;
  // What can be read when there is something to wait() for; none where reads end before start() returns.
  [[nodiscard]] virtual std::span<const int> descriptors() const { return {}; }
  [[nodiscard]] virtual std::string name() const = 0;  // for people: what is used of what the kernel offers
};

// Defined beside their implementations; tests run one suite over both.
std::unique_ptr<StripeReader> make_uring_reader(
    unsigned reads_max, const ReaderSettings& settings,
    std::span<const std::span<std::byte>> memory);  // nullptr where io_uring is not to be had
std::unique_ptr<StripeReader> make_pread_reader(unsigned reads_max);

}  // namespace lw
