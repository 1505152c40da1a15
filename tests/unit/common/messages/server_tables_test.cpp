// A server's report as tables: after each message the coordinator knows the same report, however it changes.
#include "common/messages/server_tables.h"

#include "tests/support/network.h"
#include "tests/unit/common/messages/told.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace lw;

namespace {

using lw::truth::Random;

Json read(const std::string& message) {
  const auto json = parse_cbor(message, tables_depth_max);
  REQUIRE(json.has_value());
  return *json;
}

SenderFlowReport flow_report(unsigned flow) {
  auto stats = test::full_sender();
  stats.flow = flow;
  return report_of(stats, nullptr, {flow, 0}, 0.1);
}

ServerReport report() {
  ServerReport report;
  report.flows = {flow_report(3), flow_report(9)};
  report.read_failures = 2;
  report.frames_read_late = 5;
  report.library = 7;
  report.import.emplace();
  report.import->server = "b";
  report.import->number = 4;
  report.import->input = "/media/film.mkv";
  SiteStats site;
  site.lost = 7;
  report.sites = {{"bonn", Figures(site), {{"hall", Figures(site)}, {"foyer", Figures(site)}}},
                  {"kyoto", Figures(site), {{"lab", Figures(site)}}}};
  return report;
}

void change(ServerReport& report, Random& random) {
  switch (random.below(6)) {
    case 0:
      report.read_failures += random.below(3);
      break;
    case 1:
      report.import.reset();
      break;
    case 2:
      report.import.emplace();
      report.import->server = "b";
      report.import->frames = random.below(1000);
      break;
    case 3:
      report.sites[random.below(2)].nodes[0].figures["lost"] = random.below(1000);
      break;
    case 4:
      if (report.flows.size() > 1) report.flows.erase(report.flows.begin());
      break;
    default:
      report.flows.push_back(flow_report(report.flows.back().flow + 1));
      report.flows.front().figures["packets"] = random.below(1000);
  }
}

}  // namespace

TEST_CASE("after each message the coordinator knows the server's report; flows as of the last message with them") {
  Random random(31);
  ServerTablesSender sender;
  ServerTablesReceiver receiver;
  auto sent = report();
  ServerReport known;
  auto flows = sent.flows;
  for (int i = 0; i < 300; ++i) {
    const bool with_flows = random.once_in(3);
    if (with_flows || i == 0) flows = sent.flows;
    REQUIRE(receiver.take(read(sender.message(sent, with_flows)), known).has_value());
    auto expected = sent;
    expected.flows = flows;
    REQUIRE(known == expected);
    change(sent, random);
  }
}

TEST_CASE("after a message that was missed only a first one is read") {
  ServerTablesSender sender;
  ServerTablesReceiver receiver;
  auto sent = report();
  ServerReport known;
  REQUIRE(receiver.take(read(sender.message(sent, true)), known).has_value());
  ++sent.read_failures;
  (void)sender.message(sent, true);
  CHECK_FALSE(receiver.take(read(sender.message(sent, true)), known).has_value());
  CHECK_FALSE(receiver.take(read(sender.message(sent, true)), known).has_value());
  sender = {};
  REQUIRE(receiver.take(read(sender.message(sent, false)), known).has_value());
  CHECK(known == sent);
}

TEST_CASE("a report in which nothing changed is short") {
  ServerTablesSender sender;
  const auto sent = report();
  const auto full = sender.message(sent, true);
  CHECK(sender.message(sent, true).size() < 32);
  CHECK(full.size() > 200);
}
