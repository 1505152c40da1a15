#include "common/base/text_table.h"
#include "probe/compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

using nlohmann::json;

std::string short_number(double value) { return fmt::format("{:.3g}", value == 0 ? 0 : value); }  // avoids -0

std::string median_text(const MedianFigure& figure) {
  auto text = fmt::format("{:.5g}", figure.median);
  if (figure.interval) text += fmt::format(" ({:.5g} to {:.5g})", figure.interval->low, figure.interval->high);
  return text;
}

// "3.1 % (1.2 to 5 %)": relative to B's median if that is meaningful; else in the figure's own unit. The sign is
// changed to that of the difference if A is lower.
std::string size_text(const FigureComparison& comparison, bool turned) {
  const bool as_share = std::isnormal(comparison.b.median);
  const double by = (as_share ? 100 / std::abs(comparison.b.median) : 1) * (turned ? -1 : 1);
  const auto& shift = comparison.shift;
  const double low = std::min(shift.interval.low * by, shift.interval.high * by);
  const double high = std::max(shift.interval.low * by, shift.interval.high * by);
  const char* unit = as_share ? " %" : "";
  return fmt::format("{}{} ({} to {}{})", short_number(shift.estimate * by), unit, short_number(low),
                     short_number(high), unit);
}

std::string p_text(const FigureComparison& comparison) {
  const double p = comparison.adjusted.p;
  const char* name = comparison.counted > 1 ? "adjusted p" : "p";
  return p < 0.0001 ? fmt::format("{} < 0.0001", name) : fmt::format("{} = {:.2g}", name, p);
}

// With as many figures in the comparison as this one has.
std::optional<std::size_t> more_runs(const FigureComparison& comparison) {
  return runs_needed(comparison.test.pattern, significance / static_cast<double>(comparison.adjusted.factor));
}

// "5 and 5, some equal"; "8 repetitions, 3 of them equal": what limits p.
std::string limits_text(const FigureComparison& comparison) {
  const auto& pattern = comparison.test.pattern;
  if (const auto* pairs = std::get_if<PairPattern>(&pattern))
    return fmt::format("{} repetitions{}", pairs->pairs,
                       pairs->equal > 0 ? fmt::format(", {} of them equal", pairs->equal) : "");
  const auto& ties = std::get<TiePattern>(pattern);
  return fmt::format("{} and {}{}", ties.a, ties.b, ties.groups.size() < ties.a + ties.b ? ", some equal" : "");
}

std::string too_few_text(const FigureComparison& comparison) {
  const auto& test = comparison.test;
  const auto factor = comparison.adjusted.factor;
  auto text = fmt::format("no difference shown, too few runs: with {}, p cannot be below {:.2g}",
                          limits_text(comparison), test.least_p);
  if (factor > 1) text += fmt::format(", adjusted {:.2g}", std::min(1.0, test.least_p * static_cast<double>(factor)));
  const auto needed = more_runs(comparison);
  const bool paired = std::holds_alternative<PairPattern>(test.pattern);
  return needed ? fmt::format("{}; {} {} could suffice", text, *needed, paired ? "repetitions" : "of each") : text;
}

json figure_json(const MedianFigure& figure) {
  json out{{"median", figure.median}, {"runs", figure.runs}};
  if (figure.interval)
    out.update(
        {{"low", figure.interval->low}, {"high", figure.interval->high}, {"coverage", figure.interval->coverage}});
  return out;
}

json points_json(const std::vector<Point>& points) {
  json out = json::array();
  for (const auto& point : points) out.push_back(point_json(point));
  return out;
}

json left_out_json(const LeftOut& out) { return {{"marked", out.marked}, {"incomplete", out.incomplete}}; }

std::string left_out_text(const char* side, const LeftOut& out) {
  if (out.marked + out.incomplete == 0) return {};
  return fmt::format("excluded{}: {} marked and {} incomplete runs\n", side, out.marked, out.incomplete);
}

std::string only_text(const char* side, const std::vector<Point>& points) {
  if (points.empty()) return {};
  return fmt::format("only in {}: {}{}\n", side, to_text(points.front()),
                     points.size() > 1 ? fmt::format(" and {} more points", points.size() - 1) : "");
}

// Whether the verdict states the size of the difference. Its interval's coverage is then at least 95 %: the number of
// runs that can differ is enough for it.
bool shows_size(const FigureComparison& figure) {
  return !all_equal(figure.test.pattern) && (figure.differs() || figure.adjusted.can_differ);
}

std::string coverage_caption(const Comparison& comparison) {
  std::vector<std::size_t> counts;
  bool sizes = false;
  for (const auto& point : comparison.points)
    for (const auto& figure : point.figures) {
      counts.insert(counts.end(), {figure.a.runs, figure.b.runs});
      sizes = sizes || shows_size(figure);
    }
  auto text = coverage_text(counts);
  if (sizes) text += " Intervals of differences: at least 95 % each.";
  return text.empty() ? "" : text + "\n";
}

