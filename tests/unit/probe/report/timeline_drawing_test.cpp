#include "probe/report/drawing.h"

#include <catch2/catch.hpp>

namespace lw {
namespace {

Results results_of(unsigned flows, unsigned bursts) {
  Results results;
  auto& run = results.runs.emplace_back();
  run.complete = true;
  run.run = 4;
  run.figures["message_us_mean"] = 5;
  for (unsigned flow = 0; flow < flows; ++flow) {
    auto& out = run.flows.emplace_back();
    out.flow = flow;
    for (unsigned burst = 1; burst <= bursts; ++burst) {
      const double begin_s = burst;
      out.timeline.push_back({burst, "write", begin_s, begin_s + 0.25});
      out.timeline.push_back({burst, "barrier", begin_s + 0.25, begin_s + 0.5});
    }
  }
  return results;
}

ResultPlot timeline_plot() {
  ResultPlot plot;
  plot.kind = PlotKind::timeline;
  return plot;
}

std::size_t times(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

TEST_CASE("a timeline has a row for each flow and an element for each stage that was recorded") {
  const auto drawings = timeline_drawings(results_of(3, 2), timeline_plot());
  REQUIRE(drawings.size() == 1);
  const auto& drawing = drawings[0];
  CHECK(drawing.data.rows.size() == 3 * 2 * 2);
  CHECK(drawing.data.rows[1] == std::vector<std::string>{"4", "0", "1", "barrier", "1.25", "1.5"});
  CHECK(times(drawing.script, "with boxxyerror") == 2);
  CHECK(drawing.script.find("flow 2") != std::string::npos);
  CHECK(drawing.note.empty());
}

TEST_CASE("a timeline of many bursts draws the first ones, and says so") {
  const auto drawings = timeline_drawings(results_of(2, 2000), timeline_plot());
  REQUIRE(drawings.size() == 1);
  CHECK(drawings[0].note == "Only the first 1500 bursts are drawn.");
  CHECK(drawings[0].data.rows.size() == 2 * 2 * 2000);
}

TEST_CASE("a timeline says how many calls are missing") {
  auto results = results_of(1, 1);
  results.runs[0].calls_missing = 12;
  CHECK(timeline_drawings(results, timeline_plot()).at(0).note.find("12 calls are missing") == 0);
}

TEST_CASE("runs that were not traced have no timeline") {
  auto results = results_of(1, 1);
  results.runs[0].flows[0].timeline.clear();
  CHECK(timeline_drawings(results, timeline_plot()).empty());
}

}  // namespace
}  // namespace lw
