#include "server/read/stripe_reader.h"

#include "common/base/descriptor.h"

#include <liburing.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <boost/circular_buffer.hpp>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <thread>
#include <vector>

namespace lw {
namespace {

constexpr unsigned ring_entries = 256;                           // blocks in flight on all stripes together
constexpr std::size_t region_bytes_max = std::size_t{1} << 30U;  // the kernel registers at most this much as one buffer
constexpr unsigned polling_thread_idle_ms = 50;

class UringReader final : public StripeReader {
public:
  static std::unique_ptr<UringReader> open(unsigned reads_max, const ReaderSettings& settings,
                                           std::span<const std::span<std::byte>> memory) {
    std::unique_ptr<UringReader> reader(new UringReader(reads_max, settings));
    if (!reader->open_ring()) return nullptr;
    reader->register_memory(memory);
    return reader;
  }
  ~UringReader() override {
    if (open_) io_uring_queue_exit(&ring_);
  }
  UringReader(const UringReader&) = delete;
  UringReader& operator=(const UringReader&) = delete;

  void use(const OpenStore& store) override {
    // Queued entries name files by their index in the table: the kernel must have consumed them before the table
    // changes. The remaining blocks of frames in flight use the descriptors themselves.
    while (io_uring_sq_ready(&ring_) > 0) {
      enable();
      io_uring_submit(&ring_);
    }
    for (auto& read : reads_) read.registered_file = false;
    io_uring_unregister_files(&ring_);
    const auto files = store.descriptors();
    files_registered_ = io_uring_register_files(&ring_, files.data(), static_cast<unsigned>(files.size())) == 0;
    blocks_of_stripe_ = std::max(1U, ring_entries / store.stripes());
    // Stripes of the previous store may still have frames in flight: their queues stay.
    while (stripes_.size() < store.stripes()) stripes_.push_back({boost::circular_buffer<Read*>(reads_.size()), 0, 0});
  }

  bool start(const FrameExtent& extent, FrameBuffer& buffer) override {
    if (free_reads_.empty()) return false;
    Read* read = free_reads_.back();
    free_reads_.pop_back();
    *read = Read{};
    read->extent = extent;
    read->buffer = &buffer;
    read->region = region_of(buffer.data);
    read->registered_file = files_registered_;
    auto& stripe = stripes_[extent.stripe];
    stripe.queue.push_back(read);
    fill(stripe);
    return true;
  }

  std::size_t wait(std::span<ReadDone> done, Nanoseconds timeout) override {
    if (under_way() == 0) {
      std::this_thread::sleep_for(timeout);
      return 0;
    }
    enable();
    if (!wake_) return collect(done, timeout);
    const bool was_rung = has_news();
    io_uring_cq_eventfd_toggle(&ring_, false);
    std::size_t count = collect(done, timeout);
    if (was_rung || count == 0) answer();
    io_uring_cq_eventfd_toggle(&ring_, true);
    // The kernel notes its news before it looks whether to ring, and this thread looks for news after it has asked to
    // be rung for: one of the two sees what the other has done.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (count < done.size() && has_news()) count += collect(done.subspan(count), Nanoseconds{0});
    return count;
  }

  [[nodiscard]] unsigned under_way() const override {
    return static_cast<unsigned>(reads_.size() - free_reads_.size());
  }
  [[nodiscard]] std::span<const int> descriptors() const override { return {wake_ ? &wake_fd_ : &ring_.ring_fd, 1}; }
  [[nodiscard]] std::string name() const override {
    std::string text = "io_uring, " + std::to_string(std::min(settings_.depth, blocks_of_stripe_)) + " blocks of " +
                       std::to_string(settings_.block_bytes >> 10U) + " KiB on each stripe";
    if (!memory_registered_) text += ", buffers not registered";
    if (polls_) text += ", submitted by a kernel thread";
    if (wake_) text += ", completions on request";
    return text;
  }

private:
  // A frame that is being read into its buffer.
  struct Read {
    FrameExtent extent;
    FrameBuffer* buffer = nullptr;
    int region = -1;  // index of registered memory
    bool registered_file = false;
    std::size_t asked = 0;   // bytes for which blocks were made
    unsigned under_way = 0;  // blocks
    int error = 0;
  };
  struct Block {
    Read* read = nullptr;
    std::size_t offset = 0;  // within the frame
    std::size_t bytes = 0;
  };
  struct Stripe {
    boost::circular_buffer<Read*> queue;  // frames that are not completely requested, oldest first
    unsigned under_way = 0;               // blocks
    std::size_t bytes = 0;                // of these
  };

  UringReader(unsigned reads_max, const ReaderSettings& settings)
      : settings_(settings), reads_(reads_max), blocks_(ring_entries) {
    for (auto& read : reads_) free_reads_.push_back(&read);
    for (auto& block : blocks_) free_blocks_.push_back(&block);
  }

