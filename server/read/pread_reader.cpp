#include "server/read/stripe_reader.h"

#include <unistd.h>

#include <cerrno>
#include <thread>
#include <vector>

namespace lw {
namespace {

// Reads in the caller's thread when asked to: nothing hides the disk's latency, but playback works where io_uring is
// forbidden.
class PreadReader final : public StripeReader {
public:
  explicit PreadReader(unsigned reads_max) : done_(reads_max) {}

  void use(const OpenStore& /*store*/) override {}

  bool start(const FrameExtent& extent, FrameBuffer& buffer) override {
    if (count_ == done_.size()) return false;
    const int error = read_whole(extent, buffer);
    done_[count_++] = {&buffer, extent.is_unchanged() ? error : file_changed};
    return true;
  }

  std::size_t wait(std::span<ReadDone> done, Nanoseconds timeout) override {
    if (count_ == 0) std::this_thread::sleep_for(timeout);
    const std::size_t given = std::min(count_, done.size());
    for (std::size_t i = 0; i < given; ++i) done[i] = done_[i];
    for (std::size_t i = given; i < count_; ++i) done_[i - given] = done_[i];
    count_ -= given;
    return given;
  }

  [[nodiscard]] unsigned under_way() const override { return static_cast<unsigned>(count_); }
  [[nodiscard]] std::string name() const override { return "pread (io_uring is not available)"; }

private:
  static int read_whole(const FrameExtent& extent, FrameBuffer& buffer) {
    std::size_t got = 0;
    while (got < extent.needed) {
      const auto n = pread(extent.fd, buffer.data + got, extent.bytes - got, static_cast<off_t>(extent.offset + got));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return errno;
      if (n == 0) return EIO;  // shorter than its header says
      got += static_cast<std::size_t>(n);
    }
    return 0;
  }

  std::vector<ReadDone> done_;
  std::size_t count_ = 0;
};

}  // namespace

std::unique_ptr<StripeReader> make_pread_reader(unsigned reads_max) { return std::make_unique<PreadReader>(reads_max); }

std::unique_ptr<StripeReader> StripeReader::create(unsigned reads_max, const ReaderSettings& settings,
                                                   std::span<const std::span<std::byte>> memory) {
  if (auto reader = make_uring_reader(reads_max, settings, memory)) return reader;
  return make_pread_reader(reads_max);
}

}  // namespace lw
