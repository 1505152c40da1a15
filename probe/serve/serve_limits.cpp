#include "probe/serve/serve_limits.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {
namespace {

constexpr double link_unknown_gbit_per_s = 100;
constexpr double rounding = 1.01;  // frames are complete rows of pixels

// By the size of the packets, whatever else the client claims.
double udp_gbit_per_s(const LoadSpec& load) {
  return 3.0 * load.width * load.rows * load.frame_rate * load.flows * 8e-9;
}

Result<void> check_seconds(double seconds, const ServeLimits& limits) {
  if (seconds <= limits.seconds) return {};
  return Error{
      fmt::format("{:.0f} s are longer than the {:.0f} s that this wall-probe serve measures", seconds, limits.seconds),
      "measure for less, or start it with a larger --max-seconds"};
}

}  // namespace

double link_gbit_per_s(const std::vector<Nic>& nics) {
  double fastest = 0;
  for (const auto& nic : nics)
    if (nic.up && nic.link_rate) fastest = std::max(fastest, nic.link_rate->gbit());
  return fastest > 0 ? fastest : link_unknown_gbit_per_s;
}

Result<void> check_limits(const RunSpec& run, const ServeLimits& limits, bool same_host) {
  if (auto within = check_seconds(run.warm_up_s + run.duration_s, limits); !within) return within;
  const auto udt = std::ranges::find(run.loads, Protocol::udt, &LoadSpec::protocol);
  if (udt != run.loads.end() && !limits.udt && !same_host)
    return Error{fmt::format("load {} uses UDT, which this wall-probe serve does not allow", udt->name),
                 "start it with --udt"};
  if (same_host && !limits.given) return {};
  double sent = 0;
  for (const auto& load : run.loads) {
    if (!is_sent_by_server(load)) continue;
    sent += load.protocol == Protocol::udp ? udp_gbit_per_s(load) : load.gbit_per_s;
    // TCP and UDT adapt themselves to the link, but not to a lower limit.
    if ((load.protocol == Protocol::tcp || load.protocol == Protocol::udt) && load.gbit_per_s == 0 && limits.given)
      return Error{fmt::format("load {} has no rate limit, and this wall-probe serve sends at most {:g} "
                               "Gbit/s",
                               load.name, limits.gbit_per_s),
                   "give the load a rate, or start it with a larger --max-gbit-per-s"};
  }
  if (sent > limits.gbit_per_s * rounding)
    return Error{fmt::format("{:g} Gbit/s are more than the {:g} Gbit/s that this wall-probe serve sends", sent,
                             limits.gbit_per_s),
                 "ask for less, or start it with a larger --max-gbit-per-s"};
  return {};
}

Result<void> limit_capacity(CapacitySpec& spec, const ServeLimits& limits, bool same_host) {
  if (auto within = check_seconds(spec.duration_s, limits); !within) return within;
  if (!spec.reverse || (same_host && !limits.given)) return {};
  if (spec.start_gbit_per_s > limits.gbit_per_s)
    return Error{
        fmt::format("the first rate of {:g} Gbit/s is more than the {:g} Gbit/s that this wall-probe serve sends",
                    spec.start_gbit_per_s, limits.gbit_per_s),
        "begin with less, or start it with a larger --max-gbit-per-s"};
  spec.gbit_per_s_max = std::min(spec.gbit_per_s_max, limits.gbit_per_s);
  return {};
}

}  // namespace lw
