#include "tests/truth/run_truth.h"

#include "probe/measure/delay_figures.h"
#include "probe/measure/result.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

namespace lw::truth {
namespace {

using nlohmann::json;

// By roundings, also with constant delay.
constexpr double drift_error_ppm = 0.02;

bool has_two_clocks(const KnownPath& path) { return path.clock_offset != Nanoseconds{0} || path.clock_drift_ppm != 0; }

// The bound of its clock's error that each host gives.
double clock_error_us(const KnownPath& path) { return path.clock_drift_ppm != 0 ? 1000 : 600'000; }

json side_of(const KnownPath& path, const char* host, bool sends, const json& totals, const FlowFigures& figures,
             const std::vector<FrameTime>& times) {
  json flow{{"totals", totals},
            {"ever", json::object()},
            {"figures", json(figures)},
            {"frame_times", frame_times_json(times)}};
  json side{{"boot_id", has_two_clocks(path) ? host : "both"}, {"name", host}};
  side["clock_error_us"] = clock_error_us(path);
  return {{"ends", json::array({{{"load", "main"},
                                 {"direction", "forward"},
                                 {"sends", sends},
                                 {"first_flow", 0},
                                 {"flows", json::array({flow})}}})},
          {"host", side}};
}

json printed_figures(const KnownPath& path, const PathRun& run) {
  RunOutcome outcome;
  const json sent{{"packets", path.frames * run.flight.packets}};
  const json received{{"lost", run.stats.lost}, {"arrived", run.stats.arrived}};
  outcome.hosts = {{side_of(path, "sender", true, sent, {}, run.departures),
                    side_of(path, "receiver", false, received, run.frame_figures, run.arrivals)}};
  const auto spec = parse_run({{"loads", json::array({{{"gbit_per_s", 0.1}}})}}).value();
  return make_result(spec, outcome).value().at("flows").at(0).at("figures");
}

// How well the line below all delays can show the clocks' drift. At the mean of the times, the line with the least sum
// of distances is at least as high as the least delay, and nowhere is it above a delay: so each delay after that time
// limits its slope from above, and each before it from below.
double drift_bound_ppm(const std::vector<FirstPacket>& firsts, const std::vector<double>& delays_us) {
  const double least_us = *std::ranges::min_element(delays_us);
  std::vector<double> at_s;
  for (const auto& first : firsts) at_s.push_back(microseconds(first.arrival - firsts.front().arrival) * 1e-6);
  const double mean_s = std::accumulate(at_s.begin(), at_s.end(), 0.0) / static_cast<double>(at_s.size());
  double up = std::numeric_limits<double>::infinity(), down = up;
  for (std::size_t i = 0; i < at_s.size(); ++i)
    if (const double distance_s = std::abs(at_s[i] - mean_s); distance_s > 0) {
      auto& limit = at_s[i] > mean_s ? up : down;
      limit = std::min(limit, (delays_us[i] - least_us) / distance_s);
    }
  return std::max(up, down) + drift_error_ppm;
}

std::vector<double> above_least(std::vector<double> values) {
  const double least = *std::ranges::min_element(values);
  for (auto& value : values) value -= least;
  return values;
}

}  // namespace

Nanoseconds since_media(const FirstPacket& first, const Flight& flight) {
  return first.delay + (flight.departures[first.frame] - flight.media_times[first.frame]);
}

void add_run_figures(Table& table, const KnownPath& path, const PathRun& run, const std::vector<FirstPacket>& firsts,
                     std::uint64_t lost) {
  const auto figures = printed_figures(path, run);
  const bool two_clocks = has_two_clocks(path);
  const std::string hosts = two_clocks ? ", two hosts" : "";
  const auto time = [&](const std::string& name, double truth, double allowed, const char* unit = "µs") {
    const auto found = figures.find(name);
    table.time(name + " (run" + hosts + ")", truth,
               found == figures.end() ? std::nullopt : std::optional(found->get<double>()), allowed, unit);
  };
  table.count("loss (run)", static_cast<double>(lost) / (path.frames * run.flight.packets), figures.at("loss"));
  std::vector<double> delays, scheduled;
  for (const auto& first : firsts) {
    delays.push_back(microseconds(first.delay));
    scheduled.push_back(microseconds(since_media(first, run.flight)));
  }
  const auto parts = {std::pair("_p50", 0.5), std::pair("_p99", 0.99), std::pair("_max", 1.0)};
  const double clocks_us = two_clocks ? 2 * clock_error_us(path) : 0;
  time("one_way_us_min", quantile(delays, 0), clocks_us + 2 * time_error_us);
  for (const auto& [part, fraction] : parts)
    time(std::string("one_way_us") + part, quantile(delays, fraction), clocks_us + 2 * time_error_us);
  const double drift_ppm = std::max(drift_bound_ppm(firsts, delays), drift_bound_ppm(firsts, scheduled));
  const double span_s = microseconds(firsts.back().arrival - firsts.front().arrival) * 1e-6;
  const double variation_us = (two_clocks ? drift_ppm * span_s : 0) + 4 * time_error_us;
  for (const auto& [part, fraction] : parts) {
    time(std::string("one_way_pdv_us") + part, quantile(above_least(delays), fraction), variation_us);
    time(std::string("pdv_us") + part, quantile(above_least(scheduled), fraction), variation_us);
  }
  if (two_clocks) time("clock_drift_ppm", static_cast<double>(path.clock_drift_ppm), drift_ppm, "ppm");
}

}  // namespace lw::truth