std::string adjustment_caption(const Comparison& comparison) {
  const auto all = comparison.count(), counted = comparison.points.front().figures.front().counted;
  if (all < 2) return {};
  if (counted < 2)
    return fmt::format("{} of {} figures can differ; the others have too few runs or too many equal ones.\n", counted,
                       all);
  return fmt::format(
      "p is adjusted (Holm) for {} figures{}. With a probability of at most {:.0f} %, any of them is reported to "
      "differ by chance alone.\n",
      counted, counted < all ? fmt::format(" of {}; the others have too few runs or too many equal ones", all) : "",
      100 * significance);
}

std::string captions(const Comparison& comparison) {
  const char* effect =
      comparison.paired
          ? "Runs of the same repetition are compared with each other. P(A > B): the share of repetitions in which A "
            "has the higher figure; equal ones count half.\n"
          : "P(A > B): the chance that a run of A has the higher figure than a run of B; equal ones count half.\n";
  return effect + coverage_caption(comparison) + adjustment_caption(comparison);
}

std::string title_of(const PointComparison& point) {
  if (point.a.empty()) return point.point.empty() ? "" : to_text(point.point) + "\n";
  return fmt::format("A: {}; B: {}{}\n", to_text(point.a), to_text(point.b),
                     point.point.empty() ? "" : " (" + to_text(point.point) + ")");
}

std::string runs_text(const FigureComparison& figure, bool paired) {
  return paired ? fmt::format("{} pairs", figure.a.runs) : fmt::format("{}, {}", figure.a.runs, figure.b.runs);
}

}  // namespace

std::string verdict(const FigureComparison& comparison) {
  const auto& test = comparison.test;
  const auto& shift = comparison.shift;
  if (all_equal(test.pattern)) return "the same";
  if (!comparison.differs() && !comparison.adjusted.can_differ) return too_few_text(comparison);
  // With many ties the estimate can be 0 although one side tends to larger values.
  const bool lower = shift.estimate < 0 || (shift.estimate == 0 && test.above < 0.5);
  if (!comparison.differs())
    return fmt::format("no difference shown: A is {} by {}, {}", lower ? "lower" : "higher",
                       size_text(comparison, lower), p_text(comparison));
  const bool is_rate = comparison.figure.ends_with("_per_s");
  const auto* how = is_rate ? (lower ? "slower" : "faster") : (lower ? "lower" : "higher");
  return fmt::format("A is {} by {}, {}", how, size_text(comparison, lower), p_text(comparison));
}

std::string comparison_text(const Comparison& comparison) {
  std::string out;
  if (!comparison.unlike.empty())
    out += fmt::format("SETTINGS DIFFER, so a difference may have other causes than the one compared:\n  {}\n\n",
                       fmt::join(comparison.unlike, "\n  "));
  for (const auto& point : comparison.points) {
    out += title_of(point);
    TextTable table({"figure", "A", "B", "runs", "P(A > B)", ""}, "<<<<><");
    for (const auto& figure : point.figures)
      table.add({figure.figure, median_text(figure.a), median_text(figure.b), runs_text(figure, comparison.paired),
                 fmt::format("{:.2f}", figure.test.above), verdict(figure)});
    out += table.text() + "\n";
  }
  out += left_out_text(comparison.axis.empty() ? " from A" : "", comparison.left_out_a) +
         left_out_text(" from B", comparison.left_out_b);
  out += only_text("A", comparison.only_a) + only_text("B", comparison.only_b);
  out += captions(comparison);
  return out;
}

json comparison_json(const Comparison& comparison) {
  json points = json::array();
  for (const auto& point : comparison.points) {
    json figures = json::object();
    for (const auto& figure : point.figures) {
      const auto& interval = figure.shift.interval;
      figures[figure.figure] = {{"a", figure_json(figure.a)},
                                {"b", figure_json(figure.b)},
                                {"a_less_b",
                                 {{"estimate", figure.shift.estimate},
                                  {"low", interval.low},
                                  {"high", interval.high},
                                  {"coverage", interval.coverage}}},
                                {"u", figure.test.u},
                                {"a_above_b", figure.test.above},
                                {"p", figure.test.p},
                                {"p_adjusted", figure.adjusted.p},
                                {"p_exact", figure.test.exact},
                                {"p_least", figure.test.least_p},
                                {"differs", figure.differs()},
                                {"verdict", verdict(figure)}};
      if (!figure.differs() && !figure.adjusted.can_differ)
        if (const auto needed = more_runs(figure)) figures[figure.figure]["runs_needed"] = *needed;
    }
    json& entry = points.emplace_back(json{{"point", point_json(point.point)}, {"figures", std::move(figures)}});
    if (!point.a.empty()) entry.update({{"a", point_json(point.a)}, {"b", point_json(point.b)}});
  }
  return {{"unlike", comparison.unlike},
          {"by", comparison.axis.empty() ? json() : json(comparison.axis)},
          {"paired", comparison.paired},
          {"alpha", significance},
          {"adjustment", "holm"},
          {"figures_counted", comparison.points.empty() ? 0 : comparison.points.front().figures.front().counted},
          {"points", std::move(points)},
          {"only_a", points_json(comparison.only_a)},
          {"only_b", points_json(comparison.only_b)},
          {"left_out_a", left_out_json(comparison.left_out_a)},
          {"left_out_b", left_out_json(comparison.left_out_b)}};
}

}  // namespace lw
