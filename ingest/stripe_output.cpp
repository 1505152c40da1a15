#include "ingest/stripe_output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "common/base/write_all.h"
#include "common/store/stripe_layout.h"

namespace lw {
namespace {

// Smaller pieces wait for the disk longer than it takes to copy them.
constexpr std::size_t direct_from_bytes = std::size_t{64} << 10U;
// The most that reads may find ahead of them in the disk's queue.
constexpr std::size_t piece_bytes_max = std::size_t{1} << 20U;
constexpr std::uint64_t dirty_bytes_max = std::uint64_t{64} << 20U;
constexpr std::uint64_t dirty_bytes_beside_playing = std::uint64_t{4} << 20U;

bool is_aligned(std::span<const std::byte> bytes) {
  return reinterpret_cast<std::uintptr_t>(bytes.data()) % store_alignment == 0 && bytes.size() % store_alignment == 0;
}

}  // namespace

class StripeOutput::WriteOut final : public DirtyBound::Disk {
public:
  explicit WriteOut(const StripeOutput& output) : output_(output) {}
  int begin_write_out(const DirtyBound::Range& range) override { return sync(range, SYNC_FILE_RANGE_WRITE); }
  int finish_write_out(const DirtyBound::Range& range) override {
    return sync(range, SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
  }

private:
  int sync(const DirtyBound::Range& range, unsigned how) const {
    const int done = sync_file_range(output_.descriptor(range.file), static_cast<off64_t>(range.offset),
                                     static_cast<off64_t>(range.bytes), how);
    if (done == 0) return 0;
    // Not on all filesystems; fdatasync ensures in any case that the data is on the disk.
    return errno == ENOSYS || errno == EINVAL || errno == ESPIPE ? 0 : errno;
  }

  const StripeOutput& output_;
};

StripeOutput::StripeOutput(RightOfWay* way, std::size_t piece_bytes) : way_(way), piece_bytes_(piece_bytes) {}

StripeOutput::~StripeOutput() {
  for (const auto& file : files_) close(file.fd);
}

void StripeOutput::add(int fd) {
  const int flags = fcntl(fd, F_GETFL);
  const bool direct = piece_bytes_ >= direct_from_bytes && flags >= 0 && fcntl(fd, F_SETFL, flags | O_DIRECT) == 0;
  files_.push_back({fd, direct});
}

int StripeOutput::write(unsigned file, std::span<const std::byte> bytes, std::uint64_t offset) {
  if (is_aligned(bytes)) return write_aligned(file, bytes, offset);
  blocks_.resize((bytes.size() + store_alignment - 1) / store_alignment);
  const auto padded = std::as_writable_bytes(std::span(blocks_));
  std::fill(std::ranges::copy(bytes, padded.begin()).out, padded.end(), std::byte{0});
  return write_aligned(file, padded, offset);
}

// A hole shorter than that costs more for another write than it saves.
int StripeOutput::write_with_holes(unsigned file, std::span<const std::byte> bytes, std::uint64_t offset) {
  constexpr std::size_t hole_least = std::size_t{64} << 10U;
  std::size_t begin = 0, zeros = 0;  // of what is to be written; zeros at the end of it
  const auto write_up_to = [&](std::size_t end) {
    return begin < end ? write(file, bytes.subspan(begin, end - begin), offset + begin) : 0;
  };
  for (std::size_t at = 0; at < bytes.size(); at += store_alignment) {
    const auto block = bytes.subspan(at, std::min(store_alignment, bytes.size() - at));
    const bool empty = std::ranges::all_of(block, [](std::byte byte) { return byte == std::byte{}; });
    if (!empty && zeros >= hole_least) {
      if (const int error = write_up_to(at - zeros); error != 0) return error;
      begin = at;
    }
    zeros = empty ? zeros + block.size() : 0;
  }
  if (const int error = write_up_to(bytes.size() - zeros); error != 0) return error;
  const auto end =
      static_cast<off_t>(offset + (bytes.size() + store_alignment - 1) / store_alignment * store_alignment);
  struct stat status {};
  if (fstat(files_[file].fd, &status) != 0) return errno;
  return status.st_size >= end || ftruncate(files_[file].fd, end) == 0 ? 0 : errno;
}

int StripeOutput::write_aligned(unsigned file, std::span<const std::byte> bytes, std::uint64_t offset) {
  for (std::size_t done = 0; done < bytes.size(); done += piece_bytes_max) {
    const auto piece = bytes.subspan(done, std::min(piece_bytes_max, bytes.size() - done));
    if (const int error = write_piece(file, piece, offset + done); error != 0) return error;
  }
  return 0;
}

int StripeOutput::write_piece(unsigned file, std::span<const std::byte> piece, std::uint64_t offset) {
  if (way_ != nullptr) way_->before(piece.size());
  const auto begun = LocalClock::now();
  int error = write_some(files_[file], piece, offset);
  if (error == 0 && !files_[file].direct) {
    const auto bound = way_ != nullptr && way_->gives_way() ? dirty_bytes_beside_playing : dirty_bytes_max;
    if (!bound_) bound_.emplace(static_cast<unsigned>(files_.size()), bound);
    bound_->set_bound(bound);
    WriteOut disk(*this);
    error = bound_->wrote({file, offset, piece.size()}, disk);
  }
  if (way_ != nullptr) way_->after(piece.size(), LocalClock::now() - begun);
  return error;
}

// A filesystem may accept O_DIRECT and still refuse the write, or write a part that is not a multiple of a block.
int StripeOutput::write_some(File& file, std::span<const std::byte> piece, std::uint64_t offset) const {
  int error = write_all(file.fd, piece, offset);
  if (error != EINVAL || !file.direct) return error;
  file.direct = false;
  fcntl(file.fd, F_SETFL, fcntl(file.fd, F_GETFL) & ~O_DIRECT);
  return write_all(file.fd, piece, offset);
}

int StripeOutput::read(unsigned file, std::span<std::byte> bytes, std::uint64_t offset) const {
  std::vector<Block> blocks((bytes.size() + store_alignment - 1) / store_alignment);
  const auto padded = std::as_writable_bytes(std::span(blocks));
  ssize_t got = 0;
  do got = pread(files_[file].fd, padded.data(), padded.size(), static_cast<off_t>(offset));
  while (got < 0 && errno == EINTR);
  if (got < 0) return errno;
  if (static_cast<std::size_t>(got) < bytes.size()) return EIO;
  std::ranges::copy(padded.first(bytes.size()), bytes.begin());
  return 0;
}

}  // namespace lw
