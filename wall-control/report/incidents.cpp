#include "wall-control/report/incidents.h"

#include "wall-control/models/line_summary.h"
#include "wall-control/plots/columns.h"

#include <QCoreApplication>

#include <algorithm>

namespace lw {
namespace {

constexpr int apart_s = 5;

QString in_words(const char* text) { return QCoreApplication::translate("Report", text); }

struct Second {
  double lost = 0, repaired = 0;
};

// One entry for each second of the range, over all flows of the part.
std::vector<Second> seconds_of(const PlotSource& source, const SampleSpan& span) {
  std::vector<Second> seconds(static_cast<std::size_t>(std::max(1, span.count / TimeSeries::samples_per_second)));
  const int width = static_cast<int>(seconds.size());
  const auto add = [&](Quantity quantity, double Second::*member) {
    for (const auto& line : source.history.lines(quantity, source.focus.part())) {
      const auto columns = columns_of(*line.series, span, width);
      for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns[i].any) seconds[i].*member += columns[i].max;
    }
  };
  add(Quantity::loss, &Second::lost);
  add(Quantity::repaired, &Second::repaired);
  add(Quantity::rebuilt, &Second::repaired);
  return seconds;
}

QString describe(const PlotSource& source, const SampleSpan& span, State& state) {
  LossTotals all;
  QStringList names;
  for (const auto& flow : source.history.flows()) {
    const auto totals = loss_of(flow, span);
    if (totals.lost <= 0) continue;
    all.lost += totals.lost;
    all.repaired += totals.repaired;
    names << QString::number(flow.flow);
  }
  state = all.all_repaired() ? State::warn : State::crit;
  const auto where = names.size() == 1 ? in_words(QT_TRANSLATE_NOOP("Report", "on flow %1")).arg(names[0])
                                       : in_words(QT_TRANSLATE_NOOP("Report", "on %1 flows")).arg(names.size());
  const double share = all.lost > 0 ? std::min(1.0, all.repaired / all.lost) : 1;
  const auto words =
      TimeSeries::kept_whole(span)
          ? in_words(QT_TRANSLATE_NOOP("Report", "%1 packets lost %2, %3 % repaired in time"))
          : in_words(QT_TRANSLATE_NOOP("Report", "At least %1 packets lost %2, about %3 % repaired in time"));
  return words.arg(short_number(std::round(all.lost)), where).arg(std::floor(100 * share));
}

}  // namespace

std::optional<double> total_of(const TimeSeries& series, const SampleSpan& span) {
  const auto values = values_of(series, span);
  if (values.empty()) return std::nullopt;
  double total = 0;
  // Of each older second only the least and the greatest rate of a tenth are kept: at least that tenth counts.
  const std::size_t step = TimeSeries::kept_whole(span) ? 1 : 2;
  for (std::size_t i = step - 1; i < values.size(); i += step) total += static_cast<double>(values[i]);
  return total / TimeSeries::samples_per_second;
}

LossTotals loss_of(const FlowRow& flow, const SampleSpan& span) {
  LossTotals totals;
  const auto lost = total_of(flow.series.of(Quantity::loss), span);
  totals.measured = lost.has_value();
  totals.lost = lost.value_or(0);
  totals.repaired = total_of(flow.series.of(Quantity::repaired), span).value_or(0) +
                    total_of(flow.series.of(Quantity::rebuilt), span).value_or(0);
  return totals;
}

State state_of(const PlotSource& source, const TileRow& tile, const SampleSpan& span) {
  LossTotals all;
  bool received = false;
  for (const auto& flow : source.history.flows()) {
    if (flow.column != tile.column || flow.row != tile.row) continue;
    const auto totals = loss_of(flow, span);
    all.lost += totals.lost;
    all.repaired += totals.repaired;
    received = received || !values_of(flow.series.of(Quantity::throughput), span).empty();
  }
  if (!received) return State::off;
  if (all.lost <= 0) return State::ok;
  return all.all_repaired() ? State::warn : State::crit;
}

std::vector<Incident> incidents_of(const PlotSource& source) {
  const auto range = source.window.chosen();
  const auto& times = source.history.times();
  const auto first = times.time_of(std::max<qint64>(0, range.first)), last = times.time_of(range.last);
  std::vector<Incident> incidents;
  if (!first || !last) return incidents;
  if (source.notes != nullptr)
    for (const auto& incident : source.notes->incidents())
      if (incident.begin_ms <= *last && incident.end_ms.value_or(*last) >= *first) incidents.push_back(incident);
  if (!incidents.empty()) return incidents;
  const auto span = source.window.span_of(range);
  const auto seconds = seconds_of(source, span);
  constexpr int step = TimeSeries::samples_per_second;
  for (std::size_t i = 0; i < seconds.size();) {
    if (seconds[i].lost <= 0) {
      ++i;
      continue;
    }
    std::size_t end = i + 1;  // of the last second with losses
    for (std::size_t at = i + 1; at < seconds.size() && at < end + apart_s; ++at)
      if (seconds[at].lost > 0) end = at + 1;
    const qint64 from = range.last + 1 - static_cast<qint64>(seconds.size() - i) * step;
    const qint64 to = range.last - static_cast<qint64>(seconds.size() - end) * step;
    Incident incident;
    incident.text = describe(source, source.window.span_of({from, to}), incident.state);
    incident.begin_ms = times.time_of(from).value_or(*first);
    incident.end_ms = times.time_of(to);
    incidents.push_back(std::move(incident));
    i = end;
  }
  return incidents;
}

}  // namespace lw
