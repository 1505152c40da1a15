#include "probe/report/figure_text.h"

#include "common/metrics/registry.h"
#include "probe/results/figure_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace lw {
namespace {

struct Word {
  std::string_view suffix, text;
};

// Longer endings first: _gbit_per_s also ends with _per_s.
constexpr std::array units{Word{"gbit_per_s", "Gbit/s"},
                           Word{"gib_per_s", "GiB/s"},
                           Word{"mib_per_s", "MiB/s"},
                           Word{"s_per_gb", "s/GB"},
                           Word{"packets_per_s", "packets/s"},
                           Word{"per_s", "1/s"},
                           Word{"us", "µs"},
                           Word{"ns", "ns"},
                           Word{"ms", "ms"},
                           Word{"s", "s"},
                           Word{"bytes", "bytes"},
                           Word{"percent", "%"},
                           Word{"ppm", "ppm"}};

constexpr std::array parts{Word{"p50", "median"},
                           Word{"p90", "90th percentile"},
                           Word{"p95", "95th percentile"},
                           Word{"p99", "99th percentile"},
                           Word{"p999", "99.9th percentile"},
                           Word{"min", "least"},
                           Word{"max", "largest"},
                           Word{"mean", "mean"},
                           Word{"stddev", "standard deviation"},
                           Word{"median", "median"}};

bool take_end(std::string_view& name, std::string_view end) {
  if (!name.ends_with(end)) return false;
  const auto rest = name.substr(0, name.size() - end.size());
  if (!rest.empty() && !rest.ends_with('_')) return false;
  name = rest.empty() ? rest : rest.substr(0, rest.size() - 1);
  return true;
}

struct Parsed {
  std::string_view base;  // including the unit
  std::string_view part;
};

Parsed parsed(std::string_view figure) {
  for (const auto& part : parts)
    if (auto base = figure; take_end(base, part.suffix) && !base.empty()) return {base, part.text};
  return {figure, {}};
}

// Names of figures of further loads, or of one direction, begin with its name: "bursts_gbit_per_s". The longest name
// that fits is used.
const FigureRow* find_definition(std::string_view base) {
  const FigureRow* best = nullptr;
  for (const auto& known : figure_rows()) {
    auto before = base;
    if (take_end(before, known.name) && (best == nullptr || known.name.size() > best->name.size())) best = &known;
  }
  return best;
}

// "bursts: throughput".
std::string words_of(const FigureRow& known, std::string_view base) {
  auto before = base;
  take_end(before, known.name);
  return before.empty() ? std::string(known.words) : std::string(before) + ": " + std::string(known.words);
}

std::optional<std::string_view> metric_help(std::string_view key) {
  const auto of = [&](const auto& metrics) -> std::optional<std::string_view> {
    const auto found = std::ranges::find(metrics, key, &Metric::key);
    return found == metrics.end() ? std::nullopt : std::optional{found->help};
  };
  const auto received = of(metrics_of<ReceiverFlowStats>);
  return received ? received : of(metrics_of<SenderFlowStats>);
}

}  // namespace

std::string_view figure_unit(std::string_view figure) {
  auto name = parsed(figure).base;
  const auto unit = std::ranges::find_if(units, [&](const Word& known) { return take_end(name, known.suffix); });
  return unit == units.end() ? std::string_view() : unit->text;
}

std::string figure_words(std::string_view figure) {
  const auto [base, part] = parsed(figure);
  std::string_view name = base;
  for (const auto& known : units)
    if (take_end(name, known.suffix)) break;
  std::string words(name);
  std::ranges::replace(words, '_', ' ');
  if (const auto* known = find_definition(base); known != nullptr && !known->words.empty())
    words = words_of(*known, base);
  if (!part.empty()) words += (words.empty() ? "" : ", ") + std::string(part);
  return words;
}

std::string figure_label(std::string_view figure) {
  const auto words = figure_words(figure);
  const auto unit = figure_unit(figure);
  return words + (words.empty() || unit.empty() ? "" : ", ") + std::string(unit);
}

std::string figure_definition(std::string_view figure) {
  const auto [base, part] = parsed(figure);
  if (const auto* known = find_definition(base); known != nullptr) {
    const auto source = known->source.empty() ? "" : fmt::format(" ({})", known->source);
    return fmt::format("{}{}{}{}", part, part.empty() ? "" : " of: ", known->definition, source);
  }
  const auto help = metric_help(figure);
  return help ? std::string(*help) : "";
}

std::string figure_text(double value) { return fmt::format("{:.5g}", value); }

bool adds_up(std::string_view figure) {
  return figure.ends_with("_per_s") || figure == "packets" || figure == "bytes" || figure == "lost";
}

}  // namespace lw
