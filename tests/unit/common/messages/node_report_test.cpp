// A node's report as JSON: absent when not measured, rates from differences; and reports of others are accepted only as
// far as known.
#include "common/messages/node_report.h"

#include <catch2/catch.hpp>

#include <string>

#include "tests/unit/common/messages/told.h"

namespace {

using namespace lw;
using namespace lw::test;

NodeReport full_report() {
  NodeReport report;
  report.node = "left";
  report.time = "t";
  report.interval_s = 0.1;
  report.renderer = "llvmpipe";
  report.swap_group = "joined group 1";
  report.clock = report_of(full_clock());
  const ProcessStats process{12.5, 4};
  report.process = report_of(process, &process, 1);
  report.sound = SoundReport{Figures(full_sound())};
  const auto flow = full_receiver();
  report.flows = {report_of(flow, &flow, 1)};
  const auto tile = full_tile();
  report.tiles = {report_of(tile, &tile, {1, 0}, 1)};
  report.tiles[0].pattern = "grid";
  report.tiles[0].presented = {{2'000'000, -3.5}, {}};
  return report;
}

Json report() { return to_json(full_report()); }

template <class Stats>
void check_all_measured(const Figures<Stats>& figures) {
  for (std::size_t i = 0; i < figures.values().size(); ++i) {
    INFO(figures.metrics()[i].key);
    CHECK(figures.values()[i].measured());
  }
}

}  // namespace

TEST_CASE("a full report has every figure of the registry, and is read back as it was written") {
  const auto full = full_report();
  check_all_measured(full.flows[0].figures);
  check_all_measured(full.tiles[0].figures);
  check_all_measured(full.clock->figures);
  check_all_measured(full.process->figures);
  check_all_measured(full.sound->figures);
  const auto read = read_message<NodeReport>(to_json(full));
  REQUIRE(read.has_value());
  CHECK(*read == full);
  CHECK(to_json(*read) == to_json(full));
  const auto json = report();
  CHECK(json["flows"][0].size() == metrics_of<ReceiverFlowStats>.size() + 5);  // flow, ssrc, cpu, receiving, gbit_per_s
  CHECK(json["tiles"][0].size() == metrics_of<TileStats>.size() + 4);          // tile, fps, pattern, presented
  CHECK(json["tiles"][0]["presented"] == Json::array({{2'000'000, -3.5}, {0, 0.0}}));
}

TEST_CASE("figures not measured are absent, not zero") {
  const auto receiver = to_json(report_of(ReceiverFlowStats{}, nullptr, 0.1));
  for (const char* key :
       {"ssrc", "cpu", "kernel_drops", "unauthentic", "jitter_us", "jitter_max_us", "delay_us_min", "delay_us_p50",
        "delay_us_p99", "completion_us_p50", "completion_us_p99", "gbit_per_s", "assemble_us_p50"})
    CHECK_FALSE(receiver.contains(key));
  CHECK(receiver["lost"] == 0);
  const auto tile = to_json(report_of(TileStats{}, nullptr, {}, 0.1));
  for (const char* key : {"frame", "fps", "lateness_us_p50", "lateness_us_p99", "lateness_us_max", "scanout_us_p50",
                          "scanout_us_p99", "wait_us_p50", "upload_us_p50", "swap_us_p99", "presented", "pattern"})
    CHECK_FALSE(tile.contains(key));
}

TEST_CASE("a clock is reported in words and microseconds") {
  const auto kept = to_json(report_of(full_clock()));
  CHECK(kept["state"] == "kept");
  CHECK(kept["error_us"] == 1.5);
  CHECK(kept["offset_us"] == -2000);
  CHECK(kept["phc_offset_us"] == -0.7);
  CHECK(to_json(report_of(ClockStats{})) == Json{{"state", "waiting"}, {"steps", 0}});
  CHECK(to_json(report_of(ClockStats{ClockState::system, {}, {}, {}, {}, 0})) == Json{{"state", "system"}});
}

TEST_CASE("swaps are reported by presentation time") {
  const std::vector<SwapTime> swaps{{WallTime{std::chrono::seconds{2}}, std::chrono::microseconds{-3}}, {}};
  CHECK(report_of(swaps) == std::vector<PresentedFrame>{{2'000'000, -3.0}, {0, 0.0}});
}

