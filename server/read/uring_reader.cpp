#include "server/read/stripe_reader.h"

#include <liburing.h>

#include <algorithm>
#include <cerrno>
#include <vector>

namespace lw {
namespace {

class UringReader final : public StripeReader {
public:
  static std::unique_ptr<UringReader> open(unsigned reads_max) {
    std::unique_ptr<UringReader> reader(new UringReader(reads_max));
    if (io_uring_queue_init(reads_max, &reader->ring_, 0) != 0) return nullptr;
    reader->open_ = true;
    return reader;
  }
  ~UringReader() override {
    if (open_) io_uring_queue_exit(&ring_);
  }
  UringReader(const UringReader&) = delete;
  UringReader& operator=(const UringReader&) = delete;

  bool start(const FrameExtent& extent, FrameBuffer& buffer) override {
    if (free_.empty()) return false;
    Read* read = free_.back();
    free_.pop_back();
    *read = {extent, &buffer, 0};
    submit(*read);
    return true;
  }

  std::size_t wait(std::span<ReadDone> done, Nanoseconds timeout) override {
    timeout = std::max(timeout, Nanoseconds{0});
    __kernel_timespec limit{timeout.count() / 1'000'000'000, timeout.count() % 1'000'000'000};
    io_uring_cqe* completion = nullptr;
    if (io_uring_wait_cqe_timeout(&ring_, &completion, &limit) != 0) return 0;
    std::size_t count = 0;
    while (count < done.size() && io_uring_peek_cqe(&ring_, &completion) == 0) {
      auto* read = static_cast<Read*>(io_uring_cqe_get_data(completion));
      const int result = completion->res;
      io_uring_cqe_seen(&ring_, completion);
      if (read == nullptr) continue;  // the timeout of an earlier wait, on kernels before 5.11
      if (finished(*read, result)) {
        done[count++] = {read->buffer, result < 0 ? -result : (read->got < read->extent.needed ? EIO : 0)};
        free_.push_back(read);
      }
    }
    return count;
  }

  [[nodiscard]] unsigned under_way() const override { return static_cast<unsigned>(reads_.size() - free_.size()); }
  [[nodiscard]] std::string_view name() const override { return "io_uring"; }

private:
  struct Read {
    FrameExtent extent;
    FrameBuffer* buffer = nullptr;
    std::size_t got = 0;
  };

  explicit UringReader(unsigned reads_max) : reads_(reads_max) {
    for (auto& read : reads_) free_.push_back(&read);
  }

  void submit(Read& read) {
    io_uring_sqe* entry = io_uring_get_sqe(&ring_);  // never full: the ring has an entry for each Read
    io_uring_prep_read(entry, read.extent.fd, read.buffer->data + read.got,
                       static_cast<unsigned>(read.extent.bytes - read.got), read.extent.offset + read.got);
    io_uring_sqe_set_data(entry, &read);
    io_uring_submit(&ring_);
  }

  // False when the kernel read only a part and the rest is under way.
  bool finished(Read& read, int result) {
    if (result == -EAGAIN || result == -EINTR) {
      submit(read);
      return false;
    }
    if (result <= 0) return true;
    read.got += static_cast<std::size_t>(result);
    if (read.got >= read.extent.needed) return true;
    submit(read);
    return false;
  }

  io_uring ring_{};
  bool open_ = false;
  std::vector<Read> reads_;
  std::vector<Read*> free_;
};

}  // namespace

std::unique_ptr<StripeReader> make_uring_reader(unsigned reads_max) { return UringReader::open(reads_max); }

}  // namespace lw
