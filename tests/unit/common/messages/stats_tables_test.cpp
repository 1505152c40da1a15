// Statistics as tables: whatever changes from one message to the next, who reads the changes knows what a new reader of
// a full message knows.
#include "common/messages/stats_tables.h"

#include <catch2/catch.hpp>

#include <random>

namespace {

using namespace lw;

Json json_of(const std::string& cbor) {
  auto json = parse_cbor(cbor, tables_depth_max);
  REQUIRE(json);
  return *std::move(json);
}

// Nodes, flows and tiles come, go and change.
void change(Stats& stats, std::minstd_rand& random) {
  const auto happens = [&](unsigned one_of) { return random() % one_of == 0; };
  if (happens(4) || stats.nodes.empty()) stats.nodes.push_back({"node " + std::to_string(random() % 5), true, {}, {}});
  if (happens(6)) stats.nodes.erase(stats.nodes.begin());
  for (auto& node : stats.nodes) {
    if (happens(8)) node.report.reset();
    if (happens(3) && !node.report) node.report.emplace();
    if (!node.report) continue;
    auto& report = *node.report;
    report.node = node.node;
    if (happens(5)) report.flows.resize(random() % 5);
    for (unsigned i = 0; i < report.flows.size(); ++i) {
      report.flows[i].flow = 7 * i;
      if (happens(3)) report.flows[i].figures["lost"] = Figure(std::uint64_t{random() % 100});
      if (happens(3)) report.flows[i].receiving = happens(2);
    }
    if (happens(5)) report.tiles.resize(random() % 3);
    for (unsigned i = 0; i < report.tiles.size(); ++i) {
      report.tiles[i].tile = {i, 0};
      report.tiles[i].presented.reset();
      if (happens(3)) report.tiles[i].presented.emplace(1 + random() % 3, PresentedFrame{1000, 2.5});
      if (happens(3)) report.tiles[i].figures["swaps"] = Figure(std::uint64_t{random() % 100});
    }
  }
}

}  // namespace

TEST_CASE("who reads changes of statistics knows what they are altogether") {
  const auto seed = std::random_device{}();
  INFO("seed " << seed);
  std::minstd_rand random(seed);
  for (int run = 0; run < 20; ++run) {
    Stats stats;
    StatsTablesSender sender(true);
    StatsTablesReceiver follower;
    for (int turn = 0; turn < 40; ++turn) {
      change(stats, random);
      const bool all = turn == 0 || random() % 2 == 0;
      sender.put(stats, all);
      const auto differences = sender.take_differences();
      const auto follows = follower.take(json_of(turn == 0 ? sender.full() : differences));
      REQUIRE(follows.has_value());
      StatsTablesReceiver fresh;
      const auto known = fresh.take(json_of(sender.full()));
      REQUIRE(known.has_value());
      // Events are in the message only that reports them.
      auto followed = **follows;
      for (std::size_t i = 0; i < followed.nodes.size(); ++i) {
        if (!followed.nodes[i].report) continue;
        auto& tiles = followed.nodes[i].report->tiles;
        for (std::size_t tile = 0; tile < tiles.size(); ++tile) {
          if (all && turn > 0) CHECK(tiles[tile].presented == stats.nodes[i].report->tiles[tile].presented);
          tiles[tile].presented.reset();
        }
      }
      CHECK(followed == **known);
      if (all) {
        auto sent = stats;
        for (auto& node : sent.nodes)
          if (node.report)
            for (auto& tile : node.report->tiles) tile.presented.reset();
        CHECK(followed.nodes == sent.nodes);
      }
    }
  }
}
