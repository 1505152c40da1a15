#include "server/read/disk_watch.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr Nanoseconds time_there_is = 100ms;

struct Watched {
  DiskWatch watch;
  LocalTime now{1h};
  std::mt19937 random{3};

  Watched() { watch.begin(2); }
  // One read; returns whether it was late.
  bool read(unsigned disk, Nanoseconds takes) {
    const auto late = watch.late_at(disk, 1 - disk, now, now + time_there_is);
    const auto asked = now;
    watch.asked(disk);
    now += takes;
    watch.ended(disk, 1 - disk, asked, now, now > late ? DiskWatch::Ended::late : DiskWatch::Ended::in_time);
    return now > late;
  }
  void fail(unsigned disk) {
    watch.asked(disk);
    watch.ended(disk, 1 - disk, now, now, DiskWatch::Ended::failed);
  }
};

}  // namespace

TEST_CASE("the time that reads usually take is longer than nearly all of them, and follows them") {
  std::mt19937 random{9};
  ReadTimes times;
  CHECK(times.usual() == 0ns);
  for (const auto scale : {1, 40, 3}) {
    std::vector<Nanoseconds> newest;
    for (int i = 0; i < 200; ++i) newest.emplace_back(std::chrono::microseconds{scale * (100 + random() % 900)});
    for (const auto time : newest) times.add(time);
    newest.erase(newest.begin(), newest.end() - 64);
    const auto longer = std::ranges::count_if(newest, [&](Nanoseconds time) { return time > times.usual(); });
    CHECK(longer <= 64 / 20 + 8);
    CHECK(times.usual() <= *std::ranges::max_element(newest));
  }
}

TEST_CASE("the law: a late read leaves the other disk twice its usual time, unless that is not faster") {
  for (int round = 0; round < 200; ++round) {
    Watched disks;
    disks.random.seed(static_cast<unsigned>(round));
    const Nanoseconds own = std::chrono::microseconds{disks.random() % 30'000 + 1};
    const Nanoseconds other = std::chrono::microseconds{disks.random() % 30'000 + 1};
    for (int i = 0; i < 64; ++i) {
      disks.read(0, own);
      disks.read(1, other);
    }
    const auto late = disks.watch.late_at(0, 1, disks.now, disks.now + time_there_is) - disks.now;
    INFO(own.count() << " " << other.count() << " " << late.count());
    CHECK(late >= 0ns);
    if (2 * other < time_there_is && (other < own || own + 2 * other <= time_there_is))
      CHECK(late <= time_there_is - 2 * other);
    CHECK(late <= std::max<Nanoseconds>(2 * std::max(own, other), time_there_is / 4));
    if (other >= own) CHECK(late >= own);
  }
}

TEST_CASE("a disk that takes its usual time is never avoided") {
  Watched disks;
  for (int i = 0; i < 2000; ++i) {
    const auto disk = static_cast<unsigned>(disks.random() % 2);
    CHECK_FALSE(disks.read(disk, std::chrono::microseconds{3000 + disks.random() % 3000}));
  }
  CHECK_FALSE(disks.watch.is_avoided(0));
  CHECK_FALSE(disks.watch.is_avoided(1));
}

TEST_CASE("an avoided disk is tried after rests that double with each relapse, and used once it answers in time") {
  Watched disks;
  disks.fail(0);
  CHECK(disks.watch.is_avoided(0));
  CHECK(disks.watch.prefers(1, 0));
  CHECK_FALSE(disks.watch.prefers(0, 1));
  auto before = 0ns;
  for (int i = 0; i < 10; ++i) {
    const auto begun = disks.now;
    while (!disks.watch.is_to_be_tried(0, disks.now)) disks.now += 1ms;
    const auto rest = disks.now - begun;
    CHECK((rest >= before * 2 - 2ms || rest >= 10s));
    CHECK(rest <= 10s + 1ms);
    before = rest;
    disks.fail(0);
  }
  while (!disks.watch.is_to_be_tried(0, disks.now)) disks.now += 1ms;
  disks.read(0, 1ms);
  CHECK_FALSE(disks.watch.is_avoided(0));
  // Well for a long time: the next failure is a first one again.
  disks.now += 100s;
  disks.fail(0);
  disks.now += 101ms;
  CHECK(disks.watch.is_to_be_tried(0, disks.now));
}

TEST_CASE("a disk that owes answers is not asked, and what it still answers does not count for it") {
  Watched disks;
  const auto asked = disks.now;
  for (int i = 0; i < 3; ++i) disks.watch.asked(0);
  disks.now += 50ms;
  disks.watch.was_late(0, asked, disks.now);
  CHECK_FALSE(disks.watch.may_help(0, disks.now));
  for (int i = 0; i < 3; ++i) {
    CHECK_FALSE(disks.watch.is_to_be_tried(0, disks.now + 1h));
    disks.watch.ended(0, 1, asked, disks.now, DiskWatch::Ended::late);
  }
  CHECK(disks.watch.may_help(0, disks.now));
  CHECK(disks.watch.is_avoided(0));
  CHECK(disks.watch.is_to_be_tried(0, disks.now + 101ms));
}

TEST_CASE("a disk that owes an answer is asked where the other one fails, as long as it has answered lately") {
  Watched disks;
  disks.read(0, 1ms);
  disks.watch.asked(0);
  disks.watch.was_late(0, disks.now, disks.now + 30ms);
  CHECK(disks.watch.may_help(0, disks.now + 99ms));
  CHECK_FALSE(disks.watch.may_help(0, disks.now + 100ms));
}

TEST_CASE("if both disks owe answers, the one that has answered last is asked") {
  Watched disks;
  disks.read(0, 1ms);
  disks.read(1, 1ms);
  for (unsigned disk = 0; disk < 2; ++disk) {
    disks.watch.asked(disk);
    disks.watch.was_late(disk, disks.now, disks.now + 60ms);
  }
  CHECK(disks.watch.prefers(1, 0));
  CHECK_FALSE(disks.watch.prefers(0, 1));
}
