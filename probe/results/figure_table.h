// Every figure of a result: one table from which results are put together, reports are labelled, and the tables of
// docs/probe.md and docs/schema/result.schema.json are generated.
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

// Where a flow's figure comes from.
enum class FigureOrigin : std::uint8_t {
  computed,        // by probe/measure/result.cpp, of several counts
  distribution,    // by an end of the load, when it is over
  receiver_total,  // counted by the receiver during the measurement
  receiver_gauge,  // its value at the end
  sender_total,    // the same of the sender
  sender_gauge,    //
  across_flows,    // no flow has it: of all flows of a load
  stamp,           // by probe/stamp, of the replies of a session; each direction is a flow
};

// Of the flows of a load, what the load's figure is.
enum class OverFlows : std::uint8_t {
  sum,
  mean,
  worst,   // the largest
  least,   // the smallest
  pooled,  // of the packets of all flows
};

struct FigureRow {
  std::string_view name;  // without its part: "jitter_us"
  // Which members a result has, divided by spaces: "value" is the name alone, "p99" the name with _p99.
  std::string_view parts;
  std::string_view unit;  // "1": a share or an index
  FigureOrigin origin;
  OverFlows over_flows;         // of "value", "mean" and "stddev"; the other parts go by their names
  std::string_view words;       // on an axis; empty: the name's own
  std::string_view source;      // RFC with its section, or paper; empty: defined here
  std::string_view definition;  // one sentence without its full stop
};

// Of the intervals and counts of flows: what common/metrics/registry.h has no row for, or another meaning.
enum class CounterKind : std::uint8_t { total, gauge };
struct CounterRow {
  std::string_view name, unit;
  CounterKind kind;
  std::string_view definition;
};

std::span<const FigureRow> figure_rows();
std::span<const CounterRow> counter_rows();

struct FigureName {
  const FigureRow* row = nullptr;
  std::string_view part;  // "value", "p99", ...
};

// A complete name as a flow's figures have it; nothing for a figure that is not in the table.
std::optional<FigureName> find_figure(std::string_view name);

// Of a name that is not in the table, as the name's end has it.
OverFlows over_flows(std::string_view name);

// Whether a flow can have it, or only a load.
bool is_of_flow(const FigureRow& row);

// "jitter_us_p99" of the row jitter_us and the part "p99".
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