  bool open_ring() {
    if (settings_.kernel_polls) open_ = polls_ = init_ring(IORING_SETUP_SQPOLL);
    if (!open_) open_ = open_deferring_ring();
    // Completions are delivered when this thread enters the kernel (5.19): nothing interrupts it.
    if (!open_) open_ = init_ring(IORING_SETUP_COOP_TASKRUN);
    if (!open_) open_ = init_ring(0);
    return open_;
  }

  bool init_ring(unsigned flags) {
    io_uring_params params{};
    params.flags = flags;
    params.sq_thread_idle = polling_thread_idle_ms;
    return io_uring_queue_init_params(ring_entries, &ring_, &params) == 0;
  }

  // With a single thread that submits, completions are delivered when that thread asks for them (6.1): the kernel takes
  // no locks between the two and sends no interrupts to the thread. The ring is made on another thread, and belongs to
  // the one that enables it. Its own descriptor then says nothing of completions that wait to be delivered: a
  // descriptor of events does.
  bool open_deferring_ring() {
    Descriptor wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!wake || !init_ring(IORING_SETUP_R_DISABLED | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN |
                            IORING_SETUP_TASKRUN_FLAG))
      return false;
    if (io_uring_register_eventfd(&ring_, wake.get()) != 0) {
      io_uring_queue_exit(&ring_);
      return false;
    }
    wake_ = std::move(wake);
    wake_fd_ = wake_.get();
    return true;
  }

  // On the thread that reads, before its first submission.
  void enable() {
    if (!wake_ || enabled_) return;
    ::syscall(__NR_io_uring_register, ring_.ring_fd, IORING_REGISTER_ENABLE_RINGS, nullptr, 0);  // not in liburing 2.3
    enabled_ = true;
  }

  // Whether there are completions, delivered or to be asked for.
  [[nodiscard]] bool has_news() const {
    return io_uring_cq_ready(&ring_) > 0 ||
           (IO_URING_READ_ONCE(*ring_.sq.kflags) & (IORING_SQ_TASKRUN | IORING_SQ_CQ_OVERFLOW)) != 0;
  }

  // Makes the descriptor unreadable until the kernel rings again.
  void answer() {
    std::uint64_t rings = 0;
    [[maybe_unused]] const auto got = ::read(wake_fd_, &rings, sizeof(rings));
  }

  std::size_t collect(std::span<ReadDone> done, Nanoseconds timeout) {
    const auto until = LocalClock::now() + timeout;
    std::size_t count = 0;
    do {
      const bool entered = enter(until - LocalClock::now());
      count = reap(done);
      if (io_uring_sq_ready(&ring_) > 0) io_uring_submit(&ring_);
      if (!entered) break;
    } while (count == 0 && LocalClock::now() < until);
    return count;
  }

  // Submits what is queued, and waits for a completion if there is time. False on failure.
  bool enter(Nanoseconds timeout) {
    if (timeout > Nanoseconds{0}) {
      __kernel_timespec limit{timeout.count() / 1'000'000'000, timeout.count() % 1'000'000'000};
      io_uring_cqe* completion = nullptr;
      const int waited = io_uring_submit_and_wait_timeout(&ring_, &completion, 1, &limit, nullptr);
      return waited >= 0 || waited == -ETIME || waited == -EINTR;
    }
    if (!wake_ || io_uring_sq_ready(&ring_) > 0 || has_news()) return io_uring_submit_and_get_events(&ring_) >= 0;
    return true;
  }

  std::size_t reap(std::span<ReadDone> done) {
    std::size_t count = 0;
    io_uring_cqe* completion = nullptr;
    while (count < done.size() && io_uring_peek_cqe(&ring_, &completion) == 0) {
      auto* block = static_cast<Block*>(io_uring_cqe_get_data(completion));
      const int result = completion->res;
      io_uring_cqe_seen(&ring_, completion);
      if (Read* read = finish(*block, result)) {
        done[count++] = {read->buffer, read->error};
        free_reads_.push_back(read);
      }
    }
    return count;
  }

  // Memory that lies side by side as one part: small tiles' often does.
  static std::vector<std::span<std::byte>> joined(std::span<const std::span<std::byte>> memory) {
    std::vector<std::span<std::byte>> parts;
    for (const auto part : memory) {
      if (!parts.empty() && parts.back().data() + parts.back().size() == part.data())
        parts.back() = {parts.back().data(), parts.back().size() + part.size()};
      else
        parts.push_back(part);
    }
    return parts;
  }

  void register_memory(std::span<const std::span<std::byte>> memory) {
    std::vector<iovec> regions;
    for (auto part : joined(memory)) {
      while (!part.empty()) {
        const auto bytes = std::min(part.size(), region_bytes_max);
        regions.push_back({part.data(), bytes});
        part = part.subspan(bytes);
      }
    }
    memory_registered_ = !regions.empty() &&
                         io_uring_register_buffers(&ring_, regions.data(), static_cast<unsigned>(regions.size())) == 0;
    if (memory_registered_) regions_ = std::move(regions);
  }

