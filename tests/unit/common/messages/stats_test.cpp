// The server's statistics of the entire wall: every part is read as it was written, and errors are named.
#include "common/messages/stats.h"

#include <catch2/catch.hpp>

#include "tests/unit/common/messages/told.h"

namespace {

using namespace lw;
using namespace lw::test;

Stats full_stats() {
  Stats stats;
  stats.time = "2026-01-31T12:00:00.123Z";
  stats.interval_s = 0.1;
  const auto sender = full_sender();
  stats.sender = {report_of(sender, &sender, {1, 0}, 1)};
  NodeReport report;
  report.flows = {report_of(full_receiver(), nullptr, 0)};
  report.tiles = {report_of(full_tile(), nullptr, {1, 0}, 0)};
  stats.nodes = {{"left", true, 0.04, report}, {"right", false, {}, {}}};
  WallStats wall;
  wall.playout_delay = std::chrono::milliseconds(80);
  wall.frames_in_step = 12;
  wall.skew_us_p50 = wall.skew_us_p99 = wall.skew_us_max = wall.skew_error_us = 50.5;
  stats.wall = {7, {{{1, 0}, Figures(WallTileStats{35.5})}}, {{3, Figures(WallFlowStats{60.5, 90.5})}}, Figures(wall)};
  stats.clock = {Figures(SystemClockState{Nanoseconds(1500), Nanoseconds(-700)})};
  const Figures of_site(SiteStats{2, 3, 4, 5, 6, 7, 8, Nanoseconds(9500), 2, 1e6});
  const Figures of_node(SiteStats{1, 1, 2, 3, 4, 5, 6, {}, 1, {}});
  stats.sites = {{"near", of_node, {{"one", of_node}}}, {"far", of_site, {{"all", of_site}, {"more", of_node}}}};
  return stats;
}

}  // namespace

TEST_CASE("stats are read back as they were written") {
  const auto full = full_stats();
  const auto json = to_json(full);
  const auto read = read_message<Stats>(json);
  REQUIRE(read.has_value());
  CHECK(*read == full);
  CHECK(json["sender"][0]["rtt_us"] == 1.5);
  CHECK(json["sender"][0]["tile"] == Json{1, 0});
  CHECK(json["nodes"][1] == Json{{"node", "right"}, {"connected", false}});
  CHECK(json["wall"]["playout_delay_us"] == 80'000.0);
  CHECK(json["wall"]["tiles"] == Json::array({{{"tile", {1, 0}}, {"skew_us", 35.5}}}));
  CHECK(json["wall"]["flows"] == Json::array({{{"flow", 3}, {"flight_us_p50", 60.5}, {"flight_us_p99", 90.5}}}));
  CHECK(json["clock"] == Json{{"error_us", 1.5}, {"phc_offset_us", -0.7}});
  CHECK(json["sites"][1]["site"] == "far");
  CHECK(json["sites"][1]["resends_refused"] == 7);
  CHECK(json["sites"][1]["rtt_us"] == 9.5);
  CHECK(json["sites"][1]["resend_budget_bytes_per_s"] == 1e6);
  CHECK(json["sites"][1]["nodes"][1]["node"] == "more");
  CHECK(json["sites"][1]["nodes"][1]["flows_heard"] == 1);
  CHECK_FALSE(json["sites"][1]["nodes"][1].contains("rtt_us"));
}

TEST_CASE("what was counted of a site is read from its figures") {
  for (const auto& stats : {SiteStats{2, 3, 4, 5, 6, 7, 8, Nanoseconds(9500), 2, 1e6}, SiteStats{}})
    CHECK(Figures(site_stats_of(Figures(stats))) == Figures(stats));
}

TEST_CASE("stats of an unknown wall are short") {
  const auto json = to_json(Stats{});
  CHECK(json ==
        Json{{"interval_s", 0.0}, {"nodes", Json::array()}, {"sender", Json::array()}, {"wall", Json::object()}});
  CHECK(*read_message<Stats>(json) == Stats{});
}

TEST_CASE("a sender's rate includes resends and parity") {
  const auto before = full_sender();
  auto now = before;
  now.bytes += 100'000'000;
  now.resent_bytes += 20'000'000;
  now.parity_bytes += 5'000'000;
  CHECK(report_of(now, &before, {}, 1).gbit_per_s == Approx(1.0));
  CHECK_FALSE(report_of(now, nullptr, {}, 1).gbit_per_s);
  SenderFlowStats none;
  const auto json = to_json(report_of(none, nullptr, {}, 1));
  for (const char* key : {"cpu", "rtt_us", "gbit_per_s", "read_us_p50", "queue_us_p99", "send_us_p50"})
    CHECK_FALSE(json.contains(key));
}

TEST_CASE("errors in stats are named") {
  const auto json = to_json(full_stats());
  CHECK(problem_with<Stats>(json, "/sender", 3) == "sender must be an array of objects");
  CHECK(problem_with<Stats>(json, "/nodes", nullptr) == "nodes must be an array of objects");
  CHECK(problem_with<Stats>(json, "/wall", 1) == "wall must be an object");
  CHECK(problem_without<Stats>(json, "/nodes/0/node") == "nodes, number 1: node is missing");
  CHECK(problem_with<Stats>(json, "/nodes/1/node", 5) ==
        "nodes, number 2: node must be a string of at most 1024 bytes");
  CHECK(problem_with<Stats>(json, "/sender/0/flow", "x") ==
        "sender, number 1: flow must be a whole number from 0 to 4294967295");
  CHECK(problem_with<Stats>(json, "/wall/tiles/0/tile", 1) == "wall: tiles, number 1: tile must be [column, row]");
  CHECK(problem_with<Stats>(json, "/wall/flows/0", 1) == "wall: flows must be an array of objects");
  CHECK(problem_with<Stats>(json, "/clock", 1).empty());  // absent then, as from a server that has none
}

TEST_CASE(
    "of a node whose report cannot be read the others are known, and of a wall of which parts are missing the rest") {
  auto json = to_json(full_stats());
  json["nodes"][0]["report"]["flows"][0]["flow"] = -1;
  auto read = read_message<Stats>(json);
  REQUIRE(read.has_value());
  CHECK_FALSE(read->nodes[0].report);
  CHECK(read->sender == full_stats().sender);
  for (const char* part : {"sender", "nodes", "wall"}) json.erase(part);
  read = read_message<Stats>(json);
  REQUIRE(read.has_value());
  CHECK(read->clock == full_stats().clock);
}
