// A node's report as tables: the same report as by JSON, all of it at once or in turns.
#include "common/messages/node_tables.h"

#include "common/messages/rpc.h"
#include "tests/unit/common/messages/told.h"

#include <catch2/catch.hpp>

using namespace lw;

namespace {

NodeReport report() {
  NodeReport report;
  report.time = "2026-01-31T12:00:00.100Z";
  report.interval_s = 0.1;
  report.renderer = "painter";
  report.clock = report_of(test::full_clock());
  report.clock->figures["phc_offset_us"] = -0.75;  // as true as a short number
  report.process = ProcessReport{0.5, Figures(ProcessStats{1.5, 4})};
  report.sound = SoundReport{Figures(test::full_sound())};
  report.flows.push_back(report_of(test::full_receiver(), nullptr, 0.1));
  auto other = test::full_receiver();
  other.flow = 9;
  report.flows.push_back(report_of(other, nullptr, 0.1));
  report.tiles.push_back(report_of(test::full_tile(), nullptr, {1, 0}, 0.1));
  report.tiles[0].presented = {{2'000'000, -3.5}, {0, 0.0}};
  return report;
}

Json read(const std::string& message) {
  const auto json = parse_cbor(message, tables_depth_max);
  REQUIRE(json.has_value());
  return *json;
}

}  // namespace

TEST_CASE("a report that is sent as tables is the same report") {
  NodeTablesSender sender;
  NodeTablesReceiver receiver;
  auto sent = report();
  auto got = receiver.take(read(sender.message(sent, false)));  // full, whatever is asked
  REQUIRE(got.has_value());
  CHECK((*got)->tiles[0].presented == std::nullopt);  // events are not in a full message
  sent.tiles[0].presented.reset();
  CHECK(**got == sent);

  sent = report();
  sent.flows[1].figures["lost"] = 77U;
  sent.flows[0].figures["jitter_us"] = 123.0;
  sent.renderer.reset();
  got = receiver.take(read(sender.message(sent, true)));
  REQUIRE(got.has_value());
  CHECK(**got == sent);
}

TEST_CASE("between detailed messages, losses and what tiles show are sent, and the rest keeps its value") {
  NodeTablesSender sender;
  NodeTablesReceiver receiver;
  REQUIRE(receiver.take(read(sender.message(report(), true))).has_value());
  auto sent = report();
  sent.flows[1].figures["lost"] = 77U;
  sent.flows[1].figures["lost_settled"] = 70U;
  sent.flows[1].figures["kernel_drops_settled"] = 60U;
  sent.flows[1].figures["jitter_us"] = 123.0;
  sent.tiles[0].figures["frame"] = 10U;
  auto got = receiver.take(read(sender.message(sent, false)));
  REQUIRE(got.has_value());
  CHECK((*got)->flows[1].figures["lost"] == Figure(77U));
  CHECK((*got)->flows[1].figures["lost_settled"] == Figure(70U));
  CHECK((*got)->flows[1].figures["kernel_drops_settled"] == Figure(60U));
  CHECK((*got)->flows[1].figures["jitter_us"] == Figure(5.5));
  CHECK((*got)->tiles[0].figures["frame"] == Figure(10U));
  CHECK((*got)->tiles[0].presented == sent.tiles[0].presented);
  got = receiver.take(read(sender.message(sent, true)));
  REQUIRE(got.has_value());
  CHECK((*got)->flows[1].figures["jitter_us"] == Figure(123.0));
}

TEST_CASE("between detailed messages, a report with the urgent figures only makes the same messages") {
  NodeTablesSender whole, urgent;
  const auto at = [](std::uint64_t frame, bool all) {
    auto sent = report();
    auto flow = test::full_receiver();
    flow.packets += frame;
    flow.lost += frame / 3;
    flow.jitter_us = static_cast<double>(frame);
    auto tile = test::full_tile();
    tile.frame = static_cast<std::uint32_t>(frame);
    tile.late += frame;
    using Rows = std::span<const std::size_t>;
    sent.flows = {report_of(flow, nullptr, 0.1, all ? Rows{} : urgent_figures_of_flows())};
    sent.tiles = {report_of(tile, nullptr, {1, 0}, 0.1, all ? Rows{} : urgent_figures_of_tiles())};
    return sent;
  };
  for (std::uint64_t frame = 1; frame < 30; ++frame) {
    const bool detailed = frame % 10 == 0;
    CHECK(urgent.needs_all() == (frame == 1));
    const bool all = detailed || urgent.needs_all();
    CHECK(urgent.message(at(frame, all), detailed) == whole.message(at(frame, true), detailed));
  }
}

TEST_CASE("flows and tiles that a node no longer has are gone") {
  NodeTablesSender sender;
  NodeTablesReceiver receiver;
  REQUIRE(receiver.take(read(sender.message(report(), true))).has_value());
  auto sent = report();
  sent.flows.erase(sent.flows.begin());
  sent.tiles.clear();
  sent.clock.reset();
  const auto got = receiver.take(read(sender.message(sent, true)));
  REQUIRE(got.has_value());
  CHECK(**got == sent);
}

TEST_CASE("a message that was missed is an error, and a full message follows when the server asks") {
  NodeTablesSender sender;
  NodeTablesReceiver receiver;
  REQUIRE(receiver.take(read(sender.message(report(), true))).has_value());
  sender.message(report(), true);
  CHECK_FALSE(receiver.take(read(sender.message(report(), true))).has_value());
  CHECK_FALSE(receiver.take(read(sender.message(report(), true))).has_value());
  sender.begin_anew();
  auto sent = report();
  const auto got = receiver.take(read(sender.message(sent, false)));
  REQUIRE(got.has_value());
  sent.tiles[0].presented.reset();
  CHECK(**got == sent);
}

TEST_CASE("figures of a later version are skipped, and wrong members are errors that name them") {
  const std::vector<std::string> columns{"flow", "packets", "of_next_year"};
  const auto message = [&](const Json& flow) {
    const Json row = Json::array({0, flow, 1, 12, 2, 5});
    const Json events = Json::array({false, false, false});
    const Json table = Json::array({0, "flows", columns, events, Json::array({7, row}), Json::array()});
    return read(to_cbor(Json::array({"node.report", 1, true, Json::array({table})})));
  };
  NodeTablesReceiver receiver;
  const auto got = receiver.take(message(7));
  REQUIRE(got.has_value());
  REQUIRE((*got)->flows.size() == 1);
  CHECK((*got)->flows[0].flow == 7);
  CHECK((*got)->flows[0].figures["packets"] == Figure(12U));
  const auto error = receiver.take(message("seven"));
  REQUIRE_FALSE(error.has_value());
  CHECK_THAT(error.error().what, Catch::Contains("flow must be a whole number"));
}

TEST_CASE("of a wall that runs, a report costs a fraction of its JSON") {
  NodeTablesSender sender;
  auto sent = report();
  for (unsigned flow = 0; flow < 64; ++flow) {
    auto one = sent.flows[0];
    one.flow = 100 + flow;
    sent.flows.push_back(one);
  }
  sender.message(sent, true);
  const auto json = to_text(to_json(sent)).size();
  for (auto& flow : sent.flows) flow.figures["packets"] = 12'345U;
  CHECK(sender.message(sent, false).size() < json / 40);
}
