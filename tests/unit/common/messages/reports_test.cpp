// Figures as JSON: absent when not measured, rates from differences; and reports of others are let in only as far as
// known.
#include "common/messages/reports.h"

#include "common/metrics/registry.h"

#include <catch2/catch.hpp>

#include <set>
#include <span>
#include <string>

namespace {

using namespace lw;

// Every key must be in the registry or be one of `others`.
void check_keys(const Json& json, std::span<const Metric> metrics, const std::set<std::string>& others) {
  std::set<std::string> known = others;
  for (const auto& metric : metrics) known.emplace(metric.key);
  for (const auto& [key, value] : json.items()) {
    INFO(key);
    CHECK(known.contains(key));
  }
  for (const auto& metric : metrics) {
    INFO(metric.key);
    CHECK(json.contains(std::string(metric.key)));
  }
}

ReceiverFlowStats full_receiver() {
  ReceiverFlowStats stats;
  stats.flow = 3;
  stats.ssrc = 77;
  stats.cpu = 2;
  stats.packets = 10;
  stats.bytes = 125'000'000;
  stats.kernel_drops = 1;
  stats.second_path = 5;
  stats.unauthentic = 2;
  stats.jitter_us = 5.5;
  stats.delay_us_min = stats.delay_us_p50 = stats.delay_us_p99 = 1;
  stats.completion_us_p50 = stats.completion_us_p99 = 1;
  stats.assemble = {1, 2};
  return stats;
}

TileStats full_tile() {
  TileStats stats;
  stats.tile = {1, 0};
  stats.frame = 9;
  stats.swaps = 40;
  stats.lateness_us_p50 = stats.lateness_us_p99 = stats.lateness_us_max = 2;
  stats.scanout_us_p50 = stats.scanout_us_p99 = 3;
  stats.wait = stats.upload = stats.swap = {1, 2};
  return stats;
}

ClockStats full_clock() {
  return {ClockState::kept, Nanoseconds(1500), Nanoseconds(-2'000'000), 12.5, Nanoseconds(300'000), 1,
          Nanoseconds(-700)};
}

Json report() {
  return {{"node", "left"},
          {"time", "t"},
          {"swap_group", "joined group 1"},
          {"interval_s", 0.1},
          {"clock", to_json(full_clock())},
          {"flows", {to_json(full_receiver(), nullptr, 0)}},
          {"tiles", {to_json(full_tile(), nullptr, 0)}}};
}

}  // namespace

TEST_CASE("reports hold every figure of the registry and no other") {
  SenderFlowStats sender;
  sender.cpu = 1;
  sender.round_trip = Nanoseconds(1500);
  sender.read = sender.queue = sender.send = {1, 2};
  check_keys(to_json(sender, &sender, {0, 0}, 1), metrics_of<SenderFlowStats>,
             {"flow", "tile", "ssrc", "cpu", "gbit_per_s"});
  const auto receiver = full_receiver();
  check_keys(to_json(receiver, &receiver, 1), metrics_of<ReceiverFlowStats>,
             {"flow", "ssrc", "cpu", "receiving", "gbit_per_s"});
  const auto tile = full_tile();
  check_keys(to_json(tile, &tile, 1), metrics_of<TileStats>, {"tile", "fps"});
  check_keys(to_json(full_clock()), metrics_of<ClockStats>, {"state"});
  const ProcessStats process{12.5, 4};
  check_keys(to_json(process, &process, 1), metrics_of<ProcessStats>, {"cpu_share"});
  check_keys(to_json(SystemClockState{Nanoseconds(1500), Nanoseconds(-700)}), metrics_of<SystemClockState>, {});
}

TEST_CASE("what was not measured is absent, not zero") {
  const auto sender = to_json(SenderFlowStats{}, nullptr, {0, 0}, 0.1);
  for (const char* key : {"cpu", "rtt_us", "gbit_per_s", "read_us_p50", "queue_us_p99", "send_us_p50"})
    CHECK_FALSE(sender.contains(key));
  const auto receiver = to_json(ReceiverFlowStats{}, nullptr, 0.1);
  for (const char* key :
       {"ssrc", "cpu", "kernel_drops", "unauthentic", "jitter_us", "jitter_max_us", "delay_us_min", "delay_us_p50",
        "delay_us_p99", "completion_us_p50", "completion_us_p99", "gbit_per_s", "assemble_us_p50"})
    CHECK_FALSE(receiver.contains(key));
  CHECK(receiver["lost"] == 0);
  const auto tile = to_json(TileStats{}, nullptr, 0.1);
  for (const char* key : {"frame", "fps", "lateness_us_p50", "lateness_us_p99", "lateness_us_max", "scanout_us_p50",
                          "scanout_us_p99", "wait_us_p50", "upload_us_p50", "swap_us_p99"})
    CHECK_FALSE(tile.contains(key));
}

TEST_CASE("a clock is told in words and microseconds") {
  const auto kept = to_json(full_clock());
  CHECK(kept["state"] == "kept");
  CHECK(kept["error_us"] == 1.5);
  CHECK(kept["offset_us"] == -2000);
  CHECK(kept["phc_offset_us"] == -0.7);
  CHECK(to_json(SystemClockState{}) == Json::object());
  CHECK(to_json(ClockStats{}) == Json{{"state", "waiting"}, {"steps", 0}});
  CHECK(to_json(ClockStats{ClockState::system, {}, {}, {}, {}, 0}) == Json{{"state", "system"}});
}

TEST_CASE("swaps are told by presentation time") {
  const std::vector<SwapTime> swaps{{WallTime{std::chrono::seconds{2}}, std::chrono::microseconds{-3}}, {}};
  CHECK(to_json(swaps) == Json::array({{2'000'000, -3.0}, {0, 0.0}}));
  auto with = report();
  with["tiles"][0]["presented"] = to_json(swaps);
  CHECK(checked_report(with) == with);
  for (const Json& wrong : {Json(1), Json::array({1}), Json::array({Json::array({1})}),
                            Json::array({Json::array({1.5, 2})}), Json::array({Json::array({1, "2"})})}) {
    with["tiles"][0]["presented"] = wrong;
    CHECK(checked_report(with) == report());
  }
}

TEST_CASE("rates are differences over the interval") {
  auto before = full_receiver();
  auto now = before;
  now.bytes += 25'000'000;
  CHECK(to_json(now, &before, 0.1)["gbit_per_s"].get<double>() == Approx(2.0));
  CHECK_FALSE(to_json(now, &before, 0).contains("gbit_per_s"));
  SenderFlowStats sent;
  auto sent_more = sent;
  sent_more.bytes = 125'000'000;
  sent_more.late_max = Nanoseconds(1500);
  CHECK(to_json(sent_more, &sent, {0, 0}, 1)["gbit_per_s"].get<double>() == Approx(1.0));
  CHECK(to_json(sent_more, &sent, {0, 0}, 1)["late_us_max"].get<double>() == Approx(1.5));
  auto tile = full_tile();
  auto later = tile;
  later.swaps += 6;
  CHECK(to_json(later, &tile, 0.2)["fps"].get<double>() == Approx(30.0));
}

TEST_CASE("a good report passes unchanged") { CHECK(checked_report(report()) == report()); }

TEST_CASE("unknown members and figures of the wrong kind are left out") {
  auto odd = report();
  odd["secret"] = 1;
  odd["renderer"] = std::string(2000, 'x');
  odd["flows"][0]["more"] = 1;
  odd["flows"][0]["lost"] = "many";
  odd["tiles"][0]["fps"] = nullptr;
  auto expected = report();
  expected["flows"][0].erase("lost");
  CHECK(checked_report(odd) == expected);
}

TEST_CASE("what is no report is refused") {
  CHECK_FALSE(checked_report(3));
  CHECK_FALSE(checked_report(Json::array()));
  CHECK_FALSE(checked_report(Json::object()));
  for (const auto& [pointer, value] : {std::pair<const char*, Json>{"/flows", 1},
                                       {"/tiles", nullptr},
                                       {"/clock/state", "fast"},
                                       {"/flows/0", 1},
                                       {"/flows/0/flow", -1},
                                       {"/flows/0/flow", "0"},
                                       {"/tiles/0/tile", {1}},
                                       {"/tiles/0/tile", {-1, 0}},
                                       {"/tiles/0", Json::array()}}) {
    INFO(pointer << " = " << value.dump());
    auto wrong = report();
    wrong[Json::json_pointer(pointer)] = value;
    CHECK_FALSE(checked_report(wrong));
  }
  auto many = report();
  many["flows"] = Json(5000, many["flows"][0]);
  CHECK_FALSE(checked_report(many));
  auto swaps = report();
  swaps["tiles"][0]["presented"] = Json(256, Json{1, 2.5});
  CHECK((*checked_report(swaps))["tiles"][0].contains("presented"));
  swaps["tiles"][0]["presented"] = Json(257, Json{1, 2.5});
  CHECK_FALSE((*checked_report(swaps))["tiles"][0].contains("presented"));
}

TEST_CASE("times are ISO 8601 with milliseconds") {
  CHECK(to_iso8601(WallTime(std::chrono::milliseconds(1'769'860'800'123))) == "2026-01-31T12:00:00.123Z");
}

TEST_CASE("a process's share of its CPUs is over the interval, and absent where they are not known") {
  const ProcessStats before{10, 4};
  CHECK(to_json(ProcessStats{11, 4}, &before, 0.5)["cpu_share"] == 0.5);
  CHECK_FALSE(to_json(before, nullptr, 0.5).contains("cpu_share"));
  CHECK(to_json(ProcessStats{11, 0}, &before, 0.5) == Json{{"cpu_s", 11.0}});
  auto told = report();
  told["process"] = {{"cpu_s", 11.0}, {"cpus", "four"}, {"cpu_share", 0.5}, {"more", 1}};
  CHECK((*checked_report(told))["process"] == Json{{"cpu_s", 11.0}, {"cpu_share", 0.5}});
}
