// The law: no state that callers, nodes and stores can cause makes an answer or a notification longer than
// reply_bytes_max. Every method is called after each of its inputs was given the greatest accepted length.
#include "server/control/reply_limits.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <string>

#include "common/store/npy_header.h"
#include "common/store/store_text_limits.h"
#include "common/store/stripe_layout.h"
#include "server/control/page.h"
#include "tests/support/store_folder.h"
#include "tests/unit/server/control/service_fixture.h"

namespace {

using namespace lw;
using lw::test::Operator;
using lw::test::pump;
using lw::test::pump_for;
using lw::test::Service;
namespace fs = std::filesystem;

// Each of these takes six bytes in JSON, and each of those two.
std::string controls(std::size_t bytes) { return std::string(bytes, '\x01'); }
std::string quotes(std::size_t bytes) { return std::string(bytes, '"'); }

Manifest longest_manifest(const Wall& wall) {
  Manifest m;
  m.geometry = wall.grid;
  m.frame_rate = {30, 1};
  m.frame_count = 1;
  m.stripes = {"."};
  m.title = controls(StoreTextLimits::title);
  m.description = controls(StoreTextLimits::description);
  m.tags.assign(StoreTextLimits::tags, controls(StoreTextLimits::tag));
  m.source = controls(StoreTextLimits::source);
  return m;
}

void write_store(const fs::path& folder, const Manifest& m) {
  const StripeLayout layout(m);
  for (unsigned tile = 0; tile < m.geometry.columns; ++tile) {
    const auto file = stripe_file(folder, m, 0, {tile});
    fs::create_directories(file.parent_path());
    std::ofstream(file) << npy_header({layout.records_in(0, {tile}), m.geometry.tile_height,
                                       row_bytes(m.pixel_format, m.geometry.tile_width),
                                       layout.record_bytes({tile}) - layout.frame_bytes({tile})});
    fs::resize_file(file, layout.file_bytes(0, {tile}));
  }
  std::ofstream(folder / manifest_file_name) << to_json_text(m);
}

Json longest_figures() {
  Json figures = Json::object();
  // Any names a table may have: it skips unknown ones.
  for (const char* key : {"packets",
                          "bytes",
                          "calls",
                          "cpu_s",
                          "used",
                          "in_place",
                          "lost",
                          "resends_asked",
                          "resent",
                          "repaired",
                          "parity",
                          "rebuilt",
                          "duplicates",
                          "reordered",
                          "late",
                          "invalid",
                          "strangers",
                          "rtcp_refused",
                          "loss_runs",
                          "loss_run_max",
                          "bands_whole",
                          "bands_incomplete",
                          "bands_dropped",
                          "jitter_us",
                          "jitter_max_us",
                          "delay_us_min",
                          "delay_us_p50",
                          "delay_us_p99",
                          "completion_us_p50",
                          "completion_us_p99",
                          "assemble_us_p50",
                          "assemble_us_p99",
                          "frames_due",
                          "shown_whole",
                          "shown_repaired",
                          "shown_concealed",
                          "not_shown",
                          "cut_at_start",
                          "swaps",
                          "lateness_us_p50",
                          "lateness_us_p99",
                          "lateness_us_max",
                          "gbit_per_s",
                          "fps"})
    figures[key] = -1.2345678901234567e-300;
  return figures;
}

Json longest_report(const Wall& wall, const std::string& node) {
  Json report{{"node", node}, {"clock", {{"state", "kept"}, {"error_us", 1e14}}}};
  for (const char* key : {"time", "renderer", "swap_group"}) report[key] = controls(256);
  report["flows"] = Json::array();
  for (unsigned flow = 0; flow < wall.flow_count(); ++flow) {
    auto figures = longest_figures();
    figures["flow"] = flow;
    report["flows"].push_back(figures);
  }
  report["tiles"] = Json::array();
  for (const auto& tile : wall.tiles) {
    auto figures = longest_figures();
    figures["tile"] = {tile.cell.column, tile.cell.row};
    figures["pattern"] = controls(256);
    for (int swap = 0; swap < 256; ++swap) figures["presented"].push_back({INT64_MAX - swap, -1.2345678901234567e-300});
    report["tiles"].push_back(figures);
  }
  return report;
}

// As long as a message may be.
Json longest_machine() {
  Json machine{{"name", "host"}, {"topology", {{"cores", Json::array()}}}, {"interfaces", Json::array()}};
  for (int i = 0; i < 600; ++i) machine["interfaces"].push_back({{"name", controls(250)}, {"link_gbit_per_s", 1e14}});
  return machine;
}

Json longest_records(const Wall& wall) {
  Json records = Json::array();
  for (int i = 0; i < 4096; ++i)
    records.push_back({{"step", "shown"},
                       {"fate", "incomplete"},
                       {"tile", {wall.grid.columns - 1, wall.grid.rows - 1}},
                       {"frame", UINT32_MAX},
                       {"generation", UINT16_MAX},
                       {"tick", UINT16_MAX},
                       {"bytes", UINT32_MAX},
                       {"media_ns", INT64_MAX - 3'600'000'000'000},
                       {"times_ns", Json::array_t(4, -3'599'999'999'999)}});
  return {{"records", records}, {"dropped", INT64_MAX}};
}

}  // namespace

