// Plots of one figure along an axis: lines, bars, boxes, and its distribution.
#include "common/base/counted.h"
#include "probe/report/drawing.h"
#include "probe/report/figure_text.h"
#include "probe/report/gnuplot.h"
#include "probe/report/quantity.h"
#include "probe/report/script.h"
#include "probe/report/series.h"
#include "probe/results/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace lw {
namespace {

// The positions along x of all series, in order.
std::vector<AxisValue> places_of(const Results& results, const std::string& x, const std::vector<Series>& all) {
  std::vector<AxisValue> places;
  const auto add = [&](const AxisValue& value) {
    if (std::ranges::find(places, value) == places.end()) places.push_back(value);
  };
  const auto is_met = [&](const AxisValue& value) {
    return std::ranges::any_of(all, [&](const Series& series) {
      return std::ranges::find(series.groups, value, &ValueGroup::x) != series.groups.end();
    });
  };
  if (const auto* axis = results.experiment.find_axis(x); axis != nullptr)
    for (const auto& value : axis->values)
      if (is_met(value)) add(value);
  for (const auto& series : all)
    for (const auto& group : series.groups) add(group.x);
  if (x == flow_axis) std::ranges::sort(places);
  return places;
}

// The positions of values along x: at their numbers, or side by side.
class Places {
public:
  Places(std::vector<AxisValue> values, const ResultAxis& axis, bool at_numbers)
      : values_(std::move(values)), axis_(axis) {
    at_numbers_ = at_numbers && std::ranges::all_of(values_, [](const AxisValue& value) {
                    return std::holds_alternative<double>(value);
                  });
  }

  [[nodiscard]] const ResultAxis& axis() const { return axis_; }
  [[nodiscard]] double at(const AxisValue& value) const {
    if (at_numbers_) return std::get<double>(value);
    return static_cast<double>(std::ranges::find(values_, value) - values_.begin());
  }

  void set_up(Script& script, bool log) const {
    if (!at_numbers_) {
      std::vector<std::string> labels;
      for (const auto& value : values_) labels.push_back(value_text(axis_, value));
      return script.categories(labels);
    }
    const auto [least, greatest] = std::ranges::minmax_element(values_);
    const double low = std::get<double>(*least), high = std::get<double>(*greatest);
    if (log && low > 0) {
      script.add(fmt::format("set logscale x\nset xrange [{}:{}]", low / 1.15, high * 1.15));
      set_tics(script, low, high, true);
    } else {
      const double room = low == high ? 1 : (high - low) * 0.04;
      script.add(fmt::format("set xrange [{}:{}]", low - room, high + room));
      set_tics(script, low, high, false);
    }
  }

private:
  // At the values if their labels have room side by side, otherwise at round ones.
  void set_tics(Script& script, double low, double high, bool log) const {
    constexpr double room_min = 0.055;  // of the axis' length
    const auto place = [&](double value) { return log ? std::log(value) : value; };
    std::vector<double> values;
    for (const auto& value : values_) values.push_back(std::get<double>(value));
    std::ranges::sort(values);
    const double length = place(high) - place(low);
    const auto is_near = [&](double a, double b) { return place(b) - place(a) < room_min * length; };
    const bool have_room = std::ranges::adjacent_find(values, is_near) == values.end();
    const auto unit = tick_unit(axis_.key);
    const auto ticks = round_ticks(low, high, log, unit);
    script.ticks("x", have_room || ticks.empty() ? values : ticks, unit);
  }

