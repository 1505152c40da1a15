// Pins loss, duplicates, reordering and loss runs against a slow reference.
#include "common/metrics/sequence_tracker.h"
#include "common/metrics/jitter.h"
#include "common/metrics/recent_distribution.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <set>

using namespace lw;
using Verdict = SequenceTracker::Verdict;

TEST_CASE("in order, duplicate, reordered, lost") {
  SequenceTracker tracker;
  REQUIRE(tracker.take(100) == Verdict::in_order);
  REQUIRE(tracker.take(101) == Verdict::in_order);
  REQUIRE(tracker.take(101) == Verdict::duplicate);
  REQUIRE(tracker.take(105) == Verdict::in_order);
  REQUIRE(tracker.lost() == 3);
  REQUIRE(tracker.take(103) == Verdict::reordered);
  REQUIRE(tracker.lost() == 2);
  REQUIRE(tracker.take(103) == Verdict::duplicate);
  REQUIRE(tracker.take(99) == Verdict::too_old);
  REQUIRE(tracker.duplicates() == 2);
  REQUIRE(tracker.reordered() == 1);
}

TEST_CASE("loss runs are counted once settled") {
  SequenceTracker tracker;
  std::int64_t sequence = 0;
  const auto run = [&](int lost) {
    tracker.take(sequence++);
    sequence += lost;
    tracker.take(sequence++);
  };
  run(1);
  run(5);
  run(2);
  REQUIRE(tracker.runs() == 0);
  for (int i = 0; i < 3000; ++i) tracker.take(sequence++);
  REQUIRE(tracker.lost() == 8);
  REQUIRE(tracker.runs() == 3);
  REQUIRE(tracker.run_max() == 5);
}

