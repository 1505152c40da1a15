// GET /metrics follows Prometheus' text format 0.0.4 exactly, with the values of the newest statistics.
#include <catch2/catch.hpp>

#include <limits>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "common/messages/node_report.h"
#include "common/metrics/registry.h"
#include "tests/unit/server/control/service_fixture.h"

namespace {

using namespace lw;
using lw::test::pump;
using lw::test::Service;

struct Exposition {
  std::map<std::string, std::string> types;
  std::set<std::string> helped;
  std::map<std::string, double> samples;  // by name{labels}
};

// A series of a histogram, while its samples are read: bounds ascend, counts do not fall, and the last is the count.
struct Buckets {
  double bound = -std::numeric_limits<double>::infinity();
  double count = 0;

  void add(const std::string& le, double value) {
    const double next = le == "+Inf" ? std::numeric_limits<double>::infinity() : std::stod(le);
    CHECK(next > bound);
    CHECK(value >= count);
    bound = next;
    count = value;
  }
  void end(double value) const {
    CHECK(bound == std::numeric_limits<double>::infinity());
    CHECK(value == count);
  }
};

// The family of a sample's name; of a histogram's samples without the ending.
std::string family_of(const std::string& name, const std::map<std::string, std::string>& types) {
  for (const std::string ending : {"_bucket", "_sum", "_count"}) {
    if (!name.ends_with(ending)) continue;
    const auto family = name.substr(0, name.size() - ending.size());
    if (const auto type = types.find(family); type != types.end() && type->second == "histogram") return family;
  }
  return name;
}

// Checks the format on the way: HELP and TYPE before the samples, each family in one piece, no sample twice.
Exposition parse(const std::string& text) {
  REQUIRE_FALSE(text.empty());
  CHECK(text.back() == '\n');
  static const std::regex sample(
      R"(^([a-z_][a-z0-9_]*)\{([a-z]+="(?:[^"\\\n]|\\.)*"(?:,[a-z]+="(?:[^"\\\n]|\\.)*")*)\} (-?[0-9.]+(?:e[+-]?[0-9]+)?)$)");
  Exposition all;
  std::set<std::string> ended;
  std::string family;
  std::map<std::string, Buckets> buckets;  // by family and labels
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    INFO(line);
    std::istringstream words(line);
    std::string hash, kind, name, type;
    if (line.starts_with("#")) {
      words >> hash >> kind >> name >> type;
      if (kind == "HELP") CHECK(all.helped.insert(name).second);
      if (kind == "TYPE") CHECK(all.types.emplace(name, type).second);
      CHECK((kind == "HELP" || kind == "TYPE"));
      CHECK_FALSE(type.empty());
      continue;
    }
    std::smatch match;
    REQUIRE(std::regex_match(line, match, sample));
    const std::string series = match[1], labels = match[2];
    const double value = std::stod(match[3]);
    name = family_of(series, all.types);
    if (all.types[name] == "histogram") {
      const auto le = labels.find(",le=\"");
      auto& of_series = buckets[name + "{" + labels.substr(0, le)];
      if (series.ends_with("_bucket")) of_series.add(labels.substr(le + 5, labels.size() - le - 6), value);
      if (series.ends_with("_count")) of_series.end(value);
    }
    CHECK_THAT(name, Catch::StartsWith("lambdawall_"));
    CHECK(all.types.contains(name));
    CHECK(all.helped.contains(name));
    CHECK((all.types[name] == "counter") == name.ends_with("_total"));
    if (name != family) {
      CHECK_FALSE(ended.contains(name));
      ended.insert(family);
      family = name;
    }
    CHECK(all.samples.emplace(series + "{" + labels + "}", value).second);
  }
  return all;
}

std::string body(const std::string& answer) { return answer.substr(answer.find("\r\n\r\n") + 4); }

}  // namespace

TEST_CASE("/healthz, /metrics and nothing else") {
  Service service;
  const auto health = service.http("/healthz");
  CHECK_THAT(health, Catch::StartsWith("HTTP/1.1 200 ") && Catch::EndsWith("ok\n"));
  const auto metrics = service.http("/metrics");
  CHECK_THAT(metrics, Catch::StartsWith("HTTP/1.1 200 ") && Catch::Contains("text/plain; version=0.0.4"));
  parse(body(metrics));
  CHECK_THAT(service.http("/"), Catch::StartsWith("HTTP/1.1 404 "));
}

