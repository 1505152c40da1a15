// Reads frames from stripe files without blocking its caller. Two implementations: io_uring, and pread for kernels
// without io_uring and containers that forbid it. One thread.
//
// A frame is read in blocks, several at once on every stripe: a disk is fast only with a queue of requests. Each stripe
// has its own queue, so that a slow or dead disk delays only its own frames.
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
// The error of a read from a file that has changed since it was checked, whatever was read from it.
inline constexpr int file_changed = ESTALE;

struct ReaderSettings {
  std::size_t block_bytes = std::size_t{1} << 20U;  // a multiple of store_alignment
  unsigned depth = 16;                              // blocks in flight on each stripe
  bool kernel_polls = false;                        // IORING_SETUP_SQPOLL: a kernel thread polls, using one core
};

class StripeReader {
public:
  // io_uring if the kernel allows it, else pread. `reads_max`: frames that may be in flight at once. `memory`: the
  // frame buffers; registered with the kernel if RLIMIT_MEMLOCK allows it, which saves pinning pages with each
  // read.
  static std::unique_ptr<StripeReader> create(unsigned reads_max, const ReaderSettings& settings,
                                              std::span<const std::span<std::byte>> memory);
  virtual ~StripeReader() = default;

  // Files of the extents passed to start() from now on; reads in flight continue.
  virtual void use(const OpenStore& store) = 0;
  // Queues a frame. False if reads_max are in flight.
  virtual bool start(const FrameExtent& extent, FrameBuffer& buffer) = 0;
  // Submits the queued reads and waits up to `timeout` for at least one frame to complete; fills `done` and returns
  // their number.
  virtual std::size_t wait(std::span<ReadDone> done, Nanoseconds timeout) = 0;
  [[nodiscard]] virtual unsigned under_way() const = 0;
  // Readable when there is more than a wait() that did not fill `done` has returned; empty if start() completes reads,
  // or if a bell announces that they have ended.
  [[nodiscard]] virtual std::span<const int> descriptors() const { return {}; }
  [[nodiscard]] virtual std::string name() const = 0;  // for people: which of the kernel's features are used
};

// Defined beside their implementations; the tests run one suite over both.
std::unique_ptr<StripeReader> make_uring_reader(
    unsigned reads_max, const ReaderSettings& settings,
    std::span<const std::span<std::byte>> memory);  // nullptr if io_uring is not available
std::unique_ptr<StripeReader> make_pread_reader(unsigned reads_max);

}  // namespace lw
