#include "probe/results/experiment_record.h"

#include "probe/results/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lw {
namespace {

constexpr std::array<std::string_view, 9> kind_names{"line", "box",   "bars", "map",     "time",
                                                     "cpus", "table", "cdf",  "timeline"};

void read_axis(JsonReader& reader, ResultAxis& axis) {
  reader.text("key", axis.key, Needed::yes);
  reader.text("label", axis.label);
  reader.values("values", axis.values);
  if (axis.label.empty()) axis.label = axis.key;
}

void check_axis(JsonReader& reader, const ExperimentRecord& record, const ResultPlot& plot, const char* member,
                const std::string& key) {
  if (key.empty() || record.find_axis(key) != nullptr || (plot.flows && key == flow_axis)) return;
  if (plot.kind == PlotKind::time && key == load_axis) return;
  reader.fail(member, "is '" + key + "', which is not an axis of the experiment");
}

void read_plot(JsonReader& reader, const ExperimentRecord& record, ResultPlot& plot) {
  std::string kind;
  reader.text("kind", kind, Needed::yes);
  const auto found = std::ranges::find(kind_names, kind);
  if (found == kind_names.end())
    return reader.fail("kind", fmt::format("is '{}', and must be one of {}", kind, fmt::join(kind_names, ", ")));
  plot.kind = static_cast<PlotKind>(found - kind_names.begin());
  const auto is = [&](PlotKind wanted) { return plot.kind == wanted; };
  const bool is_map = is(PlotKind::map),
             has_y = is_map || is(PlotKind::line) || is(PlotKind::box) || is(PlotKind::bars) || is(PlotKind::cdf);
  reader.text("title", plot.title);
  reader.text("x", plot.x, is_map || is(PlotKind::line) ? Needed::yes : Needed::no);
  reader.text("y", plot.y, has_y ? Needed::yes : Needed::no);
  reader.text("z", plot.z, is_map ? Needed::yes : Needed::no);
  reader.text("by", plot.by);
  reader.text("x_label", plot.x_label);
  reader.text("y_label", plot.y_label);
  reader.boolean("log_x", plot.log_x);
  reader.boolean("log_y", plot.log_y);
  reader.boolean("flows", plot.flows);
  reader.texts("columns", plot.columns);
  if (is(PlotKind::table) && plot.columns.empty()) reader.fail("columns", "must name a figure");
  check_axis(reader, record, plot, "x", plot.x);
  check_axis(reader, record, plot, "by", plot.by);
  if (is_map) check_axis(reader, record, plot, "y", plot.y);
}

void read_record(JsonReader& reader, ExperimentRecord& record) {
  reader.schema(experiment_schema);
  reader.text("name", record.name, Needed::yes);
  reader.text("title", record.title);
  reader.text("saw", record.saw);
  reader.text("file", record.file);
  reader.texts("rows", record.rows);
  reader.count("repetitions", record.repetitions);
  reader.count("runs_planned", record.runs_planned);
  reader.number("seed", record.seed);
  reader.each("axes", [&](JsonReader& entry) { read_axis(entry, record.axes.emplace_back()); });
  reader.each("plots", [&](JsonReader& entry) { read_plot(entry, record, record.plots.emplace_back()); });
}

}  // namespace

const ResultAxis* ExperimentRecord::find_axis(std::string_view key) const {
  const auto found = std::ranges::find(axes, key, &ResultAxis::key);
  return found == axes.end() ? nullptr : &*found;
}

std::string_view to_text(PlotKind kind) { return kind_names.at(static_cast<std::size_t>(kind)); }

Result<ExperimentRecord> parse_experiment_record(std::string_view json, const std::string& file) {
  ExperimentRecord record;
  if (const auto read = read_json(json, file, [&](JsonReader& reader) { read_record(reader, record); }); !read)
    return read.error();
  if (record.title.empty()) record.title = record.name;
  return record;
}

}  // namespace lw
