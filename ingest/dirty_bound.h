// Limits the amount of data that is written to files but not yet on their disks. It makes the kernel write the data out
// in pieces, and waits for the oldest piece. Otherwise the kernel collects gigabytes, and reads wait behind them.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

namespace lw {

class DirtyBound {
public:
  struct Range {
    unsigned file = 0;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
  };
  // An errno, or 0.
  class Disk {
  public:
    virtual ~Disk() = default;
    virtual int begin_write_out(const Range& range) = 0;
    virtual int finish_write_out(const Range& range) = 0;
  };

  DirtyBound(unsigned files, std::uint64_t bytes_max) : pending_(files), bytes_max_(bytes_max) {}

  void set_bound(std::uint64_t bytes_max) { bytes_max_ = bytes_max; }
  // Call after each write. When it returns 0, no more than the bound is dirty.
  int wrote(const Range& range, Disk& disk);
  [[nodiscard]] std::uint64_t dirty_bytes() const { return dirty_; }

private:
  int begin(unsigned file, Disk& disk);
  int make_room(Disk& disk);

  std::vector<Range> pending_;  // by file; not begun
  std::deque<Range> begun_;
  std::uint64_t bytes_max_;
  std::uint64_t dirty_ = 0;        // pending and begun
  std::uint64_t begun_bytes_ = 0;  // of those
  unsigned next_ = 0;              // file to begin with
};

}  // namespace lw
