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

FlowPlacement flow_on(const Core& core) {
  auto flow = flow_on(core.cpus.back());
  flow.numa_node = core.numa_node;
  return flow;
}

TEST_CASE("with frames on two nodes each has a reader; on one node nothing changes") {
  const auto topology = read_topology("pack:2 [numa] core:2 pu:2").value();
  const auto& cores = topology.cores;
  const auto places = place_readers(topology, {flow_on(cores[0]), flow_on(cores[2]), flow_on(cores[0])}, 1);
  REQUIRE(places.size() == 2);
  CHECK(places[0].numa_node == cores[0].numa_node);
  CHECK(places[0].cpu == cores[1].cpus.front());
  CHECK(places[0].tiles == std::vector<std::size_t>{0, 2});
  CHECK(places[1].numa_node == cores[2].numa_node);
  CHECK(places[1].cpu == cores[3].cpus.front());
  CHECK(places[1].tiles == std::vector<std::size_t>{1});

  CHECK(place_readers(topology, {flow_on(cores[0]), flow_on(cores[1])}, 1).empty());
  CHECK(place_readers(topology, {flow_on(cores[0]), flow_on(cores[2])}, 2).empty());  // one tile, near its first flow
  CHECK(place_readers(topology, {flow_on(cores[0]), flow_on(cores[1]), flow_on(cores[2])}, 1).empty());
  CHECK(place_readers(topology, {flow_on(cores[0]), flow_on(cores[2].cpus.front())}, 1).empty());  // node unknown
  CHECK(place_readers({}, {}, 1).empty());
}

TEST_CASE("on every host each reader is on its node, on a core without a flow, and reads just what lies there") {
  std::minstd_rand random(5);
  const auto draw = [&](unsigned least, unsigned most) {
    return std::uniform_int_distribution<unsigned>(least, most)(random);
  };
  unsigned shared_out = 0;
  for (int round = 0; round < 300; ++round) {
    const auto topology =
        read_topology(fmt::format("pack:{} [numa] core:{} pu:{}", draw(1, 4), draw(1, 5), draw(1, 2))).value();
    const auto per_tile = draw(1, 3), tiles = draw(1, 6);
    std::vector<FlowPlacement> flows;
    for (unsigned i = 0; i < per_tile * tiles; ++i)
      flows.push_back(flow_on(topology.cores[draw(0, static_cast<unsigned>(topology.cores.size()) - 1)]));
    const auto has_flow = [&](const Core& core) {
      return std::ranges::any_of(
          flows, [&](const FlowPlacement& flow) { return std::ranges::count(core.cpus, *flow.cpu) > 0; });
    };
    std::vector<std::optional<unsigned>> node_of;  // where the frames of a tile are
    for (unsigned tile = 0; tile < tiles; ++tile) node_of.push_back(flows[tile * per_tile].numa_node);
    const auto places = place_readers(topology, flows, per_tile);
    const auto has_room = [&](std::optional<unsigned> node) {
      return std::ranges::any_of(topology.cores,
                                 [&](const Core& core) { return core.numa_node == node && !has_flow(core); });
    };
    const bool one_node = std::ranges::all_of(node_of, [&](auto node) { return node == node_of.front(); });
    REQUIRE(places.empty() == (one_node || !std::ranges::all_of(node_of, has_room)));
    if (places.empty()) continue;
    ++shared_out;
    std::vector<unsigned> readers_of(tiles);
    for (const auto& place : places) {
      const auto& core = core_of(topology, place.cpu);
      CHECK(core.numa_node == place.numa_node);
      CHECK_FALSE(has_flow(core));
      CHECK_FALSE(place.tiles.empty());
      for (const auto tile : place.tiles) {
        CHECK(node_of[tile] == place.numa_node);
        ++readers_of[tile];
      }
    }
    CHECK(std::ranges::all_of(readers_of, [](unsigned readers) { return readers == 1; }));
  }
  CHECK(shared_out > 30);
}

}  // namespace
}  // namespace lw