  // The registered region that contains these bytes; -1: none, or the buffer spans two.
  [[nodiscard]] int region_of(const std::byte* data) const {
    for (std::size_t i = 0; i < regions_.size(); ++i) {
      const auto* from = static_cast<const std::byte*>(regions_[i].iov_base);
      if (data >= from && data < from + regions_[i].iov_len) return static_cast<int>(i);
    }
    return -1;
  }

  // A stripe has as many bytes under way as `depth` whole blocks. So the frames of small tiles are requested together,
  // which costs the kernel less than one after the other; but no stripe has more than its share of the ring, which a
  // dead disk would keep.
  void fill(Stripe& stripe) {
    const auto most = std::max(1U, settings_.depth) * settings_.block_bytes;
    while (stripe.under_way < blocks_of_stripe_ && stripe.bytes < most && !stripe.queue.empty() &&
           !free_blocks_.empty()) {
      Read& read = *stripe.queue.front();
      Block& block = *free_blocks_.back();
      free_blocks_.pop_back();
      block = {&read, read.asked, std::min(settings_.block_bytes, read.extent.bytes - read.asked)};
      read.asked += block.bytes;
      ++read.under_way;
      ++stripe.under_way;
      stripe.bytes += block.bytes;
      if (read.asked == read.extent.bytes) stripe.queue.pop_front();
      prepare(block);
    }
  }

  void prepare(Block& block) {
    const Read& read = *block.read;
    std::byte* to = read.buffer->data + block.offset;
    const auto bytes = static_cast<unsigned>(block.bytes);
    const auto offset = read.extent.offset + block.offset;
    const int file = read.registered_file ? static_cast<int>(read.extent.file) : read.extent.fd;
    io_uring_sqe* entry = io_uring_get_sqe(&ring_);  // never full: the ring has an entry for each block
    if (entry == nullptr) {                          // except with SQPOLL, if the kernel has not taken the last entries
      io_uring_submit(&ring_);
      while ((entry = io_uring_get_sqe(&ring_)) == nullptr) io_uring_sqring_wait(&ring_);
    }
    const auto* region = read.region >= 0 ? &regions_[static_cast<std::size_t>(read.region)] : nullptr;
    if (region != nullptr && to + bytes <= static_cast<std::byte*>(region->iov_base) + region->iov_len)
      io_uring_prep_read_fixed(entry, file, to, bytes, offset, read.region);
    else
      io_uring_prep_read(entry, file, to, bytes, offset);
    if (read.registered_file) entry->flags |= IOSQE_FIXED_FILE;
    io_uring_sqe_set_data(entry, &block);
  }

  // Handles the completion of a block. Returns the read if this was its last block.
  Read* finish(Block& block, int result) {
    Read& read = *block.read;
    auto& stripe = stripes_[read.extent.stripe];
    if (result == -EAGAIN || result == -EINTR) {
      prepare(block);
      return nullptr;
    }
    const auto got = static_cast<std::size_t>(std::max(result, 0));
    const bool enough = got == block.bytes || block.offset + got >= read.extent.needed;
    if (result > 0 && !enough) {  // partial: request the rest
      block.offset += got;
      block.bytes -= got;
      stripe.bytes -= got;
      prepare(block);
      return nullptr;
    }
    if (result < 0) read.error = -result;
    if (result == 0 && !enough) read.error = EIO;  // the file is shorter than its header says
    free_blocks_.push_back(&block);
    --read.under_way;
    --stripe.under_way;
    stripe.bytes -= block.bytes;
    if (read.error != 0) abandon(stripe, read);
    for (auto& other : stripes_) fill(other);
    if (read.under_way > 0 || read.asked < read.extent.bytes) return nullptr;
    if (!read.extent.is_unchanged()) read.error = file_changed;
    return &read;
  }

  // After an error, requests no more blocks of this frame.
  static void abandon(Stripe& stripe, Read& read) {
    if (read.asked == read.extent.bytes) return;
    read.asked = read.extent.bytes;
    stripe.queue.erase(std::ranges::find(stripe.queue, &read));
  }

  const ReaderSettings settings_;
  unsigned blocks_of_stripe_ = ring_entries;
  io_uring ring_{};
  bool open_ = false;
  bool polls_ = false;
  Descriptor wake_;  // rung for completions; none: the ring's own descriptor is
  int wake_fd_ = -1;
  bool enabled_ = false;  // of a ring with wake_
  bool memory_registered_ = false;
  bool files_registered_ = false;
  std::vector<iovec> regions_;
  std::vector<Read> reads_;
  std::vector<Read*> free_reads_;
  std::vector<Block> blocks_;
  std::vector<Block*> free_blocks_;
  std::vector<Stripe> stripes_;
};

}  // namespace

std::unique_ptr<StripeReader> make_uring_reader(unsigned reads_max, const ReaderSettings& settings,
                                                std::span<const std::span<std::byte>> memory) {
  return UringReader::open(reads_max, settings, memory);
}

}  // namespace lw
