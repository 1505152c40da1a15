// Pins what a node says that all its flows hold: never more than each holds, at once when the last one holds it, and by
// one flow at a time where the server accepts that.
#include "wall-client/receive/node_holdings.h"

#include <catch2/catch.hpp>

#include <array>
#include <atomic>
#include <random>
#include <thread>
#include <vector>

using namespace lw;
using namespace std::chrono_literals;

namespace {

using Speaker = NodeHoldings::Speaker;

struct Flows {
  NodeHoldings holdings;
  std::vector<TickSet> held;
  LocalTime now{100s};

  explicit Flows(unsigned count, LostNode lost_node = LostNode::go_on) : holdings(lost_node), held(count) {
    for (unsigned flow = 0; flow < count; ++flow) CHECK(holdings.take_place() == flow);
  }
  void hear_all() {
    for (std::size_t flow = 0; flow < held.size(); ++flow) holdings.hear(flow, now);
  }
  bool hold(std::size_t flow, std::uint16_t tick) {
    held[flow].add(tick);
    return holdings.hold(flow, tick, held[flow]);
  }
  std::vector<Speaker> speakers() const {
    std::vector<Speaker> all;
    for (std::size_t flow = 0; flow < held.size(); ++flow) all.push_back(holdings.speaker(flow, now));
    return all;
  }
};

}  // namespace

TEST_CASE("the last flow to hold a frame knows that it is the last") {
  Flows flows(3);
  flows.hear_all();
  CHECK(flows.holdings.held(flows.now).ticks.empty());
  CHECK_FALSE(flows.hold(1, 5));
  CHECK_FALSE(flows.hold(0, 5));
  CHECK(flows.holdings.held(flows.now).ticks.empty());
  CHECK(flows.holdings.held(flows.now).more);
  CHECK(flows.hold(2, 5));
  CHECK(flows.holdings.held(flows.now).ticks.contains(5));
  CHECK_FALSE(flows.holdings.held(flows.now).more);
}

TEST_CASE("one flow speaks for all once the server accepts that, the first that has heard it lately") {
  Flows flows(3);
  CHECK(flows.speakers() == std::vector(3, Speaker::for_itself));
  flows.holdings.hear(1, flows.now);
  CHECK(flows.speakers() == std::vector{Speaker::for_itself, Speaker::for_node, Speaker::for_itself});
  flows.hear_all();
  CHECK(flows.speakers() == std::vector{Speaker::for_node, Speaker::for_itself, Speaker::for_itself});
  flows.holdings.accept();
  CHECK(flows.speakers() == std::vector{Speaker::for_node, Speaker::another, Speaker::another});
  flows.now += 2s;
  flows.holdings.hear(1, flows.now);
  flows.holdings.hear(2, flows.now);
  flows.now += 1s;  // the first has not heard it for three
  CHECK(flows.speakers() == std::vector{Speaker::another, Speaker::for_node, Speaker::another});
  flows.holdings.restart(2);  // perhaps a server of an earlier version
  CHECK(flows.speakers() == std::vector{Speaker::for_itself, Speaker::for_node, Speaker::for_itself});
}

TEST_CASE("a flow that does not hear its server is skipped, unless the wall waits for lost nodes") {
  const auto lost_node = GENERATE(LostNode::go_on, LostNode::hold);
  Flows flows(2, lost_node);
  flows.holdings.hear(0, flows.now);
  flows.hold(0, 5);
  CHECK(flows.holdings.held(flows.now).ticks.contains(5));  // the second never heard it
  flows.hear_all();
  CHECK(flows.holdings.held(flows.now).ticks.empty());
  flows.now += 3s;
  flows.holdings.hear(0, flows.now);
  flows.hold(0, 6);
  CHECK(flows.holdings.held(flows.now).ticks.contains(6) == (lost_node == LostNode::go_on));
}

TEST_CASE("whatever flows hold, in whatever order, a node says what all of them hold") {
  std::mt19937 random(GENERATE(range(1, 20)));
  const auto below = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
  Flows flows(1 + below(6));
  flows.hear_all();
  std::uint16_t newest = static_cast<std::uint16_t>(65'536 - below(200));
  for (unsigned step = 0; step < 2000; ++step) {
    if (below(4) == 0) ++newest;
    const auto flow = below(static_cast<unsigned>(flows.held.size()));
    const auto tick = static_cast<std::uint16_t>(newest - below(5));
    const bool was_held = flows.held[flow].contains(tick);
    const bool last = flows.hold(flow, tick);
    const auto held = flows.holdings.held(flows.now);
    for (unsigned age = 0; age < 40; ++age) {
      const auto looked = static_cast<std::uint16_t>(newest - age);
      bool all = true;
      for (const auto& one : flows.held) all = all && one.contains(looked);
      REQUIRE(held.ticks.contains(looked) == all);
      if (looked == tick && all && !was_held && step > 0) REQUIRE(last);
    }
  }
}

TEST_CASE("flows on threads of their own find each frame complete exactly when it is") {
  constexpr unsigned count = 4;
  constexpr unsigned ticks = 3000;
  NodeHoldings holdings(LostNode::go_on);
  const LocalTime now{100s};
  for (unsigned flow = 0; flow < count; ++flow) holdings.hear(holdings.take_place(), now);
  CHECK(holdings.held(now).ticks.empty());
  std::atomic<unsigned> found{0};
  std::array<std::atomic<unsigned>, count> reached{};
  {
    std::vector<std::jthread> threads;
    for (unsigned flow = 0; flow < count; ++flow)
      threads.emplace_back([&, flow] {
        TickSet held;
        for (unsigned tick = 1; tick <= ticks; ++tick) {
          held.add(static_cast<std::uint16_t>(tick));
          if (holdings.hold(flow, static_cast<std::uint16_t>(tick), held) &&
              holdings.held(now).ticks.contains(static_cast<std::uint16_t>(tick)))
            found.fetch_add(1);
          reached[flow] = tick;
          // No flow is further ahead than a node keeps in mind.
          for (const auto& other : reached)
            while (other + TickSet::span / 2 < tick) std::this_thread::yield();
        }
      });
  }
  CHECK(found >= ticks);  // two that are last at the same time may both find it
}
