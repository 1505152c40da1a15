// Both sides of a measurement become one result: figures that compare two clocks hold as far as these do.
#include "probe/measure/result.h"

#include <catch2/catch.hpp>

#include <random>

namespace lw {
namespace {

using nlohmann::json;

Result<RunSpec> one_load() { return parse_run({{"loads", json::array({{{"gbit_per_s", 0.1}}})}}); }

json host(const char* boot_id, std::optional<double> clock_error_us) {
  json host{{"name", boot_id}, {"boot_id", boot_id}};
  if (clock_error_us) host["clock_error_us"] = *clock_error_us;
  return host;
}

json end(bool sends, const json& flow) {
  return {
      {"load", "main"}, {"direction", "forward"}, {"sends", sends}, {"first_flow", 0}, {"flows", json::array({flow})}};
}

json flow(const json& figures, const json& frame_times) {
  return {{"totals", json::object()}, {"ever", json::object()}, {"figures", figures}, {"frame_times", frame_times}};
}

// Frames that leave 40 us after their media time, and arrive `delay_us` after that.
struct Frames {
  json departures = json::array(), arrivals = json::array();

  void add(double delay_us, double clock_us = 0) {
    const std::int64_t media_us = 1'700'000'000'000'000 + 16'667 * static_cast<std::int64_t>(departures.size());
    departures.push_back(json::array({media_us, 40.0}));
    arrivals.push_back(json::array({media_us + 1, 39.0 + delay_us + clock_us}));  // another rounding
  }
};

json figures_of(const json& sender_host, const json& receiver_host, const json& received, const Frames& frames = {}) {
  RunOutcome outcome;
  outcome.hosts = {
      {{{"ends", json::array({end(true, flow(json::object(), frames.departures))})}, {"host", sender_host}},
       {{"ends", json::array({end(false, flow(received, frames.arrivals))})}, {"host", receiver_host}}}};
  const auto run = one_load();
  REQUIRE(run.has_value());
  const auto result = make_result(*run, outcome);
  REQUIRE(result.has_value());
  return result->at("flows").at(0).at("figures");
}

const json received{{"delay_us_min", 300.0},        {"delay_us_p50", 350.0},        {"pdv_us_p50", 50.0},
                    {"pdv_us_p99", 900.0},          {"pdv_us_max", 1000.0},         {"clock_drift_ppm", 25.0},
                    {"driftless_pdv_us_p50", 20.0}, {"driftless_pdv_us_p99", 30.0}, {"driftless_pdv_us_max", 40.0}};

TEST_CASE("one-way delay between two hosts has the bound of both clocks' errors") {
  Frames frames;
  for (const double delay : {250.0, 200.0, 300.0}) frames.add(delay);
  const auto figures = figures_of(host("a", 30), host("b", 12.5), received, frames);
  CHECK(figures.at("clock_error_us") == 42.5);
  CHECK(figures.at("delay_us_min") == 300);
  CHECK(figures.at("delay_us_p50") == 350);
  CHECK(figures.at("one_way_us_min") == Approx(200));
  CHECK(figures.at("one_way_us_p50") == Approx(250));
  CHECK(figures.at("one_way_us_p99") == Approx(300));
  CHECK(figures.at("one_way_us_max") == Approx(300));
}

TEST_CASE("a load of several flows has the median flow's one-way delay") {
  auto sent = end(true, json::object()), arrived = end(false, json::object());
  sent["flows"] = arrived["flows"] = json::array();
  for (const double delay : {400.0, 100.0, 200.0}) {
    Frames frames;
    frames.add(delay);
    sent["flows"].push_back(flow(json::object(), frames.departures));
    arrived["flows"].push_back(flow(received, frames.arrivals));
  }
  RunOutcome outcome;
  outcome.hosts = {{{{"ends", json::array({sent})}, {"host", host("a", 30)}},
                    {{"ends", json::array({arrived})}, {"host", host("b", 12.5)}}}};
  const auto result = make_result(*one_load(), outcome);
  REQUIRE(result.has_value());
  CHECK(result->at("figures").at("flow_one_way_us_median") == Approx(200));
}

TEST_CASE("one kernel's clock is exact, and does not drift") {
  Frames frames;
  for (const double delay : {250.0, 200.0, 300.0}) frames.add(delay);
  const auto figures = figures_of(host("a", {}), host("a", {}), received, frames);
  CHECK(figures.at("clock_error_us") == 0);
  CHECK(figures.at("delay_us_min") == 300);
  CHECK(figures.at("one_way_us_min") == Approx(200));
  CHECK(figures.at("pdv_us_p99") == 900);
  CHECK(figures.at("one_way_pdv_us_max") == Approx(100));
  for (const auto& [name, value] : figures.items()) {
    INFO(name);
    CHECK(name.find("drift") == std::string::npos);
  }
}

TEST_CASE("without a bound delays are absent, but delay variation is known without the drift of the clocks") {
  Frames frames;
  for (int i = 0; i < 600; ++i) frames.add(i % 3 == 0 ? 200 : 280, 5e6 + 25 * i * 0.016667);
  for (const auto& [a, b] : {std::pair(host("a", 30), host("b", {})), std::pair(host("", {}), host("", {}))}) {
    const auto figures = figures_of(a, b, received, frames);
    for (const auto* name : {"delay_us_min", "delay_us_p50", "one_way_us_min", "one_way_us_p50", "one_way_us_p99",
                             "one_way_us_max", "clock_error_us", "driftless_pdv_us_p99"})
      CHECK_FALSE(figures.contains(name));
    CHECK(figures.at("clock_drift_ppm") == 25);
    CHECK(figures.at("pdv_us_p50") == 20);
    CHECK(figures.at("pdv_us_p99") == 30);
    CHECK(figures.at("pdv_us_max") == 40);
    CHECK(figures.at("one_way_pdv_us_max") == Approx(80).margin(0.1));  // 330 with the drift
  }
}

TEST_CASE("packets that arrive before they left show that a clock is not what its keeper reports") {
  Frames frames;
  for (int i = 0; i < 10; ++i) frames.add(200, -245);
  CHECK(figures_of(host("a", 30), host("b", 20), received, frames).at("one_way_us_min") == Approx(-45));
  const auto figures = figures_of(host("a", 30), host("b", 10), received, frames);
  CHECK_FALSE(figures.contains("one_way_us_min"));
  CHECK_FALSE(figures.contains("delay_us_min"));
  CHECK_FALSE(figures.contains("clock_error_us"));
}

TEST_CASE("the error of a card's stamps is part of the delays' error") {
  auto by_card = received;
  by_card["card_error_us"] = 1.5;
  Frames frames;
  for (const double delay : {250.0, 200.0}) frames.add(delay);
  CHECK(figures_of(host("a", 30), host("b", 12.5), by_card, frames).at("clock_error_us") == 44);
  CHECK(figures_of(host("a", 30), host("a", 30), by_card, frames).at("clock_error_us") == 1.5);
  CHECK_FALSE(figures_of(host("a", {}), host("b", {}), by_card, frames).contains("clock_error_us"));
  // Also with one clock, a packet that arrives before it left shows that the card's bound is wrong.
  Frames wrong;
  wrong.add(-3);
  CHECK_FALSE(figures_of(host("a", 30), host("a", 30), by_card, wrong).contains("clock_error_us"));
  CHECK(figures_of(host("a", 30), host("b", 12.5), by_card, wrong).at("clock_error_us") == 44);
}

TEST_CASE("a flow says what stamped its arrivals") {
  const auto stamps_of = [](const json& totals) {
    auto receiver = flow(json::object(), json::array());
    receiver["totals"] = totals;
    RunOutcome outcome;
    outcome.hosts = {
        {{{"ends", json::array({end(true, flow(json::object(), json::array()))})}, {"host", host("a", {})}},
         {{"ends", json::array({end(false, receiver)})}, {"host", host("b", {})}}}};
    return make_result(one_load().value(), outcome)->at("flows").at(0).value("receive_stamps", std::string("absent"));
  };
  CHECK(stamps_of(json::object()) == "absent");
  CHECK(stamps_of({{"packets", 0}}) == "absent");
  CHECK(stamps_of({{"packets", 100}}) == "kernel");
  CHECK(stamps_of({{"packets", 100}, {"card_stamped", 0}}) == "kernel");
  CHECK(stamps_of({{"packets", 100}, {"card_stamped", 99}}) == "mixed");
  CHECK(stamps_of({{"packets", 100}, {"card_stamped", 100}}) == "hardware");
}

TEST_CASE("one-way delays are of the frames that both sides have, in any order") {
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) {
    Frames frames, common;
    json departures = json::array(), arrivals = json::array();
    double least = 1e9, most = 0;
    for (int i = 0; i < 40; ++i) {
      const double delay = 100 + static_cast<double>(random() % 1000);
      frames.add(delay);
      const bool left = random() % 3 != 0, came = random() % 3 != 0;
      if (left) departures.push_back(frames.departures.back());
      if (came) arrivals.push_back(frames.arrivals.back());
      if (!left || !came) continue;
      least = std::min(least, delay);
      most = std::max(most, delay);
    }
    std::shuffle(departures.begin(), departures.end(), random);
    std::shuffle(arrivals.begin(), arrivals.end(), random);
    frames.departures = departures;
    frames.arrivals = arrivals;
    const auto figures = figures_of(host("a", 30), host("b", 20), received, frames);
    CHECK(figures.at("one_way_us_min").get<double>() == Approx(least));
    CHECK(figures.at("one_way_us_max").get<double>() == Approx(most));
  }
}

TEST_CASE("counters that are missing are the peer's error") {
  RunOutcome outcome;
  auto without = flow(received, json::array());
  without.erase("ever");
  outcome.hosts = {{{{"ends", json::array({end(false, without)})}, {"host", host("a", 1)}}, nullptr}};
  CHECK_FALSE(make_result(*one_load(), outcome).has_value());
}

TEST_CASE("frame times that are none are the peer's error") {
  RunOutcome outcome;
  outcome.hosts = {{{{"ends", json::array({end(true, flow(json::object(), json::array({json::array({1, 2})})))})},
                     {"host", host("a", 1)}},
                    {{"ends", json::array({end(false, flow(received, json::array({json::array({1, "x"})})))})},
                     {"host", host("b", 1)}}}};
  CHECK_FALSE(make_result(*one_load(), outcome).has_value());
}

TEST_CASE("a traced load of bursts has the timeline of each flow") {
  const json load{{"protocol", "tcp"}, {"pattern", "bursts"}, {"trace", true}, {"flows", 2}};
  const auto run = parse_run({{"loads", json::array({load})}});
  REQUIRE(run.has_value());
  auto sender = end(true, flow(json::object(), json::array()));
  sender["flows"].push_back(sender["flows"][0]);
  RunOutcome outcome;
  outcome.hosts = {
      {{{"ends", json::array({sender})}, {"host", host("a", {})}}, {{"ends", json::array()}, {"host", host("b", {})}}}};
  constexpr WallTime zero{std::chrono::seconds{1'000'000}};
  const auto ms = [&](int time) { return zero + std::chrono::milliseconds{time}; };
  outcome.calls = {{ms(3), ms(5), 70, 1, 0, CallKind::write},
                   {ms(1), ms(2), 70, 1, 1, CallKind::write},
                   {ms(2), ms(4), 30, 1, 1, CallKind::write},
                   {ms(4), ms(9), 0, 1, 9, CallKind::answer}};  // of a flow that does not exist
  outcome.calls_missing = 2;
  const auto result = make_result(*run, outcome);
  REQUIRE(result.has_value());
  CHECK(result->at("calls_missing") == 2);
  const auto& flows = result->at("flows");
  REQUIRE(flows.size() == 2);
  const json one{{"burst", 1}, {"stage", "write"}, {"begin_s", 0.002}, {"end_s", 0.004}};
  const json other{{"burst", 1}, {"stage", "write"}, {"begin_s", 0.0}, {"end_s", 0.003}};
  CHECK(flows[0]["timeline"] == json::array({one}));
  CHECK(flows[1]["timeline"] == json::array({other}));
}

}  // namespace
}  // namespace lw
