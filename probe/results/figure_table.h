// The table of all figures in results. Results are built from it, reports labelled, and the tables of docs/probe.md and
// docs/schema/result.schema.json generated.
//
// To add a figure: a row in figure_table.cpp, and `build/release/bin/figures_doc --write`. tests/e2e/figures_test.py
// fails for a figure without a row. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lw {

// The origin of a flow's figure.
enum class FigureOrigin : std::uint8_t {
  computed,        // by probe/measure/result.cpp, from several counts
  distribution,    // by an end of the load, at its end
  receiver_total,  // counted by the receiver during the measurement
  receiver_gauge,  // its value at the end
  sender_total,    // the same from the sender
  sender_gauge,    // the same from the sender
  across_flows,    // only for all flows of a load together
  stamp,           // by probe/stamp, from the replies of a session; each direction is a flow
  capacity,        // by probe/capacity, from the reports of both ends
};

// The source of a figure that this project defines itself.
inline constexpr std::string_view own_source = "this project: docs/probe.md";

// How a load's figure follows from those of its flows.
enum class OverFlows : std::uint8_t {
  sum,
  mean,
  worst,   // the largest
  least,   // the smallest
  pooled,  // over the packets of all flows
};

struct FigureRow {
  std::string_view name;  // without part: "jitter_us"
  // The parts that a result has, separated by spaces: "value" is the name alone, "p99" the name with _p99.
  std::string_view parts;
  std::string_view unit;  // "1": a share or an index
  FigureOrigin origin;
  OverFlows over_flows;         // for "value", "mean" and "stddev"; other parts are combined by their names
  std::string_view words;       // label of an axis; empty: derived from the name
  std::string_view source;      // RFC and section, or paper; empty: defined here
  std::string_view definition;  // one sentence without full stop
};

// Figures in the intervals and counts of flows that have no row in common/metrics/registry.h, or another meaning there.
enum class CounterKind : std::uint8_t { total, gauge };
struct CounterRow {
  std::string_view name, unit;
  CounterKind kind;
  std::string_view source;  // RFC and section, or `own_source`
  std::string_view definition;
};

std::span<const FigureRow> figure_rows();
std::span<const CounterRow> counter_rows();

struct FigureName {
  const FigureRow* row = nullptr;
  std::string_view part;  // "value", "p99", ...
};

// For a complete name as in a flow's figures; empty for a figure that is not in the table.
std::optional<FigureName> find_figure(std::string_view name);

// For a name that is not in the table, by the name's ending.
OverFlows over_flows(std::string_view name);

// Whether a flow can have it; false: only a load.
bool is_of_flow(const FigureRow& row);

// "jitter_us_p99" for the row jitter_us and the part "p99".
std::string figure_name(const FigureRow& row, std::string_view part);

// Calls visit(part) for each part of a row.
template <class Visit>
void for_each_part(const FigureRow& row, Visit visit) {
  auto parts = row.parts;
  while (!parts.empty()) {
    const auto end = parts.find(' ');
    visit(parts.substr(0, end));
    parts = end == std::string_view::npos ? std::string_view() : parts.substr(end + 1);
  }
}

}  // namespace lw
