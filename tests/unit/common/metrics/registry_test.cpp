// docs/metrics.md describes every figure that leaves a program, and under its own heading.
#include "common/metrics/registry.h"

#include "tests/unit/source_folder.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <span>
#include <string>

namespace {

using namespace lw;

std::string document() {
  std::ifstream in(test::source_folder() / "docs/metrics.md");
  return {std::istreambuf_iterator<char>(in), {}};
}

// The text from a heading to the next one of its level.
std::string section(const std::string& text, const std::string& heading) {
  const auto start = text.find("\n## " + heading + "\n");
  if (start == std::string::npos) return {};
  return text.substr(start, text.find("\n## ", start + 1) - start);
}

void check(const std::string& heading, std::span<const Metric> metrics) {
  const auto part = section(document(), heading);
  REQUIRE_FALSE(part.empty());
  std::set<std::string> rows;
  for (const auto& metric : metrics) {
    const auto kind = metric.kind == MetricKind::counter ? "counter" : "gauge";
    const auto row =
        "| `" + std::string(metric.key) + "` | `lambdawall_" + std::string(metric.prometheus) + "` | " + kind + " |";
    INFO(heading << ": " << row);
    CHECK(part.find("\n" + row) != std::string::npos);
    rows.insert(row);
  }
  CHECK(rows.size() == metrics.size());
  // And nothing that no program reports.
  for (auto at = part.find("` | `lambdawall_"); at != std::string::npos; at = part.find("` | `lambdawall_", at + 1)) {
    const auto line = part.substr(part.rfind('\n', at) + 1, 200);
    INFO(heading << ": " << line);
    CHECK(std::ranges::any_of(rows, [&](const std::string& row) { return line.starts_with(row); }));
  }
}

}  // namespace

TEST_CASE("docs/metrics.md has every figure of the registry and no other") {
  check("Sender flow", sender_flow_metrics);
  check("Receiver flow", receiver_flow_metrics);
  check("Tile", tile_metrics);
  check("Clock of a node", node_clock_metrics);
  check("Process of a node", node_process_metrics);
  check("Clock of the server", server_clock_metrics);
  check("Wall", wall_metrics);
  check("Tile in the wall", wall_tile_metrics);
  check("Flow in the wall", wall_flow_metrics);
}

TEST_CASE("Prometheus names are unique and end as their kind wants") {
  std::set<std::string_view> names;
  std::size_t count = 0;
  const auto look = [&](std::span<const Metric> metrics) {
    for (const auto& metric : metrics) {
      INFO(metric.prometheus);
      CHECK(names.insert(metric.prometheus).second);
      CHECK(metric.prometheus.ends_with("_total") == (metric.kind == MetricKind::counter));
      CHECK((metric.key.find("_us") != std::string_view::npos) == (metric.scale == 1e-6));
      CHECK((metric.prometheus.find("_seconds") != std::string_view::npos) ==
            (metric.scale == 1e-6 || metric.key.ends_with("_s")));
      ++count;
    }
  };
  look(sender_flow_metrics);
  look(receiver_flow_metrics);
  look(tile_metrics);
  look(node_clock_metrics);
  look(node_process_metrics);
  look(server_clock_metrics);
  look(wall_metrics);
  look(wall_tile_metrics);
  look(wall_flow_metrics);
  CHECK(names.size() == count);
}
