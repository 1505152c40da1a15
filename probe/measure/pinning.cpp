#include "probe/measure/pinning.h"

#include "common/plan/placement.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {
namespace {

struct PlacedEnd {
  const LoadSpec* load = nullptr;
  Direction direction = Direction::forward;
  bool sends = false;
  Role role = Role::client;
  bool is_own = false;  // belongs to this side and this part of the run
};

// In one order on both sides, so that two processes on one host choose the same cores. A client of several servers has
// such a part of the run for each; earlier parts keep their cores.
std::vector<PlacedEnd> ends_on_host(const RunSpec& run, Role role, bool one_host) {
  const auto& first = run.loads.front();
  const unsigned parts = role == Role::client ? first.first_flow / first.flows + 1 : 1;
  std::vector<PlacedEnd> ends;
  for (unsigned part = 0; part < parts; ++part)
    for (const auto& load : run.loads)
      for (const auto direction : {Direction::forward, Direction::reverse})
        for (const bool sends : {true, false}) {
          const auto of = (direction == Direction::forward) == sends ? Role::client : Role::server;
          if (load.pinning == Pinning::none || (load.direction != Direction::both && load.direction != direction))
            continue;
          if (of == role || one_host) ends.push_back({&load, direction, sends, of, of == role && part + 1 == parts});
        }
  return ends;
}

std::optional<unsigned> numa_node_of(const PlacedEnd& end, unsigned flow, const SideAddresses& addresses, Role role,
                                     const std::vector<Nic>& nics) {
  if (addresses.one_host) return {};  // its processes may see different cards, but must choose the same cores
  const auto between = end_addresses(*end.load, end.direction, role, addresses);
  const auto& from = between.from;
  const auto& own = !end.sends ? between.to : from.empty() ? addresses.own : from[flow % from.size()];
  const auto* nic = nic_of_address(nics, own);
  return nic == nullptr ? std::nullopt : nic->numa_node;
}

Error too_few(const std::vector<PlacedEnd>& ends, std::size_t cores, bool one_host) {
  unsigned threads = 0;
  for (const auto& end : ends) threads += end.load->flows;
  return {fmt::format("pinning one-per-flow needs {} cores, one for each {}, but this host has {}", threads,
                      one_host ? "sender and receiver of a flow" : "flow", cores),
          fmt::format("send fewer flows{}, or use pinning = \"in-turn\", with which flows share cores",
                      one_host ? ", measure with a second host" : "")};
}

}  // namespace

EndAddresses end_addresses(const LoadSpec& load, Direction direction, Role role, const SideAddresses& addresses) {
  const auto& client = role == Role::client ? addresses.own : addresses.peer;
  const auto& called = role == Role::client ? addresses.peer : addresses.own;
  const auto& server = load.to.empty() ? called : load.to;
  if (direction == Direction::forward) return {load.from, server, client};
  return {{server}, load.from.empty() ? client : load.from.front(), server};
}

Result<PinnedEnds> pin_ends(const RunSpec& run, Role role, const SideAddresses& addresses, const Topology& topology,
                            const std::vector<Nic>& nics) {
  PinnedEnds pinned;
  CoreChoice cores(topology);
  const auto ends = ends_on_host(run, role, addresses.one_host);
  for (const auto& end : ends) {
    std::vector<unsigned> cpus;
    for (unsigned flow = 0; flow < end.load->flows; ++flow) {
      const auto core = cores.next(numa_node_of(end, flow, addresses, role, nics));
      if (!core) return Error{"pinning: the cores of this host are not known", "name them: sender_cpus, receiver_cpus"};
      if (core->shared && end.load->pinning == Pinning::one_per_flow)
        return too_few(ends, topology.cores.size(), addresses.one_host);
      cpus.push_back(core->cpu);
    }
    if (end.is_own) pinned[{end.load->name, end.direction, end.sends}] = std::move(cpus);
  }
  return pinned;
}

Result<PinnedEnds> pin_ends(const RunSpec& run, Role role, const SideAddresses& addresses) {
  const auto is_ruled = [](const LoadSpec& load) { return load.pinning != Pinning::none; };
  if (std::ranges::none_of(run.loads, is_ruled)) return PinnedEnds();
  const auto topology = read_topology();
  if (!topology) return topology.error();
  return pin_ends(run, role, addresses, *topology, read_nics());
}

}  // namespace lw
