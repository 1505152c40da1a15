#include "common/plan/reader_placement.h"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

namespace lw {
namespace {

Disk disk_on(std::optional<unsigned> node, const std::string& device) {
  Disk disk;
  disk.exists = true;
  disk.device = device;
  disk.numa_node = node;
  return disk;
}

FlowPlacement flow_on(unsigned cpu) {
  FlowPlacement flow;
  flow.cpu = cpu;
  return flow;
}

const Core& core_of(const Topology& topology, unsigned cpu) {
  return *std::ranges::find_if(topology.cores,
                               [&](const Core& core) { return std::ranges::count(core.cpus, cpu) > 0; });
}

TEST_CASE("frames are read near the disks, on a core without a flow") {
  const auto topology = read_topology("pack:2 [numa] core:2 pu:2").value();
  const auto far = topology.cores.back().numa_node;
  const std::vector<Disk> disks{disk_on(far, "nvme0n1"), disk_on(far, "nvme1n1"),
                                disk_on(topology.cores[0].numa_node, "sda")};
  const auto third = topology.cores[2].cpus, fourth = topology.cores[3].cpus;
  CHECK(place_reader(topology, {}, disks) == third.front());
  // A flow on one hardware thread of a core uses the core.
  CHECK(place_reader(topology, {flow_on(third.back())}, disks) == fourth.front());
  CHECK(place_reader(topology, {flow_on(third.back()), flow_on(fourth.front())}, disks) ==
        topology.cores[0].cpus.front());
  // Several directories of a disk count as one.
  CHECK(place_reader(topology, {}, {disks[2], disks[2], disks[2], disks[0], disks[1]}) == third.front());
}

TEST_CASE("the kernel chooses where the node of no disk is known, or all cores have flows") {
  const auto topology = read_topology("pack:1 [numa] core:2 pu:1").value();
  CHECK_FALSE(place_reader(topology, {}, {disk_on(std::nullopt, "vda")}));
  CHECK_FALSE(place_reader(topology, {}, {}));
  CHECK_FALSE(place_reader(topology, {flow_on(0), flow_on(1)}, {disk_on(0, "nvme0n1")}));
  CHECK_FALSE(place_reader({}, {}, {disk_on(0, "nvme0n1")}));
}

TEST_CASE("on no host does a flow share its core with the reader, nor is the reader far from the disks without need") {
  std::minstd_rand random(4);
  const auto draw = [&](unsigned least, unsigned most) {
    return std::uniform_int_distribution<unsigned>(least, most)(random);
  };
  for (int round = 0; round < 100; ++round) {
    const auto nodes = draw(1, 3);
    const auto topology =
        read_topology(fmt::format("pack:{} [numa] core:{} pu:{}", nodes, draw(1, 4), draw(1, 2))).value();
    std::vector<FlowPlacement> flows;
    for (unsigned i = draw(0, 12); i > 0; --i) {
      const auto& cpus = topology.cores[draw(0, static_cast<unsigned>(topology.cores.size()) - 1)].cpus;
      flows.push_back(flow_on(cpus[draw(0, static_cast<unsigned>(cpus.size()) - 1)]));
    }
    const auto near = draw(0, nodes - 1);
    const auto cpu = place_reader(topology, flows, {disk_on(near, "nvme0n1")});
    const auto is_free = [&](const Core& core) {
      return std::ranges::none_of(
          flows, [&](const FlowPlacement& flow) { return std::ranges::count(core.cpus, *flow.cpu) > 0; });
    };
    REQUIRE(cpu.has_value() == std::ranges::any_of(topology.cores, is_free));
    if (!cpu) continue;
    CHECK(is_free(core_of(topology, *cpu)));
    const bool could_be_near =
        std::ranges::any_of(topology.cores, [&](const Core& core) { return core.numa_node == near && is_free(core); });
    CHECK((core_of(topology, *cpu).numa_node == near) == could_be_near);
  }
}

}  // namespace
}  // namespace lw
