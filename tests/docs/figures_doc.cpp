// figures_doc [--write] docs/probe.md docs/schema/result.schema.json: checks that the table of figures in the document
// and the figures in the schema match probe/results/figure_table.h; with --write, updates both. Exit status: 0 if they
// match, 1 if they do not, 2 for wrong usage.
#include "common/metrics/registry.h"
#include "probe/results/figure_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace lw;
using Json = nlohmann::ordered_json;

constexpr std::string_view begin_mark = "<!-- figures_doc -->\n", end_mark = "<!-- figures_doc ends -->\n";

std::string_view word_of(OverFlows how) {
  switch (how) {
    case OverFlows::sum:
      return "sum";
    case OverFlows::mean:
      return "mean";
    case OverFlows::worst:
      return "largest";
    case OverFlows::least:
      return "least";
    case OverFlows::pooled:
      return "all packets";
  }
  return "";
}

// "`jitter_us`, `_mean`".
std::string names_of(const FigureRow& row) {
  std::string text;
  for_each_part(row, [&](std::string_view part) {
    if (text.empty())
      text = fmt::format("`{}`", figure_name(row, part));
    else
      text += fmt::format(", `_{}`", part);
  });
  return text;
}

std::string over_flows_of(const FigureRow& row) {
  if (!is_of_flow(row)) return "";
  std::vector<std::string_view> words;
  for_each_part(row, [&](std::string_view part) {
    const auto word = word_of(over_flows(figure_name(row, part)));
    if (words.empty() || words.back() != word) words.push_back(word);
  });
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string table() {
  std::string text = "| figure | unit | definition | source | of several flows |\n| --- | --- | --- | --- | --- |\n";
  for (const auto& row : figure_rows())
    text += fmt::format("| {} | {} | {} | {} | {} |\n", names_of(row), row.unit, row.definition, row.source,
                        over_flows_of(row));
  return text;
}

std::optional<std::string> with_table(std::string text) {
  const auto begin = text.find(begin_mark), end = text.find(end_mark);
  if (begin == std::string::npos || end == std::string::npos || begin > end) return std::nullopt;
  text.replace(begin + begin_mark.size(), end - begin - begin_mark.size(), table());
  return text;
}

Json described(const FigureRow& row, std::string_view part) {
  Json entry{{"type", "number"},
             {"description", fmt::format("{}{}", part == "value" ? "" : fmt::format("{} of: ", part), row.definition)},
             {"unit", row.unit}};
  entry["source"] = row.source.empty() ? own_source : row.source;
  return entry;
}

Json figures_schema(bool of_flow) {
  Json properties = Json::object();
  for (const auto& row : figure_rows())
    if (is_of_flow(row) || !of_flow)
      for_each_part(row, [&](std::string_view part) { properties[figure_name(row, part)] = described(row, part); });
  return {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", {{"type", "number"}}}};
}

// The figures of intervals and of counts: for UDP flows from the metrics registry, otherwise from the second part of
// the table. If both ends of a flow have a figure of this name, this is the receiver's.
void add_counters(Json& properties, bool totals_only) {
  const auto add = [&](std::string_view name, std::string_view definition, std::string_view unit,
                       std::string_view source) {
    const std::string key(name);
    // Without a type: readers skip members of intervals that are not numbers.
    if (!properties.contains(key)) properties[key] = {{"description", definition}, {"unit", unit}, {"source", source}};
  };
  for (const auto& row : counter_rows())
    if (!totals_only || row.kind == CounterKind::total) add(row.name, row.definition, row.unit, row.source);
  const auto add_all = [&](const auto& metrics) {
    for (const auto& metric : metrics)
      if (!totals_only || metric.counts()) add(metric.key, metric.help, metric.unit, metric.source);
  };
  add_all(metrics_of<ReceiverFlowStats>);
  add_all(metrics_of<SenderFlowStats>);
}

Json interval_schema() {
  const auto bound = [](const char* description) {
    return Json{{"type", "number"}, {"description", description}, {"unit", "s"}, {"source", own_source}};
  };
  Json properties{{"begin_s", bound("Begin of the interval, since the begin of the measurement")},
                  {"end_s", bound("End of the interval, since the begin of the measurement")}};
  add_counters(properties, false);
  return {{"description",
           "Beside its bounds, the figures of the time between them: the receiver's, or the sender's if it "
           "has none"},
          {"type", "object"},
          {"required", {"begin_s", "end_s"}},
          {"properties", std::move(properties)}};
}

Json counts_schema() {
  Json properties = Json::object();
  add_counters(properties, true);
  return {{"type", "object"}, {"properties", std::move(properties)}};
}

std::optional<std::string> with_figures(const std::string& text) {
  auto schema = Json::parse(text, nullptr, false);
  if (schema.is_discarded() || !schema.contains("$defs")) return std::nullopt;
  auto& definitions = schema["$defs"];
  definitions["figures"] = figures_schema(false);
  definitions["flow_figures"] = figures_schema(true);
  definitions["interval"] = interval_schema();
  definitions["counts"] = counts_schema();
  return schema.dump(2) + "\n";
}

// Returns 0 if the file was up to date or has been updated.
int compare(const char* file, bool write, std::optional<std::string> (*make)(const std::string&)) {
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto wanted = make(text);
  if (!wanted) {
    fmt::print(stderr, "figures_doc: {} lacks the place of the figures; restore it from the repository\n", file);
    return 1;
  }
  if (write) {
    std::ofstream out(file);
    out << *wanted;
    return out.flush() ? 0 : 1;
  }
  if (*wanted == text) return 0;
  fmt::print(stderr,
             "figures_doc: {} does not have the figures of the table; run figures_doc --write docs/probe.md "
             "docs/schema/result.schema.json\n",
             file);
  return 1;
}

}  // namespace

int main(int count, char** arguments) {
  const bool write = count == 4 && std::string_view(arguments[1]) == "--write";
  if (count != 3 && !write) {
    fmt::print(stderr, "usage: figures_doc [--write] docs/probe.md docs/schema/result.schema.json\n");
    return 2;
  }
  const int document = compare(arguments[count - 2], write, [](const std::string& text) { return with_table(text); });
  const int schema = compare(arguments[count - 1], write, with_figures);
  return document != 0 || schema != 0 ? 1 : 0;
}
