// The node's connection to the server: hello first, reports ten times a second, patterns to the tiles, and reconnected
// after every outage.
#include "wall-client/control/node_link.h"

#include <spdlog/spdlog.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "common/messages/message.h"
#include "common/messages/rpc.h"
#include "common/messages/tile_picture.h"
#include "common/web/web_server.h"
#include "tests/support/raw_client.h"

namespace {

using namespace lw;
using lw::test::pump;
using namespace std::chrono_literals;

// A server that keeps what it receives. The node's thread calls read and overlay.
struct FakeServer {
  boost::asio::io_context io{1};
  Wall wall;
  std::vector<Json> heard;
  WebPeer* peer = nullptr;
  std::unique_ptr<WebServer> server;
  std::atomic<std::uint64_t> bytes{0};
  std::uint32_t frames = 0;        // the node's thread
  std::atomic<bool> noted{false};  // there are records of frames
  std::mutex mutex;
  std::vector<TileOverlay> overlays;
  std::vector<Fades> fades;
  PreviewSlot preview{{5}, 640, 400};
  std::unique_ptr<NodeLink> node;

  FakeServer() {
    spdlog::set_level(spdlog::level::off);
    wall.coordinator().control_port = lw::test::free_port();
    wall.set_grid({.columns = 2, .rows = 3, .tile_width = 640, .tile_height = 400});
  }
  void serve() {
    WebHandlers handlers;
    handlers.opened = [this](WebPeer& opened) { peer = &opened; };
    handlers.message = [this](WebPeer&, std::string_view text) { heard.push_back(Json::parse(text)); };
    handlers.closed = [this](WebPeer&) { peer = nullptr; };
    handlers.get = [](std::string_view) { return HttpReply{}; };
    auto listening = WebServer::listen(io, "127.0.0.1", wall.coordinator().control_port, std::move(handlers));
    REQUIRE(listening.has_value());
    server = std::move(*listening);
  }
  void start_node() {
    ReportedNode reported;
    reported.hello.node = "left";
    reported.read = [this](NodeReading& reading) {
      reading.flows.resize(1);
      reading.flows[0].bytes = bytes += 1'250'000;
      reading.tiles.resize(1);
      reading.tiles[0].tile = {5};
      reading.renderer = "painter";
      if (noted) reading.records = {{.media_time = WallClock::now(), .frame = ++frames, .step = FrameStep::received}};
      reading.records_dropped = 5;
    };
    reported.on_overlay = [this](TileIndex, const TileOverlay& wanted) {
      const std::lock_guard lock(mutex);
      overlays.push_back(wanted);
    };
    reported.on_fades = [this](const Fades& wanted) {
      const std::lock_guard lock(mutex);
      fades.push_back(wanted);
    };
    reported.previews = {&preview};
    node = std::make_unique<NodeLink>(wall, std::move(reported));
  }
  bool hears(std::size_t count, std::chrono::milliseconds limit = 10s) {
    return pump(
        io, [&] { return heard.size() >= count; }, limit);
  }
  std::size_t overlay_count() {
    const std::lock_guard lock(mutex);
    return overlays.size();
  }
};

}  // namespace

TEST_CASE("a node says hello, then reports with rates over the interval") {
  FakeServer server;
  server.serve();
  server.start_node();
  REQUIRE(server.hears(4));
  CHECK(server.heard[0]["method"] == "node.hello");
  CHECK(server.heard[0].contains("id"));
  CHECK(server.heard[0]["params"]["node"] == "left");
  CHECK(server.heard[0]["params"]["protocol"] == protocol_version);
  const auto& report = server.heard[3];
  CHECK(report["method"] == "node.report");
  CHECK_FALSE(report.contains("id"));
  const auto& params = report["params"];
  CHECK(params["node"] == "left");
  CHECK(params["renderer"] == "painter");
  CHECK(params["tiles"][0]["tile"] == Json{1, 2});
  const auto interval = params["interval_s"].get<double>();
  CHECK(params["flows"][0]["gbit_per_s"].get<double>() * interval == Approx(0.01));
  CHECK_FALSE(params["flows"][0].contains("jitter_us"));
}

TEST_CASE("a node sends its frame records after its reports, including those from before there was a server") {
  FakeServer server;
  server.noted = true;
  server.start_node();
  lw::test::pump_for(server.io, 350ms);
  server.serve();
  REQUIRE(server.hears(6));
  REQUIRE(server.heard[3]["method"] == "node.frames");
  REQUIRE(server.heard[5]["method"] == "node.frames");
  const auto& params = server.heard[3]["params"];
  CHECK(params["dropped"] == 5);
  auto records = params["records"];
  CHECK(records.size() > 2);
  for (const auto& record : server.heard[5]["params"]["records"]) records.push_back(record);
  for (std::size_t i = 0; i < records.size(); ++i) {
    CHECK(records[i]["step"] == "received");
    CHECK(records[i]["frame"] == i + 1);
  }
}

