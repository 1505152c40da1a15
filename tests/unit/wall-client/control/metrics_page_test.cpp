// A node's own page for Prometheus: its figures, and none whose correctness only the server can judge; unencrypted on
// this host only.
#include "wall-client/control/metrics_page.h"

#include <spdlog/spdlog.h>

#include <catch2/catch.hpp>

#include "tests/support/raw_client.h"
#include "tests/support/temporary_folder.h"

namespace {

using namespace lw;

Wall wall_of_six() {
  Wall wall;
  wall.set_grid({.columns = 3, .rows = 2});
  return wall;
}

NodeReading reading(ClockState state) {
  NodeReading reading;
  reading.flows.resize(2);
  reading.flows[1].flow = 7;
  reading.flows[1].packets = 12;
  reading.flows[1].delay_us_p50 = 350;
  reading.flows[1].completion_us_p99 = 900;
  reading.flows[1].assemble = {100, 200};
  reading.tiles.resize(1);
  reading.tiles[0].tile = {5};
  reading.tiles[0].swaps = 9;
  reading.clock.state = state;
  reading.clock.error = Nanoseconds{30'000};
  reading.process = {1.5, 4};
  return reading;
}

}  // namespace

TEST_CASE("a node's page has its figures in base units") {
  const auto text = metrics_text(wall_of_six(), "left \"1\"", reading(ClockState::kept));
  for (const char* line :
       {"lambdawall_receiver_packets_total{node=\"left \\\"1\\\"\",flow=\"7\"} 12\n",
        "lambdawall_receiver_assemble_seconds_p99{node=\"left \\\"1\\\"\",flow=\"7\"} 0.000",
        "lambdawall_tile_swaps_total{node=\"left \\\"1\\\"\",tile=\"2,1\"} 9\n",
        "lambdawall_node_cpus{node=\"left \\\"1\\\"\"} 4\n", "# TYPE lambdawall_receiver_packets_total counter\n"}) {
    INFO(line);
    CHECK_THAT(text, Catch::Contains(line));
  }
  CHECK_THAT(text, Catch::Contains("lambdawall_receiver_delay_seconds_p50"));
  CHECK_THAT(text, Catch::Contains("lambdawall_node_clock_error_seconds"));
}

TEST_CASE("delays are omitted if the clock's error against the server's is unknown") {
  const auto text = metrics_text(wall_of_six(), "left", reading(ClockState::system));
  for (const char* name : {"delay_seconds", "completion_seconds", "clock_error_seconds"})
    CHECK_THAT(text, !Catch::Contains(name));
  CHECK_THAT(text, Catch::Contains("lambdawall_receiver_assemble_seconds_p50"));
}

TEST_CASE("histograms of a node's flows are added up over each tile, and need what the figures need") {
  ReceiverFlowHistograms first, second, other;
  TileHistograms tile;
  first.delay.add(Nanoseconds{20'000});
  second.delay.add(Nanoseconds{30'000});
  other.assemble.add(Nanoseconds{1'000'000});
  tile.lateness.add(Nanoseconds{1'500});
  const NodeHistograms histograms{{{{5}, &first}, {{5}, &second}, {{0}, &other}}, {{{5}, &tile}}};
  const auto text = metrics_text(wall_of_six(), "left", reading(ClockState::kept), histograms);
  for (const char* line : {"# TYPE lambdawall_receiver_delay_seconds histogram\n",
                           "lambdawall_receiver_delay_seconds_bucket{node=\"left\",tile=\"2,1\",le=\"2e-05\"} 1\n",
                           "lambdawall_receiver_delay_seconds_count{node=\"left\",tile=\"2,1\"} 2\n",
                           "lambdawall_receiver_assemble_seconds_count{node=\"left\",tile=\"0,0\"} 1\n",
                           "lambdawall_tile_lateness_seconds_bucket{node=\"left\",tile=\"2,1\",le=\"1e-06\"} 0\n"}) {
    INFO(line);
    CHECK_THAT(text, Catch::Contains(line));
  }
  const auto unbounded = metrics_text(wall_of_six(), "left", reading(ClockState::system), histograms);
  CHECK_THAT(unbounded, !Catch::Contains("receiver_delay_seconds"));
  CHECK_THAT(unbounded, Catch::Contains("receiver_assemble_seconds_count"));
}

TEST_CASE("the page is served, and an invalid address is reported") {
  spdlog::set_level(spdlog::level::off);
  boost::asio::io_context io{1};
  const auto port = lw::test::free_port();
  const auto where = "127.0.0.1:" + std::to_string(port);
  const auto wall = wall_of_six();
  const auto read = [] { return reading(ClockState::kept); };
  const auto page = MetricsPage::open(where, wall, "left", read);
  REQUIRE(page.has_value());
  const auto get = [&](const std::string& path) {
    return lw::test::RawClient(io, port).exchange("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  };
  CHECK_THAT(get("/metrics"), Catch::StartsWith("HTTP/1.1 200 ") && Catch::Contains("lambdawall_tile_swaps_total"));
  CHECK_THAT(get("/healthz"), Catch::EndsWith("ok\n"));
  CHECK_THAT(get("/"), Catch::StartsWith("HTTP/1.1 404 "));
  CHECK_THAT(MetricsPage::open(where, wall, "left", read).error().text(), Catch::Contains("is in use; choose another"));
  const lw::test::TemporaryFolder folder;  // for others it takes a certificate
  CHECK(MetricsPage::open("0.0.0.0:" + std::to_string(lw::test::free_port()), wall, "left", read, {}, folder.path)
            .has_value());
  CHECK(std::filesystem::exists(folder.path / "control.crt"));
  for (const char* wrong : {"9011", "localhost:9011", "127.0.0.1:http", ""})
    CHECK_THAT(MetricsPage::open(wrong, wall, "left", read).error().text(), Catch::Contains("like 127.0.0.1:9011"));
}
