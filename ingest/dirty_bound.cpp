#include "ingest/dirty_bound.h"

#include <utility>

namespace lw {

int DirtyBound::begin(unsigned file, Disk& disk) {
  const auto range = std::exchange(pending_[file], {});
  if (range.bytes == 0) return 0;
  begun_.push_back(range);
  begun_bytes_ += range.bytes;
  return disk.begin_write_out(range);
}

int DirtyBound::wrote(const Range& range, Disk& disk) {
  auto& pending = pending_[range.file];
  const bool follows = pending.bytes > 0 && pending.offset + pending.bytes == range.offset;
  if (!follows)
    if (const int error = begin(range.file, disk); error != 0) return error;
  if (follows)
    pending.bytes += range.bytes;
  else
    pending = range;
  dirty_ += range.bytes;
  return dirty_ > bytes_max_ ? make_room(disk) : 0;
}

// The disk writes one half of the bound while the other half fills.
int DirtyBound::make_room(Disk& disk) {
  const auto files = static_cast<unsigned>(pending_.size());
  for (unsigned i = 0; i < files && begun_bytes_ <= bytes_max_ / 2; ++i, next_ = (next_ + 1) % files)
    if (const int error = begin(next_, disk); error != 0) return error;
  while (dirty_ > bytes_max_) {
    if (begun_.empty()) {
      if (const int error = begin(std::exchange(next_, (next_ + 1) % files), disk); error != 0) return error;
      continue;
    }
    const auto range = begun_.front();
    begun_.pop_front();
    begun_bytes_ -= range.bytes;
    dirty_ -= range.bytes;
    if (const int error = disk.finish_write_out(range); error != 0) return error;
  }
  return 0;
}

}  // namespace lw
