// Pins what of a capacity measurement crosses the control connection: the specification, the reports of both ends, and
// the limits of a host that serves.
#include "probe/capacity/capacity_report.h"
#include "probe/capacity/capacity_result.h"
#include "probe/capacity/capacity_session.h"
#include "probe/capacity/capacity_spec.h"
#include "probe/serve/serve_limits.h"

#include <catch2/catch.hpp>

using namespace lw;

namespace {

std::string problem(const Json& changes) {
  auto json = to_json(CapacitySpec{});
  json.update(changes);
  const auto spec = parse_capacity(json);
  return spec ? "" : spec.error().what;
}

CapacityReceived two_intervals() {
  CapacityReceived received;
  received.intervals = {{1000, 900, 100, 3, 2, 1000.5, 2000.0, 500.0}, {500, 500, 0, 0, 0, {}, {}, {}}};
  received.strange = 4;
  received.kernel_drops = 5;
  return received;
}
CapacitySent sent_all() { return {"", 1500, 0, 0, 40, 1, true, {0.02, 0.01}}; }

}  // namespace

TEST_CASE("a capacity measurement is read as it was written, and its defaults are the RFC's") {
  const auto usual = parse_capacity(Json::object()).value();
  CHECK(to_json(usual) == to_json(CapacitySpec{}));
  CHECK(usual.duration_s == 10);
  CHECK(usual.interval_s == 1);
  CHECK(usual.feedback_ms == 50);
  CHECK(usual.intervals() == 10);
  const auto settings = usual.search_settings();
  CHECK((settings.first_row == 0 && settings.last_row == rate_row_last && settings.sequence_errors == 10));
  const Json changed{{"reverse", true},       {"duration_s", 3.0},      {"interval_s", 0.5},
                     {"feedback_ms", 20.0},   {"datagram_bytes", 8972}, {"dscp", 46},
                     {"one_way", true},       {"port", 5000},           {"start_gbit_per_s", 0.1},
                     {"gbit_per_s_max", 2.0}, {"sequence_errors", 1},   {"delay_low_ms", 5.0},
                     {"delay_high_ms", 10.5}, {"congested_after", 2},   {"fast_rows", 5}};
  const auto spec = parse_capacity(changed).value();
  CHECK(to_json(spec) == changed);
  CHECK(spec.search_settings().first_row == 100);
  CHECK(spec.search_settings().last_row == 1010);
}

