// metrics_doc [--write] FILE: checks that the tables of docs/metrics.md match common/metrics/registry.h; with --write,
// updates them. Exit status: 0 if they match, 1 if they do not, 2 for wrong usage.
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
  std::string text = "| key | Prometheus name | kind | unit | definition |\n| --- | --- | --- | --- | --- |\n";
  for (const auto& metric : table.metrics)
    text += fmt::format("| `{}` | `lambdawall_{}` | {} | {} | {}{} |\n", metric.key, metric.prometheus,
                        word_of(metric.kind), metric.scale() == 1 ? metric.unit : "µs / s", metric.definition,
                        metric.bound == ClockBound::needed ? ". Absent without a bound for the clocks' error" : "");
  return text;
}

// The document with the correct tables; empty if there is no place for one of them.
std::optional<std::string> with_tables(std::string text) {
  for (const auto& table : metric_tables) {
    const auto heading = text.find(fmt::format("\n## {}\n", table.heading));
    if (heading == std::string::npos) return std::nullopt;
    const auto section_end = text.find("\n## ", heading + 1);
    const auto begin = text.find(begin_mark, heading);
    const auto end = text.find(end_mark, heading);
    if (begin > end || end == std::string::npos || end > section_end) return std::nullopt;
    text.replace(begin + begin_mark.size(), end - begin - begin_mark.size(), table_of(table));
  }
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
