#include "wall-control/present/audience_figures.h"

#include "wall-control/messages/wall_shape.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <optional>

namespace lw {
namespace {

constexpr int mean_samples = 10;  // one second

struct AudienceWords {
  Q_DECLARE_TR_FUNCTIONS(AudienceView)
};

// Three significant digits at most, and no more than one decimal.
QString audience_number(double value) { return QString::number(value, 'f', value < 99.95 ? 1 : 0); }

AudienceFigure megapixels(const WallInfo& wall) {
  const unsigned tiles = wall.columns * wall.rows;
  const double pixels = static_cast<double>(pixels_of(wall)) / 1e6;
  const auto about = tiles == 1 ? AudienceWords::tr("on one display") : AudienceWords::tr("on %1 displays").arg(tiles);
  return {pixels < 10 ? audience_number(pixels) : QString::number(std::lround(pixels)), AudienceWords::tr("megapixels"),
          about};
}

std::optional<double> throughput(const FlowHistory& history) {
  std::optional<double> sum;
  for (const auto& flow : history.flows()) {
    const auto& series = flow.series.of(Quantity::throughput);
    double total = 0;
    int samples = 0;
    for (int age = 0; age < std::min(mean_samples, series.size()); ++age) {
      if (const auto value = series.back(age)) {
        total += *value;
        ++samples;
      }
    }
    if (samples > 0) sum = sum.value_or(0) + total / samples;
  }
  return sum;
}

// The median of the tiles: one that stalls does not slow down the others.
std::optional<double> frames_a_second(const FlowHistory& history) {
  std::vector<double> rates;
  for (const auto& tile : history.tiles())
    if (tile.connected && tile.receiving && tile.fps) rates.push_back(*tile.fps);
  if (rates.empty()) return std::nullopt;
  const auto middle = rates.begin() + static_cast<std::ptrdiff_t>(rates.size() / 2);
  std::nth_element(rates.begin(), middle, rates.end());
  return *middle;
}

}  // namespace

std::vector<AudienceFigure> audience_figures(const WallInfo& wall, const FlowHistory& history, const Repair& repair) {
  std::vector<AudienceFigure> figures;
  if (pixels_of(wall) > 0) figures.push_back(megapixels(wall));
  if (const auto rate = throughput(history))
    figures.push_back(
        {audience_number(*rate), AudienceWords::tr("Gbit/s"), AudienceWords::tr("live over the network")});
  const bool repairing = repair.displays > 0 && repair.share;
  if (repairing)
    figures.push_back({QString("%1 %").arg(std::floor(*repair.share * 100)), AudienceWords::tr("repaired"),
                       AudienceWords::tr("of lost data, in time")});
  const auto skew_us = history.wall().skew_unknown ? std::nullopt : history.wall().skew_us_p99;
  if (const auto rate = frames_a_second(history)) {
    const bool together = repairing && skew_us && *skew_us < 1e6 / std::max(1.0, *rate);
    figures.push_back({QString::number(std::lround(*rate)), AudienceWords::tr("frames a second"),
                       together ? AudienceWords::tr("all displays in step") : AudienceWords::tr("uncompressed")});
  }
  if (!repairing && skew_us)
    figures.push_back(
        {audience_number(*skew_us / 1000), AudienceWords::tr("ms"), AudienceWords::tr("between displays")});
  return figures;
}

}  // namespace lw
