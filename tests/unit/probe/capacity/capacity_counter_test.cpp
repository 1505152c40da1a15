// Pins what the receiver counts in sub-intervals and reports; and, on a simulated link in virtual time, that search and
// counter together find its capacity.
#include "probe/capacity/capacity_counter.h"
#include "probe/capacity/rate_search.h"

#include <catch2/catch.hpp>

#include <deque>
#include <random>

using namespace lw;
using namespace std::chrono_literals;

namespace {

LocalTime at(Nanoseconds time) { return LocalTime{std::chrono::hours{5} + time}; }
LoadPacket packet(std::uint64_t sequence, Nanoseconds sent) { return {sequence, LocalTime{sent}, {}, 0ns}; }

// A link of a rate with a queue in front of it, and the way back.
struct Link {
  double bits_per_second = 0;
  Nanoseconds delay{10ms};  // of each way
  Nanoseconds queue_max{100ms};
  double loss = 0;
};

struct Found {
  double bits_per_second = 0, loss = 0;
  bool congested = false;
};

// The sender, the link and the receiver, in steps of one packet.
class Simulation {
public:
  Simulation(const Link& link, unsigned bytes, unsigned seconds)
      : link_(link), bits_(8.0 * bytes), seconds_(seconds), counter_(1s, seconds) {}

  Found run() {
    double now = 0;  // of the sender
    while (!counter_.complete()) {
      take_statuses(now);
      send(now);
      now += bits_ / search_.rate().bits_per_second;
    }
    Found found{0, 0, search_.congested()};
    for (const auto& interval : counter_.intervals()) {
      const double rate = static_cast<double>(interval.counts.received) * bits_;
      if (rate <= found.bits_per_second) continue;
      found.bits_per_second = rate;
      found.loss = static_cast<double>(interval.counts.lost()) / static_cast<double>(interval.counts.sent);
    }
    return found;
  }

private:
  static Nanoseconds time(double seconds) { return Nanoseconds{static_cast<std::int64_t>(seconds * 1e9)}; }
  static double seconds(Nanoseconds time) { return std::chrono::duration<double>(time).count(); }

  void send(double now) {
    LoadPacket load{sequence_++, LocalTime{time(now)}, {}, 0ns};
    if (status_) load.status_time = status_->time;
    if (status_) load.status_held = time(now) - status_came_;
    const double begin = std::max(now, free_);
    if (begin - now > seconds(link_.queue_max) || std::uniform_real_distribution<>()(random_) < link_.loss) return;
    free_ = begin + bits_ / link_.bits_per_second;
    const double arrival = free_ + seconds(link_.delay);
    for (; next_report_ <= arrival; next_report_ += 0.05)
      on_the_way_.push_back({next_report_ + seconds(link_.delay), counter_.report(at(time(next_report_)))});
    counter_.take(load, at(time(arrival)));
  }
  void take_statuses(double now) {
    for (; !on_the_way_.empty() && on_the_way_.front().first <= now; on_the_way_.pop_front()) {
      status_ = on_the_way_.front().second;
      status_came_ = time(now);
      search_.take(
          {status_->packets, status_->lost + status_->reordered + status_->duplicates, status_->round_trip_range});
    }
  }

  const Link link_;
  const double bits_;
  const unsigned seconds_;
  CapacityCounter counter_;
  RateSearch search_{SearchSettings{}};
  std::mt19937_64 random_{5};
  std::uint64_t sequence_ = 0;
  double free_ = 0, next_report_ = 0.05;
  std::deque<std::pair<double, StatusPacket>> on_the_way_;
  std::optional<StatusPacket> status_;
  Nanoseconds status_came_{0};
};

}  // namespace

TEST_CASE("packets count in the sub-interval in which they arrive") {
  CapacityCounter counter(1s, 2);
  CHECK_FALSE(counter.begun());
  counter.take(packet(0, 0ms), at(10ms));
  counter.take(packet(1, 1ms), at(12ms));
  counter.take(packet(1, 1ms), at(13ms));  // again
  counter.take(packet(4, 4ms), at(20ms));
  counter.take(packet(3, 3ms), at(1009ms));  // late, and just within the first
  counter.take(packet(5, 1000ms), at(1010ms));
  REQUIRE(counter.intervals().size() == 1);
  const auto& first = counter.intervals()[0];
  CHECK((first.counts.sent == 5 && first.counts.received == 4 && first.counts.lost() == 1));
  CHECK((first.counts.duplicates == 1 && first.counts.reordered == 1));
  CHECK(first.one_way.range_above(counter.one_way()) == 996ms);  // 1006 less 10
  counter.step(at(2009ms));
  CHECK_FALSE(counter.complete());
  counter.step(at(2010ms));
  CHECK(counter.complete());
  const auto& second = counter.intervals()[1];
  CHECK((second.counts.sent == 1 && second.counts.received == 1 && second.counts.lost() == 0));
  // Later packets belong to no sub-interval.
  counter.take(packet(6, 3s), at(3s));
  CHECK(counter.intervals().size() == 2);
}

