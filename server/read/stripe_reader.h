// Reads frames from stripe files without holding up its caller. Two implementations: io_uring, and pread where the
// kernel has no io_uring or a container forbids it. One thread.
#pragma once

#include "common/base/units.h"
#include "server/read/frame_buffer.h"
#include "server/read/open_store.h"

#include <memory>
#include <span>
#include <string_view>

namespace lw {

struct ReadDone {
  FrameBuffer* buffer = nullptr;
  int error = 0;  // errno; 0: the buffer holds the whole frame
};

class StripeReader {
public:
  // io_uring if the kernel lets us, else pread. `reads_max` reads may be under way at once.
  static std::unique_ptr<StripeReader> create(unsigned reads_max);
  virtual ~StripeReader() = default;

  // Starts reading into the buffer. False when reads_max are under way.
  virtual bool start(const FrameExtent& extent, FrameBuffer& buffer) = 0;
  // Waits up to `timeout` for at least one read to end; fills `done` and returns how many.
  virtual std::size_t wait(std::span<ReadDone> done, Nanoseconds timeout) = 0;
  [[nodiscard]] virtual unsigned under_way() const = 0;
  [[nodiscard]] virtual std::string_view name() const = 0;
};

// Defined beside their implementations; tests run one suite over both.
std::unique_ptr<StripeReader> make_uring_reader(unsigned reads_max);  // nullptr where io_uring is not to be had
std::unique_ptr<StripeReader> make_pread_reader(unsigned reads_max);

}  // namespace lw
