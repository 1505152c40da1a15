#include "common/host/cpu_state.h"

#include "tests/support/fake_tree.h"

#include <catch2/catch.hpp>

namespace lw {
namespace {

TEST_CASE("governors, isolated cores and irqbalance are detected") {
  const test::FakeTree tree;
  tree.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave");
  tree.write("sys/devices/system/cpu/cpu11/cpufreq/scaling_governor", "performance");
  tree.write("sys/devices/system/cpu/cpufreq/boost", "1");
  tree.write("sys/devices/system/cpu/isolated", "2-3,7");
  tree.write("proc/1/comm", "systemd");
  tree.write("proc/412/comm", "irqbalance");
  const auto state = read_cpu_state(tree.root());
  CHECK(state.governors == std::map<unsigned, std::string>{{0, "powersave"}, {11, "performance"}});
  CHECK(state.isolated == std::vector<unsigned>{2, 3, 7});
  CHECK(state.irqbalance);
}

TEST_CASE("a host that reports nothing has no governors") {
  const test::FakeTree tree;
  tree.write("proc/1/comm", "init");
  const auto state = read_cpu_state(tree.root());
  CHECK(state.governors.empty());
  CHECK(state.isolated.empty());
  CHECK_FALSE(state.irqbalance);
}

}  // namespace
}  // namespace lw
