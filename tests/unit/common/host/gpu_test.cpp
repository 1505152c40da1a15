#include "common/host/gpu.h"

#include "tests/support/fake_tree.h"

#include <catch2/catch.hpp>

namespace lw {
namespace {

void add_card(const test::FakeTree& tree, const std::string& name, const std::string& numa_node) {
  const auto function = "sys/devices/pci/" + name + "/";
  tree.write(function + "numa_node", numa_node);
  tree.link("sys/class/drm/" + name + "/device", function);
}

TEST_CASE("the NUMA node of the graphics cards is known if they have the same") {
  const test::FakeTree tree;
  CHECK_FALSE(gpu_numa_node(tree.root()));
  add_card(tree, "card0", "-1");  // a virtual one
  CHECK_FALSE(gpu_numa_node(tree.root()));
  add_card(tree, "card1", "1");
  add_card(tree, "renderD128", "1");
  CHECK(gpu_numa_node(tree.root()) == 1U);
  add_card(tree, "card2", "0");
  CHECK_FALSE(gpu_numa_node(tree.root()));
}

}  // namespace
}  // namespace lw