TEST_CASE("rates are differences over the interval") {
  auto before = full_receiver();
  auto now = before;
  now.bytes += 25'000'000;
  CHECK(report_of(now, &before, 0.1).gbit_per_s == Approx(2.0));
  CHECK_FALSE(report_of(now, &before, 0).gbit_per_s);
  auto tile = full_tile();
  auto later = tile;
  later.swaps += 6;
  CHECK(report_of(later, &tile, {}, 0.2).fps == Approx(30.0));
  const ProcessStats process{10, 4};
  CHECK(report_of(ProcessStats{11, 4}, &process, 0.5).cpu_share == 0.5);
  CHECK_FALSE(report_of(process, nullptr, 0.5).cpu_share);
  CHECK(to_json(report_of(ProcessStats{11, 0}, &process, 0.5)) == Json{{"cpu_s", 11.0}});
}

TEST_CASE("unknown members and figures of the wrong kind are skipped") {
  auto odd = report();
  odd["secret"] = 1;
  odd["renderer"] = std::string(257, 'x');
  odd["process"] = 3;
  odd["flows"][0]["more"] = 1;
  odd["flows"][0]["lost"] = "many";
  odd["flows"][0]["cpu"] = 0.5;
  odd["tiles"][0]["fps"] = nullptr;
  auto expected = report();
  expected.erase("renderer");
  expected.erase("process");
  expected["flows"][0].erase("lost");
  expected["flows"][0].erase("cpu");
  expected["tiles"][0].erase("fps");
  const auto read = read_message<NodeReport>(odd);
  REQUIRE(read.has_value());
  CHECK(to_json(*read) == expected);
}

TEST_CASE("invalid swaps, and too many, are skipped") {
  auto with = report();
  auto without = with;
  without["tiles"][0].erase("presented");
  for (const Json& wrong :
       {Json(1), Json::array({1}), Json::array({Json::array({1})}), Json::array({Json::array({1.5, 2})}),
        Json::array({Json::array({1, "2"})}), Json(257, Json{1, 2.5})}) {
    with["tiles"][0]["presented"] = wrong;
    CHECK(to_json(*read_message<NodeReport>(with)) == without);
  }
  with["tiles"][0]["presented"] = Json(256, Json{1, 2.5});
  CHECK(read_message<NodeReport>(with)->tiles[0].presented->size() == 256);
}

TEST_CASE("an invalid report is refused, naming the error") {
  CHECK(problem_of<NodeReport>(3) == "it must be an object");
  CHECK(problem_of<NodeReport>(Json::array()) == "it must be an object");
  CHECK(problem_of<NodeReport>(Json::object()) == "flows is missing");
  CHECK(problem_with<NodeReport>(report(), "/flows", 1) == "flows must be an array of objects");
  CHECK(problem_with<NodeReport>(report(), "/tiles", nullptr) == "tiles must be an array of objects");
  CHECK(problem_with<NodeReport>(report(), "/clock", 7) == "clock must be an object");
  CHECK(problem_with<NodeReport>(report(), "/clock/state", "fast") ==
        "clock: state must be system, waiting, kept or holdover");
  CHECK(problem_with<NodeReport>(report(), "/flows/0", 1) == "flows must be an array of objects");
  for (const Json& wrong : {Json(-1), Json("0"), Json(0.5), Json(std::uint64_t{1} << 32U)})
    CHECK(problem_with<NodeReport>(report(), "/flows/0/flow", wrong) ==
          "flows, number 1: flow must be a whole number from 0 to 4294967295");
  for (const Json& wrong : {Json{1}, Json{-1, 0}, Json{0, 1024}, Json{0, 1, 2}, Json("0,1")})
    CHECK(problem_with<NodeReport>(report(), "/tiles/0/tile", wrong) == "tiles, number 1: tile must be [column, row]");
  CHECK(problem_without<NodeReport>(report(), "/flows/0/flow") == "flows, number 1: flow is missing");
  CHECK(problem_without<NodeReport>(report(), "/tiles/0/tile") == "tiles, number 1: tile is missing");
  CHECK(problem_without<NodeReport>(report(), "/tiles") == "tiles is missing");
  auto many = report();
  many["flows"] = Json(4096, many["flows"][0]);
  CHECK(read_message<NodeReport>(many).has_value());
  many["flows"].push_back(many["flows"][0]);
  CHECK(problem_of<NodeReport>(many) == "flows must be an array of at most 4096");
}
