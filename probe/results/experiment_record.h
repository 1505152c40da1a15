// experiment.json of a results directory: what was swept, and how `wall-probe report` draws it.
// docs/schema/experiment.schema.json describes it. Reading is pure.
#pragma once

#include "common/base/result.h"
#include "probe/results/axis_value.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

struct ResultAxis {
  std::string key, label;
  std::vector<AxisValue> values;
};

enum class PlotKind : unsigned char { line, box, bars, map, time, cpus, table, cdf, timeline };

// Besides the axes, x or by can be "flow" if the figure exists for each flow.
inline constexpr std::string_view flow_axis = "flow";
// A plot over time can be by load: a layer for the total of the flows of each load.
inline constexpr std::string_view load_axis = "load";

// The axis of an interleaved sweep for what it compares (builds, hosts).
inline constexpr std::string_view variant_axis = "variant";

struct ResultPlot {
  PlotKind kind = PlotKind::table;
  std::string title;
  std::string x, y, z, by;
  std::string x_label, y_label;
  bool log_x = false;
  bool log_y = false;  // for a line, if all values are positive
  bool flows = false;  // y is a figure of flows
  std::vector<std::string> columns;
};

struct ExperimentRecord {
  std::string name, title, saw, file;
  std::vector<std::string> rows;
  unsigned repetitions = 0, runs_planned = 0;
  std::optional<double> seed;
  std::vector<ResultAxis> axes;
  std::vector<ResultPlot> plots;

  [[nodiscard]] const ResultAxis* find_axis(std::string_view key) const;
};

inline constexpr std::string_view experiment_schema = "lambdawall-experiment-1";

std::string_view to_text(PlotKind kind);
Result<ExperimentRecord> parse_experiment_record(std::string_view json, const std::string& file);

}  // namespace lw