  std::vector<AxisValue> values_;
  const ResultAxis& axis_;
  bool at_numbers_ = false;
};

bool nothing_counts(const std::vector<Series>& all) {
  return std::ranges::all_of(all, [](const Series& series) {
    return std::ranges::all_of(series.groups, [](const ValueGroup& group) { return group.values.empty(); });
  });
}

std::size_t value_count(const std::vector<Series>& all) {
  std::size_t count = 0;
  for (const auto& series : all)
    for (const auto& group : series.groups) count += group.values.size() + group.marked.size();
  return count;
}

// A label of the plot's own may name another unit: the ticks then have none.
std::string_view unit_of_ticks(const std::string& label, std::string_view figure) {
  const auto unit = figure_unit(figure);
  return label.empty() && has_prefixes(unit) ? unit : std::string_view();
}

std::string label_for(const std::string& label, const std::string& figure) {
  if (!label.empty()) return label;
  return unit_of_ticks(label, figure).empty() ? figure_label(figure) : figure_words(figure);
}

void set_y(Script& script, const std::vector<Series>& all, const ResultPlot& plot, bool log = false) {
  std::vector<double> values;
  for (const auto& series : all)
    for (const auto& group : series.groups) {
      values.insert(values.end(), group.values.begin(), group.values.end());
      values.insert(values.end(), group.marked.begin(), group.marked.end());
    }
  const auto [least, greatest] = std::ranges::minmax_element(values);
  const auto unit = unit_of_ticks(plot.y_label, plot.y);
  if (log && *least > 0) {
    const double low = *least / 1.2, high = *greatest * 1.2;
    script.add(fmt::format("set logscale y\nset yrange [{}:{}]", low, high));
    script.ticks("y", round_ticks(low, high, true, unit), unit);
  } else if (!unit.empty() && *least >= 0 && *greatest > 0) {
    const double high = *greatest * 1.05;
    script.add(fmt::format("set yrange [0:{}]", high));
    script.ticks("y", round_ticks(0, high, false, unit), unit);
  } else {
    script.y_from_zero(*least, *greatest);
  }
}

void set_labels(Script& script, const Results& results, const ResultPlot& plot, const std::string& x) {
  script.x_label(!plot.x_label.empty() ? plot.x_label : axis_label(results, x));
  script.y_label(label_for(plot.y_label, plot.y));
}

void set_key(Script& script, const std::vector<Series>& all) {
  if (all.size() >= 2 && all.size() <= names_in_key_max) script.key(all);
}

std::string all_texts(const std::vector<double>& values) {
  std::string out;
  for (const double value : values) out += (out.empty() ? "" : " ") + to_text(value);
  return out;
}

Table median_data(const std::vector<Series>& all, const std::string& x) {
  Table table{{"series", x.empty() ? "x" : x, "median", "low", "high", "coverage", "runs", "values", "marked_values"},
              {}};
  for (const auto& series : all)
    for (const auto& group : series.groups) {
      const auto figure = median_figure(group.of_runs);
      const auto interval = figure ? figure->interval : std::nullopt;
      table.rows.push_back({series.name, to_text(group.x), figure ? to_text(figure->median) : "",
                            interval ? to_text(interval->low) : "", interval ? to_text(interval->high) : "",
                            interval ? to_text(interval->coverage) : "", std::to_string(group.of_runs.size()),
                            all_texts(group.values), all_texts(group.marked)});
    }
  return table;
}

std::string median_note(const std::vector<Series>& all) {
  std::vector<std::size_t> counts;
  bool several_flows = false;
  for (const auto& series : all)
    for (const auto& group : series.groups) {
      counts.push_back(group.of_runs.size());
      several_flows = several_flows || group.values.size() > group.of_runs.size();
    }
  std::string note;
  if (several_flows)
    note =
        "Each run counts once, with the median of its flows, which are not independent of each other; faint points "
        "are flows.";
  for (const auto& part : {coverage_text(counts), key_note(all.size())})
    if (!part.empty()) note += (note.empty() ? "" : " ") + part;
  return note;
}

// Single runs, or their flows, as faint points, `shift` away from their position; marked ones are hollow.
void plot_runs(Script& script, const Series& series, const Places& places, double shift, const Look& as) {
  std::vector<Script::Row> counting, marked;
  for (const auto& group : series.groups) {
    for (const double value : group.values) counting.push_back({places.at(group.x) + shift, value});
    for (const double value : group.marked) marked.push_back({places.at(group.x) + shift, value});
  }
  if (!counting.empty())
    script.plot(fmt::format("{} using 1:2 with points pt {} ps 0.45 {}", script.data(counting), as.filled, as.faint()));
  if (!marked.empty())
    script.plot(
        fmt::format("{} using 1:2 with points pt {} ps 0.8 lc rgb '{}'", script.data(marked), as.hollow, as.colour));
}

// "own core, flows 6".
std::string place_text(const Series& series, const ResultAxis& axis, const AxisValue& x) {
  if (axis.key.empty()) return series.name;
  const bool is_number = std::holds_alternative<double>(x);
  return series.name + (series.name.empty() ? "" : ", ") + (is_number ? label_of(axis) + " " : "") +
         value_text(axis, x);
}

// "own core, flows 6: 26.75 Gbit/s (26.5 Gbit/s to 27 Gbit/s with 96.9 %, 6 runs)".
std::string hover_text(const Series& series, const ResultAxis& axis, const ValueGroup& group, std::string_view unit) {
  const auto figure = median_figure(group.of_runs);
  auto text = place_text(series, axis, group.x);
  if (!figure) return text;
  text += ": " + quantity_text(figure->median, unit);
  const auto runs = counted(figure->runs, "run");
  if (!figure->interval) return fmt::format("{} ({})", text, runs);
  return fmt::format("{} ({} to {} with {:.3g} %, {})", text, quantity_text(figure->interval->low, unit),
                     quantity_text(figure->interval->high, unit), 100 * figure->interval->coverage, runs);
}

void add_hovers(Script& script, const Series& series, const Places& places, double shift, std::string_view unit) {
  for (const auto& group : series.groups)
    if (const auto figure = median_figure(group.of_runs))
      script.hover(places.at(group.x) + shift, figure->median, hover_text(series, places.axis(), group, unit));
}

std::vector<Script::Row> median_rows(const Series& series, const Places& places, double shift) {
  std::vector<Script::Row> rows;
  for (const auto& group : series.groups) {
    const auto figure = median_figure(group.of_runs);
    if (!figure) continue;
    const auto interval = figure->interval.value_or(ConfidenceInterval{figure->median, figure->median, 0});
    rows.push_back({places.at(group.x) + shift, figure->median, interval.low, interval.high});
  }
  std::ranges::sort(rows, {}, [](const Script::Row& row) { return *row.front(); });
  return rows;
}

// A copy, or one without values for what is not an axis of the experiment.
ResultAxis axis_of(const Results& results, const std::string& key) {
  const auto* axis = results.experiment.find_axis(key);
  return axis != nullptr ? *axis : ResultAxis{key, key, {}};
}

std::string x_or_usual(const Results& results, const ResultPlot& plot) {
  if (!plot.x.empty()) return plot.x;
  if (plot.flows) return std::string(flow_axis);
  for (const auto& axis : results.experiment.axes)
    if (axis.key != plot.by) return axis.key;
  return results.experiment.axes.empty() ? "" : plot.by;
}

// Side by side at each position: the width of one, and its distance from the middle.
struct Slots {
  double width;
  explicit Slots(std::size_t series)
      : width(0.8 / static_cast<double>(std::max<std::size_t>(series, 2))), count_(series) {}
  [[nodiscard]] double shift(std::size_t series) const {
    return (static_cast<double>(series) - (static_cast<double>(count_) - 1) / 2) * width;
  }

private:
  std::size_t count_;
};

}  // namespace

