// Plans of a wall that several servers share, and the rates of memory and disks that only a facts file gives.
#include "common/plan/plan.h"
#include "tests/support/source_folder.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <set>

namespace lw {
namespace {

// The 2x2 wall; each server sends one column.
Wall shared_wall() {
  auto wall = load_wall(test::source_folder() / "walls/local-2x2.toml").value();
  wall.servers.resize(2, wall.servers.front());
  wall.servers[0].name = "left";
  wall.servers[0].tiles = {{0}, {2}};
  wall.servers[1].name = "right";
  wall.servers[1].tiles = {{1}, {3}};
  return wall;
}

HostFacts two_nodes() {
  HostFacts host;
  host.name = "sender";
  host.topology = read_topology("pack:2 [numa] core:4 pu:1").value();
  return host;
}

const Finding* finding(const Plan& plan, const std::string& words) {
  for (const auto& entry : plan.findings)
    if (entry.what.find(words) != std::string::npos) return &entry;
  return nullptr;
}

TEST_CASE("the plans of all servers of a wall have its flows, each once, with a core of the server's own host") {
  const auto wall = shared_wall();
  std::set<unsigned> flows;
  for (const auto& server : wall.servers) {
    const auto json = plan_json(make_plan(wall, server, two_nodes()));
    CHECK(json["server"] == server.name);
    REQUIRE(json["needs"]["flows"].size() == 2);
    for (unsigned i = 0; i < 2; ++i) {
      const auto& flow = json["needs"]["flows"][i];
      CHECK(flows.insert(flow["flow"].get<unsigned>()).second);
      CHECK(flow["cpu"] == i);  // cores are chosen in order
    }
    CHECK_THAT(plan_text(make_plan(wall, server, two_nodes())), Catch::Contains("server " + server.name + " (sender)"));
  }
  CHECK(flows == std::set<unsigned>{0, 1, 2, 3});
}

TEST_CASE("the memory of a NUMA node carries each byte four times, twice with zero copy") {
  auto wall = shared_wall();
  wall.streaming.pacing = Pacing::none;
  auto host = two_nodes();
  CHECK(finding(make_plan(wall, wall.servers[0], host), "memory rate") == nullptr);
  // Both flows on the first node: cores are chosen in order.
  const double pixels = 2 * 640 * 400 * 3 * wall.frame_rate.hertz();
  for (const bool zero_copy : {false, true}) {
    wall.streaming.zero_copy = zero_copy;
    const double needed = (zero_copy ? 2 : 4) * pixels;
    host.topology.numa_nodes[0].memory_bytes_per_s = 1.3 * needed;
    CHECK(finding(make_plan(wall, wall.servers[0], host), "memory rate of NUMA node 0")->verdict == Verdict::ok);
    host.topology.numa_nodes[0].memory_bytes_per_s = 1.1 * needed;
    CHECK(finding(make_plan(wall, wall.servers[0], host), "memory rate of NUMA node 0")->verdict == Verdict::limited);
    host.topology.numa_nodes[0].memory_bytes_per_s = 0.9 * needed;
    CHECK(finding(make_plan(wall, wall.servers[0], host), "memory rate of NUMA node 0")->verdict ==
          Verdict::impossible);
  }
  CHECK(finding(make_plan(wall, wall.servers[0], host), "memory rate of NUMA node 1") == nullptr);
}

TEST_CASE("the hardware threads of a core share its rate") {
  auto wall = shared_wall();
  wall.streaming.pacing = Pacing::none;
  auto host = two_nodes();
  const auto busiest = [&] { return finding(make_plan(wall, wall.servers[0], host), "sending cores")->needed; };
  host.topology = read_topology("pack:1 core:2 pu:1").value();
  const auto one_each = busiest();
  host.topology = read_topology("pack:1 core:1 pu:2").value();
  const auto both = busiest();
  CHECK(one_each == "2 flows, 0.19 Gbit/s on the busiest core");
  CHECK(both == "2 flows, 0.37 Gbit/s on the busiest core");
}

TEST_CASE("without content, the disks carry the wall's own format and rate") {
  const auto wall = shared_wall();
  auto host = two_nodes();
  for (unsigned i = 0; i < 2; ++i) {
    Disk disk;
    disk.directory = "/ssd" + std::to_string(i);
    disk.exists = true;
    disk.device = "nvme" + std::to_string(i) + "n1";
    host.disks.push_back(disk);
  }
  const double each = 640 * 400 * 3 * wall.frame_rate.hertz();  // of two tiles on two disks
  host.disks[0].read_bytes_per_s = 2 * each;
  host.disks[1].read_bytes_per_s = each / 2;
  const auto plan = make_plan(wall, wall.servers[0], host, {"/ssd0", "/ssd1"});
  CHECK(plan.needs.stripes.size() == 2);
  CHECK(plan.needs.read_bytes_per_s == Approx(2 * each).epsilon(0.01));
  CHECK(finding(plan, "disk nvme0n1 rate")->verdict == Verdict::ok);
  CHECK(finding(plan, "disk nvme1n1 rate")->verdict == Verdict::impossible);
}

}  // namespace
}  // namespace lw
