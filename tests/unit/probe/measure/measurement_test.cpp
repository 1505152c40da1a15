// Measurements with both sides in this program, over loopback.
#include "probe/measure/measurement.h"

#include "probe/call/json_value.h"
#include "probe/measure/run_side.h"
#include "tests/support/ports.h"

#include <catch2/catch.hpp>

#include <limits>
#include <thread>
#include <utility>

namespace lw {
namespace {

using nlohmann::json;

json measured(json load, double duration_s, double warm_up_s = 0.1) {
  load["base_port"] = free_even_ports(4 * load.value("flows", 1U));
  const auto run =
      parse_run({{"duration_s", duration_s}, {"warm_up_s", warm_up_s}, {"loads", json::array({std::move(load)})}});
  REQUIRE(run.has_value());
  const std::atomic<bool> stop{false};
  const auto peers = find_peers({}, ".", stop, {});
  REQUIRE(peers.has_value());
  auto result = measure(*run, *peers, ".", "test", stop, {});
  REQUIRE(result.has_value());
  return *result;
}
json bursts(unsigned count, std::size_t bytes, unsigned flows, const char* direction = "forward") {
  return {{"protocol", "tcp"}, {"pattern", "bursts"},    {"bursts", count},
          {"flows", flows},    {"message_bytes", bytes}, {"direction", direction}};
}

TEST_CASE("a measurement ends when its bursts are done, and measures each of them") {
  for (const auto* direction : {"forward", "reverse", "both"}) {
    constexpr double patience_s = 50;
    const auto begin = LocalClock::now();
    const auto result = measured(bursts(5, 3'000'000, 3, direction), patience_s);
    CHECK(std::chrono::duration<double>(LocalClock::now() - begin).count() < patience_s / 2);
    CHECK(result["complete"] == true);
    CHECK(result["duration_s"].get<double>() < patience_s / 2);
    const auto& flows = result["flows"];
    REQUIRE(flows.size() == (std::string_view(direction) == "both" ? 6 : 3));
    for (const auto& flow : flows) {
      const auto& figures = flow["figures"];
      CHECK(figures["messages"] == 5);
      CHECK(figures["gbit_per_s"].get<double>() ==
            Approx(figures["messages_per_s"].get<double>() * 3'000'000 * 8e-9).epsilon(1e-9));
      // Rounds follow each other: together they last as long as the slowest message and the waiting of any flow.
      const double round_us = 1e6 / figures["messages_per_s"].get<double>();
      CHECK(figures["message_us_mean"].get<double>() + figures["blocked_us_mean"].get<double>() <= round_us);
      CHECK(figures["blocked_us_min"].get<double>() >= 0);
      // The receiver has reported all that came to it, in intervals too.
      double seconds = 0;
      for (const auto& interval : flow["intervals"]) seconds = interval["end_s"];
      CHECK(seconds >= 5 / figures["messages_per_s"].get<double>() * 0.99);
    }
  }
}

TEST_CASE("bursts for which there was no time leave the run incomplete") {
  const auto result = measured(bursts(1'000'000, 8, 2), 0.3);
  CHECK(result["complete"] == false);
  CHECK(result["error"].get<std::string>().find("of 1000000 bursts") != std::string::npos);
  CHECK(result["duration_s"].get<double>() == Approx(0.3).margin(0.2));
}

TEST_CASE("bursts without a number continue for the measurement's time, at the rate of each flow") {
  auto load = bursts(0, 100'000, 2);
  load["flow_gbit_per_s"] = 0.05;
  const auto result = measured(load, 1);
  CHECK(result["complete"] == true);
  CHECK(result["duration_s"] == 1);
  CHECK(result["figures"]["messages"].get<double>() > 4);
  CHECK(result["figures"]["gbit_per_s"].get<double>() < 0.12);
}

// The sender's flows of a load that goes on for a while after the measurement.
json sent_flows(json load) {
  load["base_port"] = free_even_ports(4 * load.value("flows", 1U));
  const auto run = parse_run({{"duration_s", 0.6}, {"warm_up_s", 0.2}, {"loads", json::array({std::move(load)})}});
  REQUIRE(run.has_value());
  const SideAddresses addresses{"127.0.0.1", "127.0.0.1", true};
  auto server = RunSide::prepare(*run, Role::server, addresses, ".");
  REQUIRE(server.has_value());
  auto client = RunSide::prepare(*run, Role::client, addresses, ".");
  REQUIRE(client.has_value());
  REQUIRE((*server)->start().has_value());
  REQUIRE((*client)->start().has_value());
  while (!(*client)->progress()["done"].get<bool>()) std::this_thread::sleep_for(std::chrono::milliseconds{5});
  std::this_thread::sleep_for(std::chrono::milliseconds{300});
  return (*client)->finish()["ends"][0]["flows"];
}

TEST_CASE("messages, their rate and their durations are of the measurement, and not of what follows") {
  for (const auto* pattern : {"requests", "bursts"}) {
    const bool bursts = std::string_view(pattern) == "bursts";
    for (const auto& flow : sent_flows(
             {{"protocol", "tcp"}, {"pattern", pattern}, {"flows", bursts ? 2 : 1}, {"message_bytes", 10'000}})) {
      const auto& figures = flow["figures"];
      const double messages = figures["messages"], measured_us = 1e6 * flow["measured_s"].get<double>();
      CHECK(messages > 0);
      CHECK(flow["messages_per_s"].get<double>() * measured_us * 1e-6 == Approx(messages).epsilon(1e-9));
      // One message at a time: together they last no longer than the measurement and one of them.
      double each_us = figures["message_us_mean"], longest_us = figures["message_us_max"];
      if (bursts) {
        each_us += figures["blocked_us_mean"].get<double>();
        longest_us += figures["blocked_us_max"].get<double>();
      }
      CHECK(messages * each_us <= (measured_us + longest_us) * (1 + 1e-9));
    }
  }
}

TEST_CASE("a load can be sent in a part of the measurement only") {
  const auto ports = free_even_ports(16);
  const json disturbing{{"name", "burst"}, {"gbit_per_s", 0.1},      {"frame_rate", 100},        {"begin_s", 1},
                        {"for_s", 0.5},    {"base_port", ports + 8}, {"source_port", ports + 12}};
  const json stream{{"protocol", "tcp"}, {"gbit_per_s", 0.1}, {"base_port", ports}};
  const auto run =
      parse_run({{"duration_s", 3}, {"warm_up_s", 0.5}, {"interval_s", 0.25}, {"loads", {stream, disturbing}}});
  REQUIRE(run.has_value());
  const std::atomic<bool> stop{false};
  const auto peers = find_peers({}, ".", stop, {});
  const auto result = measure(*run, *peers, ".", "test", stop, {});
  REQUIRE(result.has_value());
  CHECK(result->at("complete") == true);
  for (const auto& flow : result->at("flows")) {
    if (flow["load"] == "main") {
      CHECK(flow["figures"]["recovery_s"].get<double>() < 1);
      CHECK(flow["figures"]["gbit_per_s_stddev"].get<double>() >= 0);
      continue;
    }
    CHECK_FALSE(flow["figures"].contains("recovery_s"));
    double sent_s = 0;
    for (const auto& interval : flow["intervals"]) {
      const bool within = interval["end_s"] > 1 && interval["begin_s"].get<double>() < 1.5 + 0.3;
      if (!within) CHECK(interval["gbit_per_s"] == 0);
      sent_s += interval["gbit_per_s"].get<double>() / 0.1 * 0.25;
    }
    CHECK(sent_s == Approx(0.5).margin(0.1));
    CHECK(flow["figures"]["loss"] == 0);
  }
}

TEST_CASE("a load of a host that is not there is an error") {
  const auto run = parse_run({{"loads", json::array({{{"protocol", "tcp"}, {"host", 2}}})}});
  REQUIRE(run.has_value());
  const std::atomic<bool> stop{false};
  const auto peers = find_peers({}, ".", stop, {});
  const auto result = measure(*run, *peers, ".", "test", stop, {});
  REQUIRE(result.has_error());
  CHECK(result.error().what.find("host 2") != std::string::npos);
}

TEST_CASE("an answer is as long as it is asked to be") {
  const auto result =
      measured({{"protocol", "tcp"}, {"pattern", "requests"}, {"message_bytes", 64}, {"answer_bytes", 200'000}}, 0.5);
  CHECK(result["complete"] == true);
  CHECK(result["figures"]["messages"].get<double>() > 0);
}

// Another host's program: it reports `progress` once, and is done.
class FakePeer final : public Peer {
public:
  explicit FakePeer(json progress) : progress_(std::move(progress)) {}
  [[nodiscard]] SideAddresses addresses() const override { return {"127.0.0.1", "127.0.0.1", true}; }
  Result<void> prepare(const RunSpec& /*run*/) override { return {}; }
  Result<void> start() override { return {}; }
  Result<json> progress() override {
    return json_value(std::exchange(progress_, {{"intervals", json::array()}, {"done", true}}));
  }
  Result<void> stop_sending() override { return {}; }
  Result<json> finish() override { return json_value({{"ends", json::array()}, {"host", json::object()}}); }

private:
  json progress_;
};

struct Traced {
  json result;
  std::vector<CallRecord> calls;
  std::uint64_t missing = 0;
};

Traced traced(const json& calls) {
  auto load = bursts(0, 8, 1, "reverse");
  load["trace"] = true;
  load["base_port"] = free_even_ports(4);
  const auto run = parse_run({{"duration_s", 0.1}, {"warm_up_s", 0}, {"loads", json::array({load})}});
  REQUIRE(run.has_value());
  Peers peers;
  peers.push_back(std::make_unique<FakePeer>(json{{"intervals", json::array()}, {"done", false}, {"calls", calls}}));
  Traced traced;
  const std::atomic<bool> stop{false};
  MeasurementListener listener;
  listener.on_calls = [&](const std::vector<CallRecord>& all, std::uint64_t missing) {
    traced.calls = all;
    traced.missing = missing;
  };
  auto result = measure(*run, peers, ".", "test", stop, listener);
  REQUIRE(result.has_value());
  traced.result = std::move(*result);
  return traced;
}

json call(std::int64_t begin_ns, std::int64_t for_ns) {
  return {{"kind", "answer"}, {"flow", 3}, {"burst", 2}, {"bytes", 9}, {"begin_ns", begin_ns}, {"for_ns", for_ns}};
}

TEST_CASE("a peer's records of calls are taken, and their gaps counted") {
  const auto good = traced({{"records", json::array({call(1'000, 50)})}, {"dropped", 4}});
  CHECK(good.result["complete"] == true);
  CHECK(good.result["calls_missing"] == 4);
  CHECK(good.missing == 4);
  REQUIRE(good.calls.size() == 1);
  const WallTime begin{Nanoseconds{1'000}};
  CHECK(good.calls[0] == CallRecord{begin, begin + Nanoseconds{50}, 9, 2, 3, CallKind::answer});
}

TEST_CASE("records of calls that cannot be read end the measurement") {
  constexpr auto last = std::numeric_limits<std::int64_t>::max();
  for (const auto& record : {call(-1, 1), call(1, -1), call(last, last), json{{"kind", "sleep"}}, json(7)}) {
    const auto bad = traced({{"records", json::array({record})}, {"dropped", 0}});
    CHECK(bad.result["complete"] == false);
    CHECK(bad.result["error"].get<std::string>().find("records of calls cannot be read") != std::string::npos);
    CHECK(bad.calls.empty());
  }
}

}  // namespace
}  // namespace lw