std::vector<Drawing> line_drawings(const Results& results, const ResultPlot& plot) {
  const auto all = series_of(results, plot, plot.x, plot.y);
  if (nothing_counts(all)) return {};
  Script script({});
  const auto axis = axis_of(results, plot.x);
  const Places places(places_of(results, plot.x, all), axis, true);
  set_labels(script, results, plot, plot.x);
  set_key(script, all);
  set_y(script, all, plot, plot.log_y);
  places.set_up(script, plot.log_x);
  const bool with_runs = value_count(all) <= dots_max;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto as = look(i);
    if (with_runs) plot_runs(script, all[i], places, 0, as);
    const auto rows = median_rows(all[i], places, 0);
    if (rows.empty()) continue;
    const auto data = script.data(rows);
    script.plot(fmt::format("{} using 1:2:3:4 with yerrorbars pt {} ps 0.9 lc rgb '{}'", data, as.filled, as.colour));
    script.plot(fmt::format("{} using 1:2 with linespoints pt {} ps 0.9 {} title {}", data, as.filled, as.line(),
                            gnuplot_text(shortened(all[i].name))));
    add_hovers(script, all[i], places, 0, figure_unit(plot.y));
  }
  return {{.title = {},
           .script = script.text(),
           .note = median_note(all),
           .data = median_data(all, plot.x),
           .shown = {},
           .hovers = script.hover_texts()}};
}

