#include "probe/hash/spread.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>

namespace lw {
namespace {

constexpr int port_min = 1024;
constexpr int port_max = 65'535;

unsigned above_even(const std::vector<Spread>& spreads) {
  unsigned sum = 0;
  for (const auto& spread : spreads) sum += spread.busiest() - spread.even();
  return sum;
}

std::string host_of(const Address& address) {
  auto text = address.with_port(0).text();
  return text.substr(0, text.rfind(':'));
}

// Moves all ports of a side by `by`; empty if one would leave the range of ports.
std::optional<std::vector<FlowTuple>> moved(std::vector<FlowTuple> flows, Address FlowTuple::*side, int by) {
  for (auto& flow : flows) {
    const int port = (flow.*side).port() + by;
    if (port < port_min || port > port_max - 1) return {};
    flow.*side = (flow.*side).with_port(static_cast<std::uint16_t>(port));
  }
  return flows;
}

// A flow's RTCP uses the next higher port; the ranges of the two sides must not overlap on one host.
bool overlap(const std::vector<FlowTuple>& flows) {
  const auto [lowest_from, highest_from] =
      std::ranges::minmax(flows, {}, [](const FlowTuple& flow) { return flow.from.port(); });
  const auto [lowest_to, highest_to] =
      std::ranges::minmax(flows, {}, [](const FlowTuple& flow) { return flow.to.port(); });
  return lowest_from.from.port() <= highest_to.to.port() + 1 && lowest_to.to.port() <= highest_from.from.port() + 1;
}

// Probability that no member gets more than `most` of the flows.
double chance_of_at_most(unsigned most, unsigned flows, unsigned members) {
  std::vector<double> before(flows + 1);
  for (unsigned n = 0; n <= flows; ++n) before[n] = n <= most ? 1 : 0;
  for (unsigned count = 2; count <= members; ++count) {
    const double share = std::log(1.0 / count), rest = std::log(1 - 1.0 / count);
    std::vector<double> now(flows + 1);
    for (unsigned n = 0; n <= flows; ++n)
      for (unsigned taken = 0; taken <= std::min(n, most); ++taken)
        now[n] += std::exp(std::lgamma(n + 1.0) - std::lgamma(taken + 1.0) - std::lgamma(n - taken + 1.0) +
                           taken * share + (n - taken) * rest) *
                  before[n - taken];
    before = std::move(now);
  }
  return before[flows];
}

}  // namespace

unsigned Spread::busiest() const { return flows_on.empty() ? 0 : *std::ranges::max_element(flows_on); }

unsigned Spread::even() const {
  const auto members = static_cast<unsigned>(flows_on.size());
  return members == 0 ? flows : (flows + members - 1) / members;
}

std::vector<Spread> spread_of(const HashRule& rule, const std::vector<FlowTuple>& flows) {
  std::vector<Spread> spreads;
  std::vector<const Address*> hosts;
  for (const auto& flow : flows) {
    const auto& host = rule.receives ? flow.to : flow.from;
    auto found = std::ranges::find_if(hosts, [&](const Address* known) { return known->same_host(host); });
    if (found == hosts.end()) {
      spreads.push_back({host_of(host), std::vector<unsigned>(rule.members), 0});
      hosts.push_back(&host);
      found = hosts.end() - 1;
    }
    auto& spread = spreads[static_cast<std::size_t>(found - hosts.begin())];
    ++spread.flows;
    ++spread.flows_on[rule.member(flow)];
  }
  return spreads;
}

RandomSpread random_spread(unsigned flows, unsigned members) {
  const unsigned even = (flows + members - 1) / members;
  RandomSpread result{static_cast<double>(even), chance_of_at_most(even, flows, members)};
  // The mean of the busiest is the sum over k of the probability that it has more than k.
  double more = 1 - result.even_chance;
  for (unsigned most = even; most < flows; ++most) {
    if (more <= 1e-9) break;
    result.busiest_mean += more;
    more = 1 - chance_of_at_most(most + 1, flows, members);
  }
  return result;
}

std::optional<PortMove> find_wall_ports(const HashRule& rule, const std::vector<FlowTuple>& flows) {
  // Moves the receiving side's ports over their complete range; if that is not enough, also the sender's by some
  // steps.
  constexpr int source_steps = 8;
  // A few seconds of work for walls with hundreds of flows.
  constexpr std::size_t hashes_max = 30'000'000;
  if (!rule.uses_ports) return {};
  std::optional<PortMove> best;
  auto least = above_even(spread_of(rule, flows));
  std::size_t hashes = 0;
  for (int source_by = 0; source_by <= 2 * source_steps && least > 0; source_by += 2) {
    const auto sources = moved(flows, &FlowTuple::from, source_by);
    if (!sources) break;
    for (int distance = 0; distance < port_max && least > 0 && hashes < hashes_max; distance += 2)
      for (const int base_by : {distance, -distance}) {
        const auto tried = moved(*sources, &FlowTuple::to, base_by);
        if (!tried || overlap(*tried)) continue;
        const auto excess = above_even(spread_of(rule, *tried));
        hashes += flows.size();
        if (excess >= least) continue;
        least = excess;
        best = PortMove{base_by, source_by, excess};
      }
  }
  return best;
}

std::vector<std::uint16_t> find_source_ports(const HashRule& rule, const std::vector<FlowTuple>& flows) {
  if (!rule.uses_ports || flows.empty()) return {};
  std::vector<std::uint16_t> ports;
  std::map<std::string, unsigned> taken;  // flows assigned to each host so far
  int port = flows.front().from.port();
  for (auto flow : flows) {
    const auto wanted = taken[host_of(rule.receives ? flow.to : flow.from)]++ % rule.members;
    for (;; port += 2) {
      if (port >= port_max) return {};
      flow.from = flow.from.with_port(static_cast<std::uint16_t>(port));
      if (rule.member(flow) == wanted) break;
    }
    ports.push_back(static_cast<std::uint16_t>(port));
    port += 2;
  }
  return ports;
}

}  // namespace lw
