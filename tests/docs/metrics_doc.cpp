// metrics_doc [--write] FILE: whether the tables of docs/metrics.md are what common/metrics/registry.h makes them;
// with --write they are made so. Exit status: 0 they are, 1 they are not, 2 wrong use.
#include "common/metrics/histograms.h"
#include "common/metrics/registry.h"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace {

using namespace lw;

constexpr std::string_view begin_mark = "<!-- metrics_doc -->\n", end_mark = "<!-- metrics_doc ends -->\n";

std::string_view word_of(MetricKind kind) {
  switch (kind) {
    case MetricKind::counter:
      return "counter";
    case MetricKind::balance:
      return "balance";
    case MetricKind::gauge:
      return "gauge";
    case MetricKind::distribution:
      return "distribution";
  }
  return "";
}

std::string table_of(const MetricTable& table) {
  std::string text =
      "| key | Prometheus name | kind | unit | source | definition |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  for (const auto& metric : table.metrics)
    text += fmt::format("| `{}` | `lambdawall_{}` | {} | {} | {} | {}{} |\n", metric.key, metric.prometheus,
                        word_of(metric.kind), metric.scale() == 1 ? metric.unit : "µs / s",
                        metric.source == registry::own ? "this page" : metric.source, metric.definition,
                        metric.bound == ClockBound::needed ? ". Absent without a bound for the clocks' error" : "");
  return text;
}

// Rows of one struct of histograms, which have these labels.
template <class Owner>
std::string histograms_of(std::string_view labels) {
  const Owner owner;
  std::string text;
  for (const auto& [metric, member] : registry::histogram_rows<Owner>) {
    const bool fine = &(owner.*member).scale() == &differences;
    text += fmt::format("| `lambdawall_{}` | {} | {} | {}{} |\n", metric.prometheus, labels,
                        fine ? "1 µs to 1 s" : "10 µs to 10 s", metric.definition,
                        metric.compares_clocks ? ". Absent without a bound for the clocks' error" : "");
  }
  return text;
}

std::string histogram_table() {
  return "| Prometheus name | labels | bounds | definition |\n| --- | --- | --- | --- |\n" +
         histograms_of<SenderFlowHistograms>("`tile`") +
         histograms_of<ReceiverFlowHistograms>("`node`, `tile`; the node's own page") +
         histograms_of<TileHistograms>("`node`, `tile`; the node's own page") +
         histograms_of<WallFlowHistograms>("`tile`") + histograms_of<WallHistograms>("`wall`");
}

// Replaces the table below the heading. False where it has no place.
bool put(std::string& text, std::string_view heading_text, const std::string& table) {
  const auto heading = text.find(fmt::format("\n## {}\n", heading_text));
  if (heading == std::string::npos) return false;
  const auto section_end = text.find("\n## ", heading + 1);
  const auto begin = text.find(begin_mark, heading);
  const auto end = text.find(end_mark, heading);
  if (begin > end || end == std::string::npos || end > section_end) return false;
  text.replace(begin + begin_mark.size(), end - begin - begin_mark.size(), table);
  return true;
}

// The document with the tables as they must be; empty if one has no place.
std::optional<std::string> with_tables(std::string text) {
  for (const auto& table : metric_tables)
    if (!put(text, table.heading, table_of(table))) return std::nullopt;
  if (!put(text, "Histograms", histogram_table())) return std::nullopt;
  return text;
}

}  // namespace

int main(int count, char** arguments) {
  const bool write = count == 3 && std::string_view(arguments[1]) == "--write";
  if (count != 2 && !write) {
    fmt::print(stderr, "usage: metrics_doc [--write] docs/metrics.md\n");
    return 2;
  }
  const char* file = arguments[count - 1];
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto wanted = with_tables(text);
  if (!wanted) {
    fmt::print(stderr,
               "metrics_doc: {} lacks a heading of a table or the marks below it; write {} and {} where it belongs\n",
               file, begin_mark.substr(0, begin_mark.size() - 1), end_mark.substr(0, end_mark.size() - 1));
    return 1;
  }
  if (write) {
    std::ofstream out(file);
    out << *wanted;
    return out.flush() ? 0 : 1;
  }
  if (*wanted != text)
    fmt::print(stderr, "metrics_doc: the tables of {} are not those of the registry; run metrics_doc --write {}\n",
               file, file);
  return *wanted == text ? 0 : 1;
}
