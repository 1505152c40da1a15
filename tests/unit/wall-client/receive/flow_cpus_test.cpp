// Where a node's flows run: one core each, near the card, as long as there are enough.
#include "wall-client/receive/flow_cpus.h"

#include <catch2/catch.hpp>

using namespace lw;

namespace {

// Two NUMA nodes of two cores of two threads.
Topology two_nodes() {
  Topology topology;
  for (unsigned core = 0; core < 4; ++core) topology.cores.push_back({core / 2, core / 2, {core, core + 4}});
  return topology;
}

}  // namespace

TEST_CASE("flows get cores near the card, counted from the last") {
  CHECK(flow_cpus(two_nodes(), 0U, 1) == std::vector{1, 0});
  CHECK(flow_cpus(two_nodes(), 1U, 2) == std::vector{3, 2});
}

TEST_CASE("flows that are more than the cores near the card get all cores, then their other threads") {
  CHECK(flow_cpus(two_nodes(), 0U, 3) == std::vector{3, 2, 1, 0});
  CHECK(flow_cpus(two_nodes(), 0U, 5) == std::vector{3, 2, 1, 0, 7, 6, 5, 4});
  CHECK(flow_cpus(two_nodes(), 0U, 50) == std::vector{3, 2, 1, 0, 7, 6, 5, 4});
}

TEST_CASE("where the card's place is not known, all cores are equal, and without cores there are none") {
  CHECK(flow_cpus(two_nodes(), {}, 2) == std::vector{3, 2, 1, 0});
  CHECK(flow_cpus(two_nodes(), 7U, 2) == std::vector{3, 2, 1, 0});
  CHECK(flow_cpus({}, 0U, 2).empty());
}
