// Facts that a host wrote are read again without a change; files with a mistake are refused with its place.
#include "common/host/facts_file.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace lw {
namespace {

using nlohmann::json;

PcieLink slot(unsigned lanes) { return {{4, lanes}, {5, 16}}; }

// A host on which every fact is known.
HostFacts all_known() {
  HostFacts host;
  host.name = "sender";
  host.topology = read_topology("pack:2 [numa(memory=64GB)] core:4 pu:2").value();
  host.topology.cpu_model = "a processor";
  host.topology.distances = {{10, 21}, {21, 10}};
  host.topology.numa_nodes[1].memory_bytes_per_s = 2e11;
  Nic card;
  card.name = "eth0";
  card.addresses = {"10.1.0.1", "fe80::1"};
  card.up = true;
  card.link_rate = BitRate::gbit(100);
  card.mtu = 9000;
  card.driver = "mlx5_core";
  card.numa_node = 1;
  card.pcie = slot(16);
  card.qdisc = "fq";
  card.queues = {{0, {0, 1}, 71, {2}}, {1, {}, {}, {}}};
  host.nics = {card, {}};
  host.nics[1].name = "eth1";
  Disk disk;
  disk.directory = "/ssd1";
  disk.exists = true;
  disk.filesystem = "xfs";
  disk.free_bytes = 1'000'000'000'000;
  disk.direct_io = true;
  disk.device = "nvme0n1";
  disk.model = "a disk";
  disk.rotational = false;
  disk.numa_node = 0;
  disk.pcie = slot(4);
  disk.read_bytes_per_s = 7e9;
  host.disks = {disk};
  host.limits = read_limits();
  host.limits.memlock_bytes = 65'536;
  host.limits.realtime_us_per_second = -1;
  return host;
}

json report_of(const HostFacts& host) { return {{"host", host.name}, {"facts", host_json(host)}}; }
Result<HostFacts> read(const json& report) { return parse_host_facts(report.dump(), "host.json"); }

TEST_CASE("facts are read as they were written: those of this host, and those of one on which all are known") {
  for (const auto& host : {all_known(), read_host_facts({"/", "/nowhere/at/all"})}) {
    const auto facts = read(report_of(host));
    INFO((facts ? "" : facts.error().text()));
    REQUIRE(facts.has_value());
    CHECK(host_json(*facts) == host_json(host));
    CHECK(facts->limits.memlock_unlimited == host.limits.memlock_unlimited);
    CHECK(facts->topology.cores.size() == host.topology.cores.size());
  }
}

TEST_CASE("each member that is wrong, missing or unknown is an error with the file, its place and the fix") {
  struct Case {
    const char* at;  // JSON pointer
    json value;      // null: removed
    const char* what;
  };
  const Case cases[]{
      {"/facts", {}, "facts is missing"},
      {"/facts", 7, "facts must be an object"},
      {"/facts/name", {}, "facts.name is missing"},
      {"/facts/topology", {}, "facts.topology is missing"},
      {"/facts/topology/packages", -1, "facts.topology.packages must be a whole number from 0 to 65535"},
      {"/facts/topology/cores", "many", "facts.topology.cores must be an array"},
      {"/facts/topology/cores/1/cpus", {}, "facts.topology.cores[1].cpus is missing"},
      {"/facts/topology/cores/1/cpus", json::array(), "facts.topology.cores[1].cpus must name a CPU"},
      {"/facts/topology/cores/1/cpus/0", 0, "facts.topology.cores contain CPU 0 more than once"},
      {"/facts/topology/cores/1/cpus/0", 1e9, "facts.topology.cores[1].cpus[0] must be a whole number"},
      {"/facts/topology/cores/1/cpu", 3, "facts.topology.cores[1] has an unknown member cpu"},
      {"/facts/topology/numa_nodes/1/memory_bytes_per_s", 0, "numa_nodes[1].memory_bytes_per_s must be a positive"},
      {"/facts/topology/numa_distances", json::array({json::array({10, 21})}),
       "numa_distances must have a row for each"},
      {"/facts/topology/numa_distances/0/0", "10", "numa_distances[0] must be an array of whole numbers"},
      {"/facts/interfaces", {}, "facts.interfaces is missing"},
      {"/facts/interfaces/0/name", "", "facts.interfaces[0].name must be a text of 1 to 4096 bytes"},
      {"/facts/interfaces/0/addresses/1", "host.example", "facts.interfaces[0].addresses[1] must be a numeric"},
      {"/facts/interfaces/0/up", "yes", "facts.interfaces[0].up must be true or false"},
      {"/facts/interfaces/1/up", {}, "facts.interfaces[1].up is missing"},
      {"/facts/interfaces/0/link_gbit_per_s", -100, "facts.interfaces[0].link_gbit_per_s must be a positive number"},
      {"/facts/interfaces/0/mtu", 9000.5, "facts.interfaces[0].mtu must be a whole number"},
      {"/facts/interfaces/0/mtuu", 9000, "facts.interfaces[0] has an unknown member mtuu"},
      {"/facts/interfaces/0/pcie/best", {}, "facts.interfaces[0].pcie.best is missing"},
      {"/facts/interfaces/0/pcie/current/generation", 9, "pcie.current.generation must be a whole number from 1 to 5"},
      {"/facts/interfaces/0/pcie/current/gbit_per_s", 1.5, "pcie.current.gbit_per_s must be 252.062, as"},
      {"/facts/interfaces/0/pcie/below_best", false, "pcie.below_best must be true, as current and best say"},
      {"/facts/interfaces/0/transmit_queues/0/irq", -1, "transmit_queues[0].irq must be a whole number"},
      {"/facts/disks/0/directory", "ssd1", "facts.disks[0].directory must be a full path"},
      {"/facts/disks/0/read_bytes_per_s", "fast", "facts.disks[0].read_bytes_per_s must be a positive number"},
      {"/facts/limits", {}, "facts.limits is missing"},
      {"/facts/limits/realtime_us_per_second", -2, "must be a whole number from -1"},
      {"/facts/limits/rmem_max", 1, "facts.limits has an unknown member rmem_max"},
      {"/fact", json::object(), "it has an unknown member fact"},
      {"/sources", "me", "sources must be an object"},
      {"/sources", {{"/name", 3}}, "sources./name must be a text"},
      {"/sources", {{"/interfaces/7/mtu", "a data sheet"}}, "is not a JSON pointer to a member of facts"},
      {"/sources", {{"mtu", "a data sheet"}}, "is not a JSON pointer to a member of facts"},
  };
  for (const auto& [at, value, what] : cases) {
    auto report = report_of(all_known());
    const json::json_pointer place(at);
    if (!value.is_null())
      report[place] = value;
    else
      report[place.parent_pointer()].erase(place.back());
    const auto facts = read(report);
    INFO(at << ": " << what);
    REQUIRE_FALSE(facts.has_value());
    INFO(facts.error().text());
    CHECK(facts.error().what.starts_with("host.json: "));
    CHECK(facts.error().what.find(what) != std::string::npos);
    CHECK(facts.error().mend.find("wall-probe doctor --json") != std::string::npos);
  }
}

TEST_CASE("what is not a report of facts is refused") {
  for (const auto* text : {"", "[]", "7", "{\"facts\": ", "\xff", "{}"}) {
    const auto facts = parse_host_facts(text, "host.json");
    REQUIRE_FALSE(facts.has_value());
    CHECK(facts.error().what.starts_with("host.json: "));
  }
  CHECK_FALSE(load_host_facts("/nowhere/host.json").has_value());
  CHECK_FALSE(load_host_facts("/").has_value());
}

TEST_CASE("sources name figures by JSON pointers, and change nothing") {
  const auto host = all_known();
  auto report = report_of(host);
  report["sources"] = {{"/interfaces/0/link_gbit_per_s", "the card's data sheet"}, {"/topology", "an assumption"}};
  const auto facts = read(report);
  REQUIRE(facts.has_value());
  CHECK(host_json(*facts) == host_json(host));
}

}  // namespace
}  // namespace lw
