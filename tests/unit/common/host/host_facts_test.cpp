#include "common/host/host_facts.h"

#include "tests/support/fake_tree.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace lw {
namespace {

TEST_CASE("kernel settings are read, missing ones are absent") {
  const test::FakeTree tree;
  tree.write("proc/sys/net/core/rmem_max", "212992");
  tree.write("proc/sys/net/core/netdev_max_backlog", "1000");
  tree.write("proc/sys/kernel/osrelease", "6.1.0");
  tree.write(
      "proc/meminfo",
      "MemTotal:       16384 kB\nMemAvailable:   8192 kB\nHugePages_Total:       3\nHugepagesize:       2048 kB");
  tree.write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
  const auto limits = read_limits(tree.root());
  CHECK(limits.rmem_max == 212992);
  CHECK_FALSE(limits.wmem_max);
  CHECK(limits.netdev_max_backlog == 1000);
  CHECK(limits.kernel == "6.1.0");
  CHECK(limits.memory_bytes == 16384u * 1024);
  CHECK(limits.memory_available_bytes == 8192u * 1024);
  CHECK(limits.huge_pages == 3u);
  CHECK(limits.huge_page_bytes == 2048u * 1024);
  CHECK(limits.transparent_huge_pages == "madvise");
  CHECK(limits.open_files);
  CHECK(limits.io_uring);
}

TEST_CASE("cores are given with their package and NUMA node") {
  const auto topology = read_topology("pack:2 [numa(memory=1GB)] core:3 pu:2");
  REQUIRE(topology.has_value());
  CHECK(topology->packages == 2);
  REQUIRE(topology->cores.size() == 6);
  CHECK(topology->cores[4].package == 1);
  CHECK(topology->cores[4].numa_node == 1u);
  CHECK(topology->cores[4].cpus == std::vector<unsigned>{8, 9});
  REQUIRE(topology->numa_nodes.size() == 2);
  CHECK(topology->numa_nodes[1].cores == 3);
  CHECK(topology->numa_nodes[1].memory_bytes);
  CHECK(!read_topology("no topology").has_value());
}

TEST_CASE("the facts of this host become JSON without what is unknown") {
  const auto facts = read_host_facts({"/", "/nowhere/at/all"});
  CHECK_FALSE(facts.topology.cores.empty());
  const auto json = host_json(facts);
  CHECK(json["disks"].size() == 2);
  CHECK(json["disks"][0]["exists"] == true);
  CHECK(json["disks"][1].size() == 2);
  CHECK(json["limits"]["rmem_max_bytes"] > 0);
  CHECK(json["topology"]["cores"].size() == facts.topology.cores.size());
  CHECK(json.dump().find("null") == std::string::npos);
}

}  // namespace
}  // namespace lw