TEST_CASE("no state makes an answer or a notification longer than the limit", "[limits]") {
  const StoreFolder content;
  {
    const Service only_its_wall;
    for (int i = 0; i < 12; ++i)
      write_store(content.path / (quotes(240) + std::to_string(100 + i)), longest_manifest(only_its_wall.wall));
    for (int i = 0; i < 220; ++i) {
      const auto folder = content.path / (controls(200) + std::to_string(i));
      fs::create_directories(folder);
      std::ofstream(folder / manifest_file_name) << Json{{quotes(10'000), 1}};
    }
  }
  Service service({content.path});
  const auto& wall = service.wall;
  const auto limit = reply_bytes_max(wall);
  std::size_t longest = 0;
  std::map<std::string, std::size_t> of_method;
  const auto ask = [&](const std::string& method, const Json& params) {
    const auto text = rpc_request(1, method, params);
    REQUIRE(text.size() <= rpc_bytes_max);
    const auto answer = service.control->answer(text);
    auto& most = of_method[method];
    most = std::max(most, answer.size());
    return Json::parse(answer);
  };
  const auto left = service.open_node("left");
  const auto right = service.open_node("right");

  for (const auto& [node, name] : {std::pair{left.get(), "left"}, {right.get(), "right"}}) {
    node->notify("node.report", longest_report(wall, name));
    node->notify("node.machine", longest_machine());
    for (int i = 0; i < 9; ++i) node->notify("node.frames", longest_records(wall));
  }
  pump_for(service.io, std::chrono::milliseconds(300));
  // Methods that receive more than they accept.
  Json moves = Json::array();
  for (unsigned i = 0; i < 25'000; ++i) moves.push_back({{"flow", i % wall.flow_count()}, {"cpu", i}});
  CHECK(ask("place", {{"flows", moves}})["error"]["code"] == rpc_code::bad_params);
  for (int i = 0; i < 300; ++i) ask("place", {{"flows", {{{"flow", 0}, {"cpu", 1'000'000}}}}});
  CHECK(ask("state", {{std::string(500'000, 'k'), 1}})["error"]["code"] == rpc_code::bad_params);
  CHECK(ask(std::string(500'000, 'm'), Json::object())["error"]["code"] == rpc_code::unknown_method);
  CHECK(service.control->answer(rpc_request(quotes(400'000), "state", Json::object())).size() < 4096);
  // The longest accepted one.
  Json names = Json::array();
  for (int i = 0; i < 1000; ++i) names.push_back(quotes(240) + std::to_string(100 + i % 12));
  ask("playlist", {{"names", names}});
  for (int i = 0; i < 300; ++i)
    service.control->on_event({Severity::warning, "code-" + std::to_string(i), controls(100'000), TileIndex{}, 0});
  auto after = service.call("list");
  std::size_t listed = after["result"]["visualizations"].size();
  CHECK(listed < 12);  // more than a page
  of_method["list"] = to_text(after).size();
  while (after["result"].value("more", false)) {
    after = ask("list", {{"after", after["result"]["visualizations"].back()["name"]}});
    listed += after["result"]["visualizations"].size();
  }
  CHECK(listed == 12);
  auto hosts = ask("machines", Json::object())["result"];
  std::size_t counted = hosts["machines"].size();
  while (hosts.value("more", false)) {
    hosts = ask("machines", {{"after", hosts["machines"].back()["name"]}})["result"];
    counted += hosts["machines"].size();
  }
  CHECK(counted == 3);
  for (const auto& method : service.control->method_names()) {
    const auto name = quotes(240) + "100";
    for (const auto& params : {Json::object(), Json{{"name", name}}, Json{{"name", controls(1000)}}, Json{{"on", true}},
                               Json{{"name", name}, {"kind", "poster"}}, Json{{"after", 0}}, Json{{"seconds", 3600}}})
      if (method != "delete") ask(method, params);
  }
  ask("describe",
      {{"name", quotes(240) + "100"}, {"title", controls(150)}, {"tags", Json::array_t(64, controls(256))}});
  const auto desk = service.open();
  const auto subscribed = desk->call("subscribe", {{"pictures", true}});
  for (const auto& message : desk->listen(std::chrono::milliseconds(500)))
    if (message.contains("method")) {
      auto& most = of_method["notification " + message["method"].get<std::string>()];
      most = std::max(most, to_text(message).size());
    }
  of_method["subscribe"] = to_text(subscribed).size();
  CHECK(subscribed["result"]["events"].size() == 200);
  for (const auto& [method, bytes] : of_method) {
    CAPTURE(method, bytes);
    CHECK(bytes <= limit);
    longest = std::max(longest, bytes);
  }
  CHECK(longest > limit / 8);  // the inputs are really long
}

TEST_CASE("a wall of the largest size has room for the figures of all its flows") {
  auto wall = lw::test::two_tiles();
  wall.set_grid({.columns = 64, .rows = 64});
  wall.streaming.flows_per_tile = 3;
  const auto report = [&] {
    auto one = longest_report(lw::test::two_tiles(), "left");
    return std::pair{to_text(one["flows"][0]).size(), to_text(one["tiles"][0]).size()};
  }();
  CHECK(wall.flow_count() * report.first + wall.tile_count() * report.second < reply_bytes_max(wall));
  CHECK(queued_bytes_max(wall) > reply_bytes_max(wall));
}

TEST_CASE("a page holds as many entries as fit, and at least one") {
  Page page;
  Json list = Json::array();
  CHECK(page.take(std::string(2 * page_bytes, 'x'), list));
  CHECK_FALSE(page.take("y", list));
  Page other;
  Json many = Json::array();
  while (other.take(std::string(1000, 'x'), many)) {
  }
  CHECK(to_text(many).size() <= page_bytes + 2);
  CHECK(to_text(many).size() > page_bytes - 2000);
}