std::vector<Drawing> bar_drawings(const Results& results, const ResultPlot& plot) {
  const auto x = x_or_usual(results, plot);
  const auto all = series_of(results, plot, x, plot.y);
  if (nothing_counts(all)) return {};
  Script script({});
  const auto axis = axis_of(results, x);
  const Places places(places_of(results, x, all), axis, false);
  const Slots slots(all.size());
  set_labels(script, results, plot, x);
  set_key(script, all);
  set_y(script, all, plot);
  places.set_up(script, false);
  script.add(fmt::format("set boxwidth {}", slots.width * 0.9));
  const bool with_runs = value_count(all) <= dots_max;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto as = look(i);
    const auto rows = median_rows(all[i], places, slots.shift(i));
    if (rows.empty()) continue;
    const auto data = script.data(rows);
    script.plot(fmt::format("{} using 1:2 with boxes fs solid 0.45 border rgb '{}' lc rgb '{}' title {}", data,
                            as.colour, as.colour, gnuplot_text(shortened(all[i].name))));
    script.plot(fmt::format("{} using 1:2:3:4 with yerrorbars pt {} ps 0.7 lc rgb '{}'", data, as.filled, ink));
    if (with_runs) plot_runs(script, all[i], places, slots.shift(i) + slots.width * 0.25, look(i));
    add_hovers(script, all[i], places, slots.shift(i), figure_unit(plot.y));
  }
  return {{.title = {},
           .script = script.text(),
           .note = median_note(all),
           .data = median_data(all, x),
           .shown = {},
           .hovers = script.hover_texts()}};
}

namespace {

struct Box {
  double low, lower, median, upper, high;  // whiskers, quartiles
  std::vector<double> beyond;
};

Box box_of(const std::vector<double>& values) {
  const auto in_order = sorted(values);
  Box box{0, quantile(in_order, 0.25), quantile(in_order, 0.5), quantile(in_order, 0.75), 0, {}};
  const double reach = 1.5 * (box.upper - box.lower);
  const auto is_within = [&](double value) { return value >= box.lower - reach && value <= box.upper + reach; };
  box.low = *std::ranges::find_if(in_order, is_within);
  box.high = *std::find_if(in_order.rbegin(), in_order.rend(), is_within);
  std::ranges::copy_if(in_order, std::back_inserter(box.beyond), [&](double value) { return !is_within(value); });
  return box;
}

Table box_data(const std::vector<Series>& all, const std::string& x) {
  Table table{{"series", x.empty() ? "x" : x, "least", "whisker_low", "quartile_1", "median", "quartile_3",
               "whisker_high", "greatest", "count", "values"},
              {}};
  for (const auto& series : all)
    for (const auto& group : series.groups) {
      if (group.values.empty()) continue;
      const auto box = box_of(group.values);
      const auto [least, greatest] = std::ranges::minmax(group.values);
      table.rows.push_back({series.name, to_text(group.x), to_text(least), to_text(box.low), to_text(box.lower),
                            to_text(box.median), to_text(box.upper), to_text(box.high), to_text(greatest),
                            std::to_string(group.values.size()), all_texts(group.values)});
    }
  return table;
}

void plot_boxes(Script& script, const Series& series, const Places& places, double shift, const Look& as,
                std::string_view unit) {
  std::vector<Script::Row> boxes, beyond, marked;
  for (const auto& group : series.groups) {
    const double at = places.at(group.x) + shift;
    for (const double value : group.marked) marked.push_back({at, value});
    if (group.values.empty()) continue;
    const auto box = box_of(group.values);
    boxes.push_back({at, box.lower, box.low, box.high, box.upper, box.median});
    for (const double value : box.beyond) beyond.push_back({at, value});
    const auto text = [&](double value) { return quantity_text(value, unit); };
    script.hover(
        at, box.median,
        fmt::format("{}: median {}, quartiles {} and {}, {}", place_text(series, places.axis(), group.x),
                    text(box.median), text(box.lower), text(box.upper), counted(group.values.size(), "value")));
  }
  if (boxes.empty()) return;
  const auto data = script.data(boxes);
  script.plot(
      fmt::format("{} using 1:2:3:4:5 with candlesticks whiskerbars 0.5 fs solid 0.35 border rgb '{}' lc rgb "
                  "'{}' title {}",
                  data, as.colour, as.colour, gnuplot_text(shortened(series.name))));
  script.plot(fmt::format("{} using 1:6:6:6:6 with candlesticks fs empty lc rgb '{}' lw 2", data, as.colour));
  if (!beyond.empty() && beyond.size() <= dots_max)
    script.plot(
        fmt::format("{} using 1:2 with points pt {} ps 0.4 lc rgb '{}'", script.data(beyond), as.filled, as.colour));
  if (!marked.empty() && marked.size() <= dots_max)
    script.plot(
        fmt::format("{} using 1:2 with points pt {} ps 0.8 lc rgb '{}'", script.data(marked), as.hollow, as.colour));
}

}  // namespace

