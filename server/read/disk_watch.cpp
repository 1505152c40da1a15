#include "server/read/disk_watch.h"

#include <algorithm>

namespace lw {
namespace {

constexpr std::chrono::milliseconds rest_least{100};
constexpr std::chrono::seconds rest_most{10};
// The time for which frames are read ahead: a disk that hangs gets at most the frames of twice this time.
constexpr std::chrono::milliseconds lately{100};
// A disk that was used for so many rests has recovered: its next rest is a short one.
constexpr int rests_used = 8;

}  // namespace

void ReadTimes::add(Nanoseconds time) {
  times_[added_++ % kept] = time;
  if (added_ % counted_again_after != 0) return;
  auto sorted = times_;
  const auto count = std::min(added_, kept);
  const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(count - 1 - count / 20);
  std::nth_element(sorted.begin(), at, sorted.begin() + static_cast<std::ptrdiff_t>(count));
  usual_ = *at;
}

void DiskWatch::begin(unsigned disks) { disks_.assign(disks, {}); }

bool DiskWatch::may_help(unsigned disk, LocalTime now) const {
  return !owes(disks_[disk]) || now - disks_[disk].answered < lately;
}

// If both owe answers, the one that has answered last is the better choice: the other one may be dead.
bool DiskWatch::prefers(unsigned other, unsigned own) const {
  const auto& a = disks_[own];
  const auto& b = disks_[other];
  if (owes(a) && owes(b)) return b.answered > a.answered;
  const auto reluctance = [](const Disk& disk) { return owes(disk) ? 2 : disk.avoided ? 1 : 0; };
  return reluctance(b) < reluctance(a);
}

bool DiskWatch::is_to_be_tried(unsigned disk, LocalTime now) const {
  const auto& one = disks_[disk];
  return one.avoided && one.under_way == 0 && now >= one.tried;
}

LocalTime DiskWatch::late_at(unsigned first, unsigned second, LocalTime asked, LocalTime due) const {
  const auto there_is = std::max<Nanoseconds>(due - asked, Nanoseconds{0});
  const auto usual = disks_[first].times.usual();
  const auto needed = disks_[second].times.usual();
  const auto patience = std::max<Nanoseconds>(2 * std::max(usual, needed), there_is / (usual > Nanoseconds{0} ? 4 : 2));
  auto latest = there_is - (needed > Nanoseconds{0} ? std::min<Nanoseconds>(2 * needed, there_is) : there_is / 2);
  // If both disks take most of the time there is, a second read of each frame would only slow them down.
  if (needed >= usual) latest = std::max<Nanoseconds>(latest, usual);
  return asked + std::min(patience, latest);
}

void DiskWatch::avoid(Disk& disk, LocalTime now) {
  const bool relapsed = disk.avoided || now - disk.changed < rests_used * disk.rest;
  disk.rest = std::clamp<Nanoseconds>(relapsed ? 2 * disk.rest : Nanoseconds{0}, rest_least, rest_most);
  if (!disk.avoided) disk.changed = now;
  disk.avoided = true;
  disk.tried = now + disk.rest;
}

// Reads that were under way when the disk was avoided say nothing new.
void DiskWatch::was_late(unsigned disk, LocalTime asked, LocalTime now) {
  auto& one = disks_[disk];
  if (!one.avoided || asked >= one.changed) avoid(one, now);
}

void DiskWatch::ended(unsigned disk, unsigned other, LocalTime asked, LocalTime now, Ended how) {
  auto& one = disks_[disk];
  --one.under_way;
  const bool is_news = !one.avoided || asked >= one.changed;
  if (how != Ended::in_time && is_news) avoid(one, now);
  if (how == Ended::failed) return;
  one.answered = now;
  // While a disk is avoided it is compared with what it could do before, unless no disk can do that any more.
  if (!one.avoided || disks_[other].avoided) one.times.add(now - asked);
  if (how != Ended::in_time || !one.avoided || !is_news) return;
  one.avoided = false;
  one.changed = now;
}

}  // namespace lw