TEST_CASE("patterns reach the tiles; unknown messages do not") {
  FakeServer server;
  server.serve();
  server.start_node();
  REQUIRE(server.hears(1));
  const auto tell = [&](const Json& params) { server.peer->send(rpc_notification("node.pattern", params)); };
  tell({{"tile", {1, 2}}, {"pattern", "stripes"}, {"identify", false}});
  tell({{"tile", 1}, {"pattern", "grid"}});
  server.peer->send("garbage");
  server.peer->send(rpc_failure({1, rpc_code::cannot, "no"}));
  tell({{"tile", {1, 2}}, {"pattern", "grid"}, {"identify", true}, {"mark", true}});
  REQUIRE(pump(server.io, [&] { return server.overlay_count() == 1; }));
  const std::lock_guard lock(server.mutex);
  CHECK(server.overlays[0].tile == GridCell{1, 2});
  CHECK(server.overlays[0].pattern == Pattern::grid);
  CHECK(server.overlays[0].identify);
  CHECK(server.overlays[0].mark);
}

TEST_CASE("fades reach the node, except those that would keep it dark") {
  FakeServer server;
  server.serve();
  server.start_node();
  REQUIRE(server.hears(1));
  const Json good{{"start_us", 1'000}, {"black_us", 2'000}, {"bright_us", 3'000}, {"end_us", 4'000}};
  auto endless = good;
  endless["end_us"] = 3'600'000'000;
  for (const auto& fade : {endless, good}) server.peer->send(rpc_notification("node.fade", {{"fades", {fade}}}));
  const auto heard = [&] {
    const std::lock_guard lock(server.mutex);
    return server.fades;
  };
  REQUIRE(pump(server.io, [&] { return !heard().empty(); }));
  REQUIRE(heard().size() == 1);
  CHECK(heard()[0].newest[0].end == WallTime{4ms});
}

TEST_CASE("a node reconnects after an outage, with hello first") {
  FakeServer server;
  server.start_node();
  lw::test::pump_for(server.io, 100ms);
  server.serve();
  REQUIRE(server.hears(2, 5s));
  server.server.reset();
  server.peer = nullptr;
  server.heard.clear();
  server.serve();
  REQUIRE(server.hears(2, 5s));
  CHECK(server.heard[0]["method"] == "node.hello");
  CHECK(server.heard[1]["method"] == "node.machine");
  CHECK_FALSE(server.heard[1]["params"]["topology"]["cores"].empty());
  REQUIRE(server.hears(3, 5s));
  CHECK(server.heard[2]["method"] == "node.report");
}

TEST_CASE("a node ends at once, with or without a server") {
  FakeServer server;
  const auto start = std::chrono::steady_clock::now();
  server.start_node();
  server.node.reset();
  server.serve();
  server.start_node();
  REQUIRE(server.hears(1));
  server.node.reset();
  CHECK(pump(server.io, [&] { return server.peer == nullptr; }));
  CHECK(std::chrono::steady_clock::now() - start < 5s);
}

TEST_CASE("a node sends previews while they are wanted, one at a time") {
  FakeServer server;
  server.serve();
  server.start_node();
  REQUIRE(server.hears(3));
  CHECK_FALSE(server.preview.asked());
  server.peer->send(rpc_notification("node.pictures", {{"on", true}}));
  const auto pictures = [&] {
    std::vector<Json> found;
    for (const auto& message : server.heard)
      if (message["method"] == "node.picture") found.push_back(message["params"]);
    return found;
  };
  for (const std::uint32_t frame : {11U, 12U}) {
    REQUIRE(pump(server.io, [&] { return server.preview.asked(); }));
    server.preview.picture().frame = frame;
    server.preview.hand_over();
  }
  REQUIRE(pump(server.io, [&] { return pictures().size() == 2; }));
  CHECK(to_json(read_message<TilePictureMessage>(pictures()[0]).value()) == pictures()[0]);
  CHECK(pictures()[0]["tile"] == Json{1, 2});
  CHECK(pictures()[1]["frame"] == 12);
  server.peer->send(rpc_notification("node.pictures", {{"on", "yes"}}));  // invalid: no change
  REQUIRE(pump(server.io, [&] { return server.preview.asked(); }));
  server.peer->send(rpc_notification("node.pictures", {{"on", false}}));
  REQUIRE(server.hears(server.heard.size() + 8));
  server.preview.hand_over();
  REQUIRE(server.hears(server.heard.size() + 8));
  CHECK(pictures().size() == 2);
}