TEST_CASE("metrics have the figures of server and nodes, in base units, and only those measured") {
  Service service;
  SenderFlowStats sent;
  sent.packets = 12'345'678'901'234;
  sent.late_max = Nanoseconds(1'500);
  service.session.sender = {sent, sent, sent, sent};
  for (unsigned i = 0; i < 4; ++i) service.session.sender[i].flow = i;
  service.session.sender[3].round_trip = Nanoseconds(2'000'000);

  ReceiverFlowStats received;
  received.packets = 100;
  received.used = 100;
  received.jitter_us = 12.5;
  ReceiverFlowStats other;
  other.flow = 1;
  TileStats tile;
  tile.swaps = 7;
  const Json report{{"flows", {to_json(report_of(received, nullptr, 0)), to_json(report_of(other, nullptr, 0))}},
                    {"tiles", {to_json(report_of(tile, nullptr, {}, 0))}}};
  const auto node = service.open_node("left");
  CHECK(node->call("node.report", report).contains("result"));
  REQUIRE(pump(service.io, [&] {
    return service.control->metrics_text().find("lambdawall_tile_swaps_total") != std::string::npos;
  }));

  auto all = parse(body(service.http("/metrics")));
  const auto value = [&](const std::string& key) {
    INFO(key);
    REQUIRE(all.samples.contains(key));
    return all.samples[key];
  };
  CHECK(value(R"(lambdawall_sender_packets_total{flow="0",tile="0,0"})") == 12'345'678'901'234.0);
  CHECK(value(R"(lambdawall_sender_packets_total{flow="3",tile="1,0"})") == 12'345'678'901'234.0);
  CHECK(value(R"(lambdawall_sender_late_seconds_max{flow="0",tile="0,0"})") == Approx(1.5e-6));
  CHECK(value(R"(lambdawall_sender_round_trip_seconds{flow="3",tile="1,0"})") == Approx(2e-3));
  CHECK(value(R"(lambdawall_receiver_packets_total{node="left",flow="0"})") == 100);
  CHECK(value(R"(lambdawall_receiver_lost_packets_total{node="left",flow="0"})") == 0);
  CHECK(value(R"(lambdawall_receiver_jitter_seconds{node="left",flow="0"})") == Approx(12.5e-6));
  CHECK(value(R"(lambdawall_tile_swaps_total{node="left",tile="0,0"})") == 7);
  CHECK(value(R"(lambdawall_node_connected{node="left"})") == 1);
  CHECK(value(R"(lambdawall_node_connected{node="right"})") == 0);
  CHECK(all.samples.size() > 40);
  // Not measured: absent.
  CHECK_FALSE(all.samples.contains(R"(lambdawall_sender_round_trip_seconds{flow="0",tile="0,0"})"));
  CHECK_FALSE(all.samples.contains(R"(lambdawall_receiver_jitter_seconds{node="left",flow="1"})"));
  CHECK_FALSE(all.types.contains("lambdawall_receiver_kernel_drops_total"));
  CHECK_FALSE(all.types.contains("lambdawall_tile_frame"));
}

TEST_CASE("rates of the sender are differences over the interval") {
  Service service;
  service.session.sender.resize(4);
  REQUIRE(pump(service.io, [&] { return service.call("stats")["result"]["interval_s"].get<double>() > 0; }));
  const auto before = service.call("stats")["result"]["time"];
  service.session.sender[0].bytes += 12'500'000;  // 0.1 Gbit
  Json stats;
  REQUIRE(pump(service.io, [&] { return (stats = service.call("stats")["result"])["time"] != before; }));
  CHECK(stats["sender"][0]["gbit_per_s"].get<double>() * stats["interval_s"].get<double>() == Approx(0.1));
  CHECK(stats["sender"][1]["gbit_per_s"] == 0.0);
}

TEST_CASE("histograms of flows are those of their tile, and only those in which something was counted") {
  Service service;
  service.session.sender.resize(4);
  for (unsigned i = 0; i < 4; ++i) service.session.sender[i].flow = i;
  service.session.histograms.resize(4);
  const auto flows = service.wall.streaming.flows_per_tile;
  service.session.histograms[0].send.add(Nanoseconds{15'000});
  service.session.histograms[flows - 1].send.add(Nanoseconds{3'000'000});
  REQUIRE(pump(service.io, [&] { return service.call("stats")["result"]["interval_s"].get<double>() > 0; }));
  const auto all = parse(body(service.http("/metrics")));
  CHECK(all.types.at("lambdawall_sender_send_seconds") == "histogram");
  CHECK_FALSE(all.types.contains("lambdawall_sender_read_seconds"));
  const auto value = [&](const std::string& ending) {
    return all.samples.at("lambdawall_sender_send_seconds_" + ending);
  };
  CHECK(value(R"(bucket{tile="0,0",le="1e-05"})") == 0);
  CHECK(value(R"(bucket{tile="0,0",le="2e-05"})") == 1);
  CHECK(value(R"(bucket{tile="0,0",le="0.005"})") == 2);
  CHECK(value(R"(count{tile="0,0"})") == 2);
  CHECK(value(R"(sum{tile="0,0"})") == Approx(0.003015));
}
