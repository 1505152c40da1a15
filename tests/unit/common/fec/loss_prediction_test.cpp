// Pins groups and the probability that they fail, against a path that is simulated packet by packet.
#include "common/fec/loss_prediction.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>
#include <set>
#include <vector>

using namespace lw;

TEST_CASE("every packet is in one group, and a run of losses is distributed evenly") {
  constexpr FecStrength strength{20, 4};
  for (const std::size_t packets : {1U, 19U, 20U, 21U, 139U, 1111U}) {
    const FecGroups groups(packets, strength);
    std::set<std::size_t> seen;
    for (std::size_t group = 0; group < groups.count(); ++group) {
      CHECK(groups.size(group) <= strength.data);
      for (std::size_t i = 0; i < groups.size(group); ++i) {
        const auto packet = groups.packet(group, i);
        CHECK(packet < packets);
        CHECK(groups.group_of(packet) == group);
        seen.insert(packet);
      }
    }
    CHECK(seen.size() == packets);
    // The frame's packets followed by its parity: a run of the longest length at any place.
    const auto total = packets + groups.parity_packets();
    for (std::size_t group = 0; group < groups.count(); ++group)
      for (unsigned row = 0; row < strength.parity; ++row)
        REQUIRE((packets + groups.parity_number(group, row)) % groups.count() == group);
    const auto run = std::min(total, groups.longest_run());
    for (std::size_t first = 0; first + run <= total; ++first) {
      std::vector<unsigned> lost(groups.count());
      for (std::size_t i = first; i < first + run; ++i) ++lost[i % groups.count()];
      for (const auto count : lost) REQUIRE(count <= strength.parity);
    }
  }
}

TEST_CASE("the predicted loss of frames matches that of a simulated path") {
  struct Case {
    std::size_t packets;
    FecStrength strength;
    PathLoss path;
  };
  const auto c = GENERATE(Case{139, {20, 4}, {0.03, 1}}, Case{139, {20, 4}, {0.02, 8}}, Case{400, {10, 2}, {0.02, 3}},
                          Case{60, {20, 2}, {0.05, 20}});
  const FecGroups groups(c.packets, c.strength);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<> uniform;
  const double leave = c.path.burst > 1 ? 1 / c.path.burst : 1 - c.path.loss;
  const double enter = c.path.loss * leave / (1 - c.path.loss);
  constexpr int frames = 40'000;
  int failed = 0;
  bool bad = false;
  for (int frame = 0; frame < frames; ++frame) {
    std::vector<unsigned> lost(groups.count());
    for (std::size_t i = 0; i < c.packets + groups.parity_packets(); ++i) {
      bad = bad ? uniform(random) >= leave : uniform(random) < enter;
      if (bad) ++lost[i % groups.count()];
    }
    bool whole = true;
    for (const auto count : lost) whole &= count <= c.strength.parity;
    failed += !whole;
  }
  const double played = static_cast<double>(failed) / frames;
  const double predicted = frame_loss_probability(groups, c.strength, c.path);
  INFO("predicted " << predicted << ", played " << played);
  // An upper bound, since groups fail together after long losses; but a close one.
  const double error = 4 * std::sqrt(played / frames) + 1.0 / frames;
  CHECK(played <= predicted * 1.1 + error);
  CHECK(played >= predicted * 0.2 - error);
}
