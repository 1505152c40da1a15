#include "probe/measure/delay_figures.h"

#include "probe/loads/clock_drift.h"
#include "probe/loads/frame_statistics.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace lw {
namespace {

using nlohmann::json;

struct TimeOfFrame {
  double media_us = 0;  // since 1970: whole numbers, which a double represents exactly
  double after_us = 0;
};

// A peer may send anything, in any order.
std::vector<TimeOfFrame> times_of(const json& told) {
  std::vector<TimeOfFrame> times;
  for (const auto& one : told) times.push_back({one.at(0).get<double>(), one.at(1).get<double>()});
  std::erase_if(times, [](const TimeOfFrame& one) { return !std::isfinite(one.media_us + one.after_us); });
  std::ranges::sort(times, {}, &TimeOfFrame::media_us);
  return times;
}

// For the frames that both have. Media times differ by rounding.
std::vector<DelayAt> one_way_delays(const json& departures, const json& arrivals) {
  constexpr double rounding_us = 1;
  const auto sent = times_of(departures), came = times_of(arrivals);
  std::vector<DelayAt> delays;
  auto departure = sent.begin();
  for (const auto& arrival : came) {
    while (departure != sent.end() && departure->media_us < arrival.media_us - rounding_us) ++departure;
    if (departure == sent.end()) break;
    if (departure->media_us > arrival.media_us + rounding_us) continue;
    const double at_us = arrival.media_us - came.front().media_us + arrival.after_us;
    delays.push_back({at_us * 1e-6, arrival.media_us - departure->media_us + arrival.after_us - departure->after_us});
  }
  return delays;
}

void rename_figure(json& figures, const std::string& from, const std::string& to) {
  if (const auto found = figures.find(from); found != figures.end()) {
    figures[to] = *found;
    figures.erase(from);
  }
}

}  // namespace

json frame_times_json(const std::vector<FrameTime>& times) {
  auto told = json::array();
  for (const auto& [media_time, time] : times) {
    const auto rounded = std::chrono::round<std::chrono::microseconds>(media_time.time_since_epoch());
    told.push_back({rounded.count(), static_cast<double>((time.time_since_epoch() - rounded).count()) / 1000});
  }
  return told;
}

void add_one_way(json& figures, const json& departures, const json& arrivals) {
  const auto delays = one_way_delays(departures, arrivals);
  if (delays.empty()) return;
  const auto put = [&](const std::string& name, double ppm, bool variation) {
    std::vector<double> values;
    for (const auto& delay : delays) values.push_back(delay.delay_us - ppm * delay.at_s);
    const auto [least, most] = std::ranges::minmax(values);
    const double base = variation ? least : 0;
    if (!variation) figures[name + "_min"] = least;
    figures[name + "_p50"] = quantile_of(values, 0.5) - base;
    figures[name + "_p99"] = quantile_of(values, 0.99) - base;
    figures[name + "_max"] = most - base;
  };
  put("one_way_us", 0, false);
  put("one_way_pdv_us", 0, true);
  if (const auto drift = figures.find("clock_drift_ppm"); drift != figures.end())
    put("driftless_one_way_pdv_us", drift->get<double>(), true);
}

void judge_by_clocks(json& figures, std::optional<double> clocks_us) {
  const bool two_clocks = clocks_us != 0;
  for (const auto* variation : {"pdv_us", "one_way_pdv_us"})
    for (const auto* part : {"_p50", "_p99", "_max"}) {
      const auto name = std::string(variation) + part, driftless = "driftless_" + name;
      if (two_clocks)
        rename_figure(figures, driftless, name);
      else
        figures.erase(driftless);
    }
  if (!two_clocks) figures.erase("clock_drift_ppm");
  const double card_us = figures.value("card_error_us", 0.0);
  if (clocks_us) *clocks_us += card_us;
  // A packet that arrives before it left, by more than the bound of the clocks, proves that the bound is wrong.
  if ((two_clocks || card_us > 0) && figures.value("one_way_us_min", 0.0) < -clocks_us.value_or(0)) clocks_us.reset();
  if (!clocks_us) {
    for (const auto* name :
         {"delay_us_min", "delay_us_p50", "one_way_us_min", "one_way_us_p50", "one_way_us_p99", "one_way_us_max"})
      figures.erase(name);
  } else if (figures.contains("delay_us_min")) {
    figures["clock_error_us"] = *clocks_us;
  }
}

}  // namespace lw