TEST_CASE("a random stream with loss, duplicates and reordering adds up") {
  const auto seed = GENERATE(1U, 2U, 3U);
  INFO("seed " << seed);
  std::minstd_rand random(seed);
  std::vector<std::int64_t> arrivals;
  for (std::int64_t sequence = 70'000; sequence < 140'000; ++sequence) {
    if (random() % 50 == 0 && sequence != 70'000) continue;
    arrivals.push_back(sequence);
    if (random() % 100 == 0) arrivals.push_back(sequence);
  }
  for (std::size_t i = 1; i + 8 < arrivals.size(); ++i)
    if (random() % 20 == 0) std::swap(arrivals[i], arrivals[i + random() % 8]);
  SequenceTracker tracker;
  std::set<std::int64_t> seen;
  std::uint64_t duplicates = 0;
  for (const auto sequence : arrivals) {
    duplicates += !seen.insert(sequence).second;
    tracker.take(sequence);
  }
  REQUIRE(tracker.received() == seen.size());
  REQUIRE(tracker.duplicates() == duplicates);
  REQUIRE(tracker.lost() == static_cast<std::uint64_t>(*seen.rbegin() - *seen.begin() + 1) - seen.size());
}

// The exported counter: a decrease would look like a restart.
TEST_CASE("settled loss never falls, and is all loss once the stream has ended") {
  std::mt19937 random(3);
  SequenceTracker tracker;
  std::vector<std::int64_t> held;  // overtaken by 200 packets
  std::uint64_t before = 0;
  bool fell = false;
  for (std::int64_t sequence = 0; sequence < 50'000; ++sequence) {
    const auto before_lost = tracker.lost();
    if (random() % 20 == 0) {
      if (random() % 2 == 0) held.push_back(sequence);  // else it is lost
    } else {
      tracker.take(sequence);
    }
    while (!held.empty() && held.front() + 200 < sequence) {
      tracker.take(held.front());
      held.erase(held.begin());
    }
    fell = fell || tracker.lost() < before_lost;
    REQUIRE(tracker.settled_lost() >= before);
    REQUIRE(tracker.settled_lost() <= tracker.lost());
    before = tracker.settled_lost();
  }
  CHECK(fell);  // so lost() cannot be the exported counter
  tracker.end();
  CHECK(tracker.settled_lost() == tracker.lost());
}

TEST_CASE("a jump beyond the window loses all between, as one run") {
  SequenceTracker tracker;
  for (std::int64_t sequence = 0; sequence < 10; ++sequence) tracker.take(sequence);
  for (std::int64_t sequence = 100'000; sequence < 103'000; ++sequence) tracker.take(sequence);
  REQUIRE(tracker.lost() == 100'000 - 10);
  REQUIRE(tracker.runs() == 1);
  REQUIRE(tracker.run_max() == 100'000 - 10);
}

TEST_CASE("interarrival jitter follows RFC 3550") {
  InterarrivalJitter jitter;
  const WallTime start{std::chrono::seconds{100}};
  const auto frame = std::chrono::milliseconds{40};
  jitter.add(start + std::chrono::milliseconds{5}, start);
  REQUIRE_FALSE(jitter.microseconds());
  jitter.add(start + frame + std::chrono::milliseconds{6}, start + frame);  // |D| = 1 ms
  REQUIRE(*jitter.microseconds() == Approx(1000.0 / 16));
  jitter.add(start + 2 * frame + std::chrono::milliseconds{4}, start + 2 * frame);  // |D| = 2 ms
  REQUIRE(*jitter.microseconds() == Approx(62.5 + (2000 - 62.5) / 16));
  jitter.restart();
  jitter.add(start + std::chrono::seconds{9}, start);
  REQUIRE(*jitter.microseconds() == Approx(62.5 + (2000 - 62.5) / 16));
}

TEST_CASE("quantiles of the newest values") {
  RecentDistribution<4> recent;
  REQUIRE_FALSE(recent.quantile(0.5));
  for (double value : {100.0, 1.0, 2.0, 3.0, 4.0}) recent.add(value);
  REQUIRE(recent.quantile(0) == 1.0);
  REQUIRE(recent.quantile(1) == 4.0);
  REQUIRE(recent.max() == 4.0);
}

TEST_CASE("a recovered packet still counts as lost on the network, and its late original is not needed") {
  SequenceTracker tracker;
  tracker.take(0);
  tracker.take(3);
  CHECK(tracker.is_missing(1));
  tracker.repair(1);
  CHECK_FALSE(tracker.is_missing(1));
  CHECK(tracker.is_missing(2));
  CHECK(tracker.lost() == 2);
  CHECK(tracker.take(1) == SequenceTracker::Verdict::repaired);
  CHECK(tracker.lost() == 1);
  CHECK(tracker.take(1) == SequenceTracker::Verdict::duplicate);
  CHECK(tracker.take(2) == SequenceTracker::Verdict::reordered);
  // The same place in the ring, a window later.
  tracker.take_run(4, SequenceTracker::window - 4);
  tracker.take(SequenceTracker::window + 2);
  CHECK(tracker.is_missing(SequenceTracker::window + 1));
}

TEST_CASE("at the end of a stream the last runs are also counted") {
  SequenceTracker tracker;
  tracker.end();
  CHECK(tracker.runs() == 0);
  for (const int sequence : {0, 1, 4, 5, 9}) tracker.take(sequence);
  CHECK(tracker.runs() == 0);
  tracker.end();
  CHECK(tracker.runs() == 2);
  CHECK(tracker.run_max() == 3);
  CHECK(tracker.lost() == 5);
}

// A restarted sender: the packets sent and received are the sums over its streams.
TEST_CASE("totals continue over streams, whatever number a stream begins with") {
  const auto seed = GENERATE(1U, 2U, 3U, 4U);
  std::mt19937 random(seed);
  SequenceTracker tracker;
  std::uint64_t sent = 0;
  std::uint64_t came = 0;
  std::uint64_t runs = 0;
  std::uint64_t run_max = 0;
  for (int stream = 0; stream < 20; ++stream) {
    const std::int64_t first = random() % 3 == 0 ? 0 : random();
    const auto count = 2 + static_cast<std::int64_t>(random() % 3000);
    std::uint64_t run = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const bool comes = i == 0 || i == count - 1 || random() % 10 != 0;
      ++sent;
      came += comes;
      run = comes ? 0 : run + 1;
      runs += run == 1;
      run_max = std::max(run_max, run);
      if (comes) REQUIRE(tracker.take(first + i) == Verdict::in_order);
    }
    CHECK(tracker.expected() == sent);
    CHECK(tracker.received() == came);
    CHECK(tracker.first() == first);
    tracker.begin_stream();
    CHECK(tracker.empty());
    CHECK_FALSE(tracker.is_missing(first));
    CHECK(tracker.lost() == sent - came);
    CHECK(tracker.settled_lost() == sent - came);
    CHECK(tracker.runs() == runs);
    CHECK(tracker.run_max() == run_max);
    CHECK(tracker.reordered() == 0);
    CHECK(tracker.duplicates() == 0);
  }
}

TEST_CASE("packets that are only known to have been sent end a stream as a run") {
  SequenceTracker tracker;
  tracker.take(10);
  tracker.know_sent(14);
  tracker.begin_stream();
  CHECK(tracker.lost() == 4);
  CHECK(tracker.settled_lost() == 4);
  CHECK(tracker.runs() == 1);
  CHECK(tracker.run_max() == 4);
}

TEST_CASE("of a run that lies on both sides, only the part after the longest run was forgotten counts") {
  SequenceTracker tracker;
  tracker.take(0);
  tracker.know_sent(9);
  tracker.restart_run_max();
  tracker.take(14);
  tracker.end();
  CHECK(tracker.runs() == 1);
  CHECK(tracker.run_max() == 4);  // 10 to 13
}

TEST_CASE("what the kernel dropped is of the missing packets, and one that comes after all was not dropped") {
  SequenceTracker tracker;
  tracker.take(0);
  const auto reached = tracker.highest();
  tracker.take(5);  // 1 to 4 are missing
  CHECK(tracker.drop_missing(reached, 3) == 3);
  CHECK(tracker.dropped() == 3);
  CHECK(tracker.settled_dropped() == 0);
  CHECK(tracker.drop_missing(reached, 100) == 1);
  CHECK(tracker.drop_missing(reached, 100) == 0);
  CHECK(tracker.dropped() == tracker.lost());
  CHECK(tracker.take(2) == SequenceTracker::Verdict::reordered);
  CHECK(tracker.dropped() == 3);
  CHECK(tracker.dropped() == tracker.lost());
  for (std::int64_t sequence = 6; sequence < 3000; ++sequence) tracker.take(sequence);
  CHECK(tracker.settled_dropped() == 3);
  CHECK(tracker.settled_dropped() == tracker.settled_lost());
  CHECK(tracker.take(3) == SequenceTracker::Verdict::reordered);
  CHECK(tracker.dropped() == 2);
  CHECK(tracker.settled_dropped() == 3);
}

TEST_CASE("drops in a gap of any length are all counted, and count as settled with the gap") {
  const std::int64_t gap = GENERATE(1, 1000, 5000, 65'000, 70'000, 1'000'000);
  SequenceTracker tracker;
  for (std::int64_t sequence = 0; sequence < 100; ++sequence) tracker.take(sequence);
  const auto reached = tracker.highest();
  tracker.take(100 + gap);
  const auto count = static_cast<std::uint64_t>(gap);
  CHECK(tracker.drop_missing(reached, count + 7) == count);
  CHECK(tracker.dropped() == count);
  CHECK(tracker.settled_dropped() <= tracker.settled_lost());
  tracker.begin_stream();
  CHECK(tracker.settled_dropped() == count);
  CHECK(tracker.dropped() == tracker.lost());
  CHECK(tracker.drop_missing(reached, 1) == 0);
}

TEST_CASE("packets that come in order behind their frame's parity are not reordered") {
  SequenceTracker tracker;
  tracker.take(0);
  tracker.know_sent(9);
  tracker.take(1);
  for (std::int64_t sequence = 2; sequence < 8; ++sequence)
    CHECK(tracker.take(sequence) == SequenceTracker::Verdict::reordered);  // it was missing
  CHECK(tracker.reordered() == 0);
  CHECK(tracker.lost() == 2);
  tracker.take(9);
  tracker.take(8);
  CHECK(tracker.reordered() == 1);
  tracker.take_run(10, 5);
  CHECK(tracker.reordered() == 1);
}