TEST_CASE("time without packets ends sub-intervals") {
  CapacityCounter counter(1s, 4);
  counter.step(at(10s));
  CHECK(counter.intervals().empty());  // nothing has begun
  counter.take(packet(0, 0ms), at(0ms));
  counter.take(packet(9, 9ms), at(2500ms));
  REQUIRE(counter.intervals().size() == 2);
  CHECK(counter.intervals()[1].counts.received == 0);
  CHECK_FALSE(counter.intervals()[1].one_way.max);
  counter.step(at(9s));
  REQUIRE(counter.complete());
  CHECK(counter.intervals()[2].counts.sent == 9);
}

TEST_CASE("a report is of what came since the one before") {
  CapacityCounter counter(1s, 10);
  const auto none = counter.report(at(0ms));
  CHECK((none.number == 0 && none.packets == 0 && !none.one_way_range && !none.round_trip_range));
  counter.take(packet(0, 0ms), at(10ms));
  counter.take(packet(3, 1ms), at(14ms));
  const auto first = counter.report(at(50ms));
  CHECK((first.number == 1 && first.packets == 2 && first.lost == 2 && first.reordered == 0 && first.duplicates == 0));
  CHECK(first.one_way_range == 3ms);
  CHECK(first.time == at(50ms));
  counter.take(packet(2, 1ms), at(51ms));
  counter.take(packet(2, 1ms), at(52ms));
  const auto second = counter.report(at(100ms));
  CHECK((second.packets == 1 && second.lost == 0 && second.reordered == 1 && second.duplicates == 1));
  CHECK(second.one_way_range == 41ms);  // above the least of the whole test
  CHECK(counter.report(at(150ms)).packets == 0);
}

TEST_CASE("a round trip is of the first packet that returns a status, without the time at the sender") {
  CapacityCounter counter(1s, 10);
  counter.take(packet(0, 0ms), at(0ms));
  auto returning = packet(1, 1ms);
  returning.status_time = at(100ms);
  returning.status_held = 5ms;
  counter.take(returning, at(125ms));
  returning.sequence = 2;
  counter.take(returning, at(900ms));  // the same status again
  CHECK(counter.round_trip().min == 20ms);
  CHECK(counter.round_trip().max == 20ms);
  returning.status_time = at(200ms);
  returning.sequence = 3;
  counter.take(returning, at(255ms));
  CHECK(counter.report(at(260ms)).round_trip_range == 30ms);
  returning.status_time = at(5000ms);  // of the future: not a time that was sent
  returning.sequence = 4;
  counter.take(returning, at(300ms));
  CHECK(counter.round_trip().min == 20ms);
}

TEST_CASE("the capacity of a link is found") {
  struct Case {
    double mbit;
    Nanoseconds delay;
    Nanoseconds queue;
    unsigned bytes;
    double least = 0.98;  // of the link's rate
  };
  // Slow and fast, near and far, with short and long queues; whole rows of the table and rates between them. At 3
  // Mbit/s a row is a third of the rate, and the search steps from too little to too much.
  const auto one = GENERATE(Case{3, 10ms, 100ms, 1250, 0.85}, Case{20, 1ms, 20ms, 1250}, Case{20.5, 60ms, 300ms, 1250},
                            Case{155, 10ms, 50ms, 1250}, Case{940, 5ms, 10ms, 1250}, Case{2500, 5ms, 40ms, 9000});
  CAPTURE(one.mbit, one.delay.count(), one.queue.count());
  const auto found = Simulation({one.mbit * 1e6, one.delay, one.queue}, one.bytes, 10).run();
  CHECK(found.congested);
  // A sub-interval may be of one packet more.
  CHECK(found.bits_per_second <= one.mbit * 1e6 + 8.0 * one.bytes);
  CHECK(found.bits_per_second >= one.least * one.mbit * 1e6);
}

TEST_CASE("some loss without congestion does not hide the capacity of a link") {
  const auto found = Simulation({100e6, 10ms, 50ms, 0.002}, 1250, 10).run();  // one packet of 500 in each report
  CHECK(found.bits_per_second >= 0.97 * 100e6);
  CHECK(found.loss > 0.0005);
}