TEST_CASE("impossible capacity measurements are refused") {
  CHECK(problem({{"duration_s", 2.5}}).find("sub-intervals") != std::string::npos);
  CHECK(problem({{"duration_s", 0.5}}).find("sub-intervals") != std::string::npos);
  CHECK_FALSE(problem({{"duration_s", 30'000}, {"interval_s", 1}}).empty());
  CHECK_FALSE(problem({{"datagram_bytes", 63}}).empty());
  CHECK_FALSE(problem({{"datagram_bytes", 9189}}).empty());
  CHECK_FALSE(problem({{"feedback_ms", 4}}).empty());
  CHECK_FALSE(problem({{"port", 0}}).empty());
  CHECK_FALSE(problem({{"delay_low_ms", 100}}).empty());
  CHECK_FALSE(problem({{"start_gbit_per_s", 2}, {"gbit_per_s_max", 1}}).empty());
  CHECK_FALSE(problem({{"unheard_of", 1}}).empty());
  CHECK_FALSE(problem({{"reverse", "yes"}}).empty());
  CHECK_FALSE(parse_capacity(Json::array()).has_value());
}

TEST_CASE("the reports of both ends are read as they were written, and nothing else is") {
  CHECK(parse_capacity_received(to_json(two_intervals())).value() == two_intervals());
  CHECK(parse_capacity_sent(to_json(sent_all())).value() == sent_all());
  for (const auto& [name, value] : {std::pair<const char*, Json>("intervals", 3),
                                    {"intervals", Json::array({1})},
                                    {"strange", -1},
                                    {"ended", 3},
                                    {"kernel_drops", "no"},
                                    {"more", 1}}) {
    auto json = to_json(two_intervals());
    json[name] = value;
    CAPTURE(json.dump());
    CHECK_FALSE(parse_capacity_received(json).has_value());
  }
  for (const auto& [name, value] : {std::pair<const char*, Json>("offered_gbit_per_s", Json::array({-1})),
                                    {"offered_gbit_per_s", 1},
                                    {"packets", 1.5},
                                    {"congested", 1}}) {
    auto json = to_json(sent_all());
    json[name] = value;
    CHECK_FALSE(parse_capacity_sent(json).has_value());
  }
  CHECK_FALSE(parse_capacity_received(Json::array()).has_value());
  CHECK_FALSE(parse_capacity_sent(Json()).has_value());
}

TEST_CASE("the figures are those of the sub-interval in which the most arrived") {
  CapacitySpec spec;
  spec.duration_s = 2;
  const auto result = capacity_result(spec, {sent_all(), two_intervals(), false, "10.0.0.2:50000", "now"});
  const auto& figures = result.at("figures");
  CHECK(result.at("complete") == true);
  CHECK(result.at("marks").empty());
  CHECK(figures.at("ip_capacity_gbit_per_s").get<double>() == Approx(900 * 1250 * 8e-9));
  CHECK(figures.at("ip_capacity_sent_gbit_per_s").get<double>() == Approx(1000 * 1250 * 8e-9));
  CHECK(figures.at("ip_capacity_offered_gbit_per_s").get<double>() == Approx(0.02));
  CHECK(figures.at("ip_capacity_at_s") == 0);
  CHECK(figures.at("ip_capacity_loss").get<double>() == Approx(0.1));
  CHECK(figures.at("ip_capacity_rtt_us_max") == 2000);
  CHECK(figures.at("lost") == 100);
  CHECK(figures.at("loss").get<double>() == Approx(100.0 / 1500));
  CHECK(figures.at("kernel_drops") == 5);
  const auto& intervals = result.at("flows").at(0).at("intervals");
  CHECK(intervals.at(1).at("ip_gbit_per_s").get<double>() == Approx(500 * 1250 * 8e-9));
  CHECK_FALSE(intervals.at(1).contains("rtt_us_min"));
  CHECK(capacity_text(result).find("maximum IP-layer capacity 9.0 Mbit/s (at 0 s), loss 0.1") != std::string::npos);
  // IPv6's header is larger.
  const auto ipv6 = capacity_result(spec, {sent_all(), two_intervals(), true, "[fd00::2]:50000", "now"});
  CHECK(ipv6.at("figures").at("ip_capacity_gbit_per_s").get<double>() == Approx(900 * 1270 * 8e-9));
}

TEST_CASE("a capacity that may be another's limit is marked") {
  CapacitySpec spec;
  spec.duration_s = 2;
  auto sent = sent_all();
  sent.congested = false;
  auto result = capacity_result(spec, {sent, two_intervals(), false, "", ""});
  REQUIRE(result.at("marks").size() == 1);
  CHECK(result.at("marks").at(0).at("what") == "not_congested");
  sent = sent_all();
  sent.skipped = 16;
  result = capacity_result(spec, {sent, two_intervals(), false, "", ""});
  REQUIRE(result.at("marks").size() == 1);
  CHECK(result.at("marks").at(0).at("what") == "sender_limited");
  auto broken = two_intervals();
  broken.intervals.clear();
  broken.ended = "nothing came";
  result = capacity_result(spec, {sent_all(), broken, false, "", ""});
  CHECK(result.at("complete") == false);
  CHECK(result.at("error") == "nothing came");
  CHECK_FALSE(result.at("figures").contains("ip_capacity_gbit_per_s"));
}

TEST_CASE("a host that serves limits what it sends of a capacity measurement") {
  CapacitySpec spec;
  const ServeLimits limits{1, true, 20};
  REQUIRE(limit_capacity(spec, limits, false).has_value());
  CHECK(spec.gbit_per_s_max == 400);  // it receives
  spec.reverse = true;
  REQUIRE(limit_capacity(spec, limits, true).has_value());
  CHECK(spec.gbit_per_s_max == 1);
  spec.start_gbit_per_s = 2;
  CHECK_FALSE(limit_capacity(spec, limits, false).has_value());
  spec.start_gbit_per_s = 0;
  spec.duration_s = 21;
  CHECK_FALSE(limit_capacity(spec, limits, false).has_value());
}

TEST_CASE("a session is 16 hex digits") {
  CHECK(session_text(0xabcU) == "0000000000000abc");
  CHECK(session_of("0000000000000abc") == 0xabcU);
  CHECK_FALSE(session_of("abc"));
  CHECK_FALSE(session_of("0000000000000abz"));
  CHECK(new_session().value() != new_session().value());
}
