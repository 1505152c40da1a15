#include "wall-control/models/health_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lw {
namespace {

constexpr std::array strip_figures{Quantity::throughput, Quantity::loss, Quantity::jitter, Quantity::skew,
                                   Quantity::lateness};
constexpr int steps_of_minute = 600;

constexpr std::size_t figure_place(Quantity quantity) {
  return static_cast<std::size_t>(std::ranges::find(strip_figures, quantity) - strip_figures.begin());
}

void keep_greater(std::optional<double>& worst, const std::optional<double>& value) {
  if (value) worst = std::max(worst.value_or(*value), *value);
}

void add_to(std::optional<double>& sum, const std::optional<double>& value) {
  if (value) sum = sum.value_or(0) + *value;
}

}  // namespace

void HealthFigures::forget() {
  auto uplinks = std::move(uplinks_);
  *this = {};
  uplinks_ = std::move(uplinks);
}

void HealthFigures::put(std::size_t figure, const std::optional<double>& value, const std::optional<double>& worst) {
  auto& line = lines_[figure];
  line.ring[static_cast<std::size_t>(steps_ % line_samples)] =
      value ? static_cast<float>(*value) : std::numeric_limits<float>::quiet_NaN();
  line.known = std::min(line.known + 1, line_samples);
  line.worst = worst;
}

void HealthFigures::step(const FlowHistory& history) {
  std::optional<double> throughput, loss, regained, worst_loss, jitter, lateness;
  qint64 packets = 0;
  for (const auto& flow : history.flows()) {
    const auto newest = [&](Quantity quantity) { return flow.series.of(quantity).back(0); };
    add_to(throughput, flow.in_newest ? flow.gbit_per_s : std::nullopt);
    add_to(loss, newest(Quantity::loss));
    keep_greater(worst_loss, newest(Quantity::loss));
    add_to(regained, newest(Quantity::repaired));
    add_to(regained, newest(Quantity::rebuilt));
    keep_greater(jitter, newest(Quantity::jitter));
    packets += flow.packets;
  }
  for (const auto& tile : history.tiles()) keep_greater(lateness, tile.series.of(Quantity::lateness).back(0));
  const auto skew = history.wall().series.of(Quantity::skew).back(0);
  put(figure_place(Quantity::throughput), throughput, throughput);
  put(figure_place(Quantity::loss), loss, worst_loss);
  put(figure_place(Quantity::jitter), jitter, jitter);
  put(figure_place(Quantity::skew), skew, skew);
  put(figure_place(Quantity::lateness), lateness, lateness);
  put(recovered, regained, std::nullopt);
  const auto before = std::exchange(packets_, packets);
  const bool grew = before && packets >= *before;  // not where a node was restarted
  put(received,
      grew ? std::optional(static_cast<double>(packets - *before) * TimeSeries::samples_per_second) : std::nullopt,
      std::nullopt);
  auto& minute = hour_[static_cast<std::size_t>(steps_ / steps_of_minute) % hour_.size()];
  if (steps_ % steps_of_minute == 0) minute = {};
  minute.lost += loss.value_or(0) / TimeSeries::samples_per_second;
  minute.recovered += regained.value_or(0) / TimeSeries::samples_per_second;
  ++steps_;
}

std::optional<double> HealthFigures::worst(Quantity quantity) const {
  const auto place = figure_place(quantity);
  return place < shown ? lines_[place].worst : std::nullopt;
}

std::vector<float> HealthFigures::minute_of(std::size_t figure) const {
  const auto& line = lines_[figure];
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(line.known));
  for (int age = line.known; age > 0; --age)
    values.push_back(line.ring[static_cast<std::size_t>((steps_ - age) % line_samples)]);
  return values;
}

std::optional<double> HealthFigures::mean_of_second(std::size_t figure) const {
  const auto& line = lines_[figure];
  double sum = 0;
  int samples = 0;
  for (int age = 1; age <= std::min(line.known, TimeSeries::samples_per_second); ++age) {
    const auto value = line.ring[static_cast<std::size_t>((steps_ - age) % line_samples)];
    if (std::isnan(value)) continue;
    sum += value;
    ++samples;
  }
  return samples > 0 ? std::optional(sum / samples) : std::nullopt;
}