std::vector<Drawing> box_drawings(const Results& results, const ResultPlot& plot) {
  const auto x = x_or_usual(results, plot);
  const auto all = series_of(results, plot, x, plot.y);
  if (nothing_counts(all)) return {};
  Script script({});
  const auto axis = axis_of(results, x);
  const Places places(places_of(results, x, all), axis, false);
  const Slots slots(all.size());
  set_labels(script, results, plot, x);
  set_key(script, all);
  set_y(script, all, plot);
  places.set_up(script, false);
  script.add(fmt::format("set boxwidth {}", slots.width * 0.75));
  for (std::size_t i = 0; i < all.size(); ++i)
    plot_boxes(script, all[i], places, slots.shift(i), look(i), figure_unit(plot.y));
  return {{.title = {},
           .script = script.text(),
           .note = key_note(all.size()),
           .data = box_data(all, x),
           .shown = {},
           .hovers = script.hover_texts()}};
}

std::vector<Drawing> cdf_drawings(const Results& results, const ResultPlot& plot) {
  const auto all = series_of(results, plot, "", plot.y);
  if (nothing_counts(all)) return {};
  Script script({});
  script.x_label(label_for(plot.x_label, plot.y));
  script.y_label(!plot.y_label.empty() ? plot.y_label : "share of values");
  set_key(script, all);
  script.add("set yrange [0:1.02]");
  Table data{{"series", plot.y, "share"}, {}};
  bool above_zero = true;
  double low = std::numeric_limits<double>::max(), high = std::numeric_limits<double>::lowest();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto values = sorted(all[i].groups.front().values);
    if (values.empty()) continue;
    above_zero = above_zero && values.front() > 1e-200;  // smaller values are drawn as 0
    low = std::min(low, values.front());
    high = std::max(high, values.back());
    std::vector<Script::Row> steps{{values.front(), 0.0}};
    for (std::size_t k = 0; k < values.size(); ++k) {
      const double share = static_cast<double>(k + 1) / static_cast<double>(values.size());
      steps.push_back({values[k], share});
      data.rows.push_back({all[i].name, to_text(values[k]), to_text(share)});
    }
    script.plot(fmt::format("{} using 1:2 with steps {} title {}", script.data(steps), look(i).line(),
                            gnuplot_text(shortened(all[i].name))));
  }
  const bool log = plot.log_x && above_zero;
  if (log) script.add("set logscale x");
  const auto unit = unit_of_ticks(plot.x_label, plot.y);
  const auto ticks = round_ticks(low, high, log, unit);
  if ((log || !unit.empty()) && !ticks.empty()) script.ticks("x", ticks, unit);
  return {{.title = {}, .script = script.text(), .note = key_note(all.size()), .data = std::move(data), .shown = {}}};
}

}  // namespace lw
