#include "probe/measure/pinning.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

namespace lw {
namespace {

using nlohmann::json;

RunSpec run_of(const json& loads) { return parse_run({{"loads", loads}}).value(); }
RunSpec flows_pinned(unsigned flows, const std::string& pinning, const std::string& direction = "forward") {
  return run_of(json::array({{{"gbit_per_s", 1}, {"flows", flows}, {"pinning", pinning}, {"direction", direction}}}));
}
const SideAddresses apart{"10.0.0.1", "10.0.0.2", false};
const SideAddresses together{"127.0.0.1", "127.0.0.1", true};

std::map<unsigned, std::size_t> cores_by_cpu(const Topology& topology) {
  std::map<unsigned, std::size_t> cores;
  for (std::size_t i = 0; i < topology.cores.size(); ++i)
    for (const auto cpu : topology.cores[i].cpus) cores[cpu] = i;
  return cores;
}

TEST_CASE("three flows have a core each, like the paper's") {
  const auto topology = read_topology("pack:1 core:4 pu:2").value();
  const auto cores = cores_by_cpu(topology);
  const auto pinned = pin_ends(flows_pinned(3, "one-per-flow"), Role::client, apart, topology, {});
  REQUIRE(pinned.has_value());
  REQUIRE(pinned->size() == 1);
  const auto& cpus = pinned->at({"main", Direction::forward, true});
  std::set<std::size_t> used;
  for (const auto cpu : cpus) used.insert(cores.at(cpu));
  CHECK(used.size() == 3);
  CHECK(pin_ends(flows_pinned(5, "one-per-flow"), Role::client, apart, topology, {}).has_error());
  CHECK(pin_ends(flows_pinned(3, "none"), Role::client, apart, topology, {}).value().empty());
}

TEST_CASE("flows run near the card that they leave by") {
  const auto topology = read_topology("pack:2 [numa] core:4 pu:1").value();
  std::vector<Nic> nics(2);
  nics[0].addresses = {"10.0.0.1"};
  nics[0].numa_node = 1;
  nics[1].addresses = {"10.0.1.1"};
  nics[1].numa_node = 0;
  const auto run = run_of(json::array(
      {{{"gbit_per_s", 1}, {"flows", 4}, {"pinning", "one-per-flow"}, {"from", {"10.0.0.1", "10.0.1.1"}}}}));
  const auto pinned = pin_ends(run, Role::client, apart, topology, nics);
  REQUIRE(pinned.has_value());
  CHECK(pinned->at({"main", Direction::forward, true}) == std::vector<unsigned>{4, 0, 5, 1});
  // The receiver's card is that of its own address.
  const auto received =
      pin_ends(flows_pinned(2, "one-per-flow"), Role::server, {"10.0.0.1", "10.0.0.9", false}, topology, nics);
  REQUIRE(received.has_value());
  CHECK(received->at({"main", Direction::forward, false}) == std::vector<unsigned>{4, 5});
}

TEST_CASE("a host with too few cores says how many it needs, and what to do") {
  const auto topology = read_topology("pack:1 core:2 pu:1").value();
  const auto pinned = pin_ends(flows_pinned(3, "one-per-flow"), Role::client, together, topology, {});
  REQUIRE(pinned.has_error());
  CHECK(pinned.error().what.find("needs 6 cores") != std::string::npos);
  CHECK(pinned.error().what.find("has 2") != std::string::npos);
  CHECK(pinned.error().mend.find("in-turn") != std::string::npos);
  CHECK(pin_ends(flows_pinned(3, "in-turn"), Role::client, together, topology, {}).has_value());
}

TEST_CASE("threads have cores to themselves, or share them evenly: any loads on any host") {
  std::mt19937 random(21);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  for (int round = 0; round < 300; ++round) {
    const auto topology =
        read_topology("pack:" + std::to_string(1 + below(3)) + " [numa] core:" + std::to_string(1 + below(8)) +
                      " pu:" + std::to_string(1 + below(2)))
            .value();
    const bool strict = below(2) == 0, one_host = below(2) == 0;
    const char* directions[] = {"forward", "reverse", "both"};
    json loads = json::array();
    unsigned threads_of_client = 0, threads_of_server = 0;
    for (unsigned i = 0, count = 1 + below(3); i < count; ++i) {
      const auto direction = below(3), flows = 1 + below(4);
      loads.push_back({{"name", "load" + std::to_string(i)},
                       {"gbit_per_s", 1},
                       {"flows", flows},
                       {"direction", directions[direction]},
                       {"pinning", strict ? "one-per-flow" : "in-turn"}});
      threads_of_client += flows * (direction == 2 ? 2 : 1);
      threads_of_server += flows * (direction == 2 ? 2 : 1);
    }
    const auto run = run_of(loads);
    const auto& addresses = one_host ? together : apart;
    const auto client = pin_ends(run, Role::client, addresses, topology, {});
    const auto server = pin_ends(run, Role::server, addresses, topology, {});
    const auto threads = one_host ? threads_of_client + threads_of_server : threads_of_client;
    REQUIRE(client.has_value() == (!strict || threads <= topology.cores.size()));
    REQUIRE(server.has_value() == client.has_value());
    if (!client) continue;
    const auto cores = cores_by_cpu(topology);
    std::vector<unsigned> threads_on(topology.cores.size());
    unsigned placed = 0;
    for (const auto* side : one_host ? std::vector{&*client, &*server} : std::vector{&*client})
      for (const auto& [end, cpus] : *side)
        for (const auto cpu : cpus) {
          ++threads_on[cores.at(cpu)];
          ++placed;
        }
    CHECK(placed == threads);
    const auto [least, most] = std::ranges::minmax(threads_on);
    CHECK(most - least <= 1);
    if (strict) CHECK(most <= 1);
  }
}

TEST_CASE("a client's flows to a second server have their own cores") {
  const auto topology = read_topology("pack:1 core:4 pu:1").value();
  const auto run = flows_pinned(2, "one-per-flow");
  const auto second = run_of_host(run, 1).value();
  CHECK(pin_ends(run, Role::client, apart, topology, {})->at({"main", Direction::forward, true}) ==
        std::vector<unsigned>{0, 1});
  CHECK(pin_ends(second, Role::client, apart, topology, {})->at({"main", Direction::forward, true}) ==
        std::vector<unsigned>{2, 3});
  CHECK(pin_ends(second, Role::server, apart, topology, {})->at({"main", Direction::forward, false}) ==
        std::vector<unsigned>{0, 1});
}

}  // namespace
}  // namespace lw