QStringList HealthFigures::about_throughput(const std::optional<double>& gbit_per_s) const {
  if (!gbit_per_s || !uplinks_.gbit_per_s) return {tr("sum of all flows")};
  const auto share = figure_text::share(*gbit_per_s / *uplinks_.gbit_per_s).joined();
  const auto each = figure_text::number(*uplinks_.gbit_per_s / uplinks_.cards);
  return {uplinks_.cards == 1 ? tr("%1 of the %2 Gbit/s link").arg(share, each)
                              : tr("%1 of %2 × %3 Gbit/s").arg(share).arg(uplinks_.cards).arg(each),
          tr("%1 of %2 Gbit/s").arg(share, figure_text::number(*uplinks_.gbit_per_s)), share};
}

QStringList HealthFigures::about_loss() const {
  const auto now = mean_of_second(figure_place(Quantity::loss));
  if (!now) return {};
  if (*now > 0) {
    const auto regained = mean_of_second(recovered);
    const auto arrived = mean_of_second(received);
    QStringList parts;
    if (arrived) parts << tr("%1 of all").arg(figure_text::share(*now / (*now + *arrived)).joined());
    if (regained)
      parts << tr("%1 recovered")
                   .arg(figure_text::share(std::round(100 * std::min(1.0, *regained / *now)) / 100).joined());
    return {parts.join(QString::fromUtf8(" \u00b7 ")), parts.value(parts.size() - 1)};
  }
  Minute hour;
  for (const auto& minute : hour_) {
    hour.lost += minute.lost;
    hour.recovered += minute.recovered;
  }
  if (hour.lost < 0.5) return {tr("none in the last hour"), tr("none in 1 h")};
  const auto lost = figure_text::number(std::round(hour.lost));
  const auto words =
      hour.recovered > hour.lost - 0.5 ? tr("%1 in the last hour, all recovered") : tr("%1 in the last hour");
  return {words.arg(lost), tr("%1 in 1 h").arg(lost)};
}

std::vector<HealthFigure> HealthFigures::all(const FlowHistory& history, const Limits& limits,
                                             const TileFaults& faults) const {
  std::vector<HealthFigure> figures;
  const std::array labels{tr("Throughput"), tr("Packet loss"), tr("Interarrival jitter"), tr("Skew, p99"),
                          tr("Lateness, p99")};
  const std::array short_labels{tr("Throughput"), tr("Loss"), tr("Jitter"), tr("Skew"), tr("Lateness")};
  for (std::size_t i = 0; i < shown; ++i) {
    HealthFigure figure;
    figure.quantity = strip_figures[i];
    figure.label = labels[i];
    figure.short_label = short_labels[i];
    figure.number = mean_of_second(i);
    figure.limit = figure.quantity == Quantity::throughput ? std::nullopt : limits.of(figure.quantity);
    if (limits.exceeded(figure.quantity, lines_[i].worst)) figure.state = State::warn;
    figure.minute = minute_of(i);
    if (figure.number)
      figure.value = figure.quantity == Quantity::skew || figure.quantity == Quantity::lateness
                         ? figure_text::milliseconds(*figure.number)
                         : figure_text::of(figure.quantity, *figure.number);
    figures.push_back(std::move(figure));
  }
  const auto limit_of = [&](Quantity quantity) {
    const auto limit = limits.of(quantity);
    return limit ? tr("limit %1").arg(figure_text::of(quantity, *limit).joined()) : QString();
  };
  const auto listed = [](const QStringList& parts) {
    QStringList all = parts;
    all.removeAll(QString());
    return all.join(QString::fromUtf8(" \u00b7 "));
  };
  figures[0].contexts = about_throughput(figures[0].number);
  figures[1].contexts = about_loss();
  if (figures[1].state == State::warn && faults.concealed + faults.not_shown > 0) figures[1].state = State::crit;
  const auto jitter_limit = limit_of(Quantity::jitter);
  figures[2].contexts = {listed({tr("worst of %1 flows").arg(history.flows().size()), jitter_limit}), jitter_limit};
  const auto skew_limit = limit_of(Quantity::skew);
  if (history.wall().skew_unknown)
    figures[3].contexts = {tr("clock error not known")};
  else if (!faults.furthest_behind.isEmpty())
    figures[3].contexts = {listed({skew_limit, tr("%1 behind the others").arg(faults.furthest_behind)}),
                           listed({skew_limit, faults.furthest_behind}), skew_limit};
  else
    figures[3].contexts = {listed({tr("between tiles"), skew_limit}), skew_limit};
  const auto lateness_limit = limit_of(Quantity::lateness);
  const auto delay = history.wall().playout_delay_us;
  if (faults.late > 0) figures[4].state = State::crit;
  figures[4].contexts = {
      listed({lateness_limit, delay ? tr("playout delay %1").arg(figure_text::time(*delay).joined()) : QString()}),
      lateness_limit};
  return figures;
}

}  // namespace lw
