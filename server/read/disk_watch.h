// Which disks of a store with copies answer in time. A frame is on two disks: this decides which of them is asked
// first, and when the other one is asked as well. Pure: the caller passes the times. One thread.
//
// A disk whose read fails or is late is avoided: the other one is asked first from then on, so that a dead disk delays
// no frame more than once. An avoided disk is tried again after a rest, with one read at a time beside that of the
// other disk, and is used again once it answers in time. Each relapse doubles the rest.
#pragma once

#include "common/base/units.h"

#include <array>
#include <cstdint>
#include <vector>

namespace lw {

// The time that most reads of a disk take, under the load that it has had lately.
class ReadTimes {
public:
  void add(Nanoseconds time);
  // Few reads take longer; 0 if too little is known.
  [[nodiscard]] Nanoseconds usual() const { return usual_; }

private:
  static constexpr std::size_t kept = 64;
  static constexpr std::size_t counted_again_after = 8;
  std::array<Nanoseconds, kept> times_{};
  std::size_t added_ = 0;
  Nanoseconds usual_{0};
};

class DiskWatch {
public:
  enum class Ended : std::uint8_t { in_time, late, failed };

  // Forgets all; disks count from 0.
  void begin(unsigned disks);

  [[nodiscard]] bool is_avoided(unsigned disk) const { return disks_[disk].avoided; }
  // Whether to ask `other` before a frame's own disk.
  [[nodiscard]] bool prefers(unsigned other, unsigned own) const;
  // Whether to ask the disk for a frame that another one was asked for before. One that is avoided, owes answers and
  // has given none lately is not: each of its reads keeps a buffer.
  [[nodiscard]] bool may_help(unsigned disk, LocalTime now) const;
  // Whether to try an avoided disk again.
  [[nodiscard]] bool is_to_be_tried(unsigned disk, LocalTime now) const;
  // When a read from `first` is late: the other disk is then asked for the frame, which is due at `due`. That leaves
  // twice the time that the other one usually takes. A disk is late before that when it takes twice as long as reads
  // from the two usually do, but not within a quarter of the time there is (half, if nothing is known of it): nothing
  // is lost until then.
  [[nodiscard]] LocalTime late_at(unsigned first, unsigned second, LocalTime asked, LocalTime due) const;

  void asked(unsigned disk) { ++disks_[disk].under_way; }
  // A read that was asked for at `asked` has not ended when it was late.
  void was_late(unsigned disk, LocalTime asked, LocalTime now);
  // `other`: the frame's other disk.
  void ended(unsigned disk, unsigned other, LocalTime asked, LocalTime now, Ended how);

private:
  struct Disk {
    ReadTimes times;
    unsigned under_way = 0;
    bool avoided = false;
    LocalTime changed{};   // when it was avoided, or used again
    LocalTime answered{};  // newest
    LocalTime tried{};     // not to be tried before
    Nanoseconds rest{0};
  };
  [[nodiscard]] static bool owes(const Disk& disk) { return disk.avoided && disk.under_way > 0; }
  static void avoid(Disk& disk, LocalTime now);

  std::vector<Disk> disks_;
};

}  // namespace lw
