#include "common/host/nic.h"

#include "tests/support/fake_tree.h"

#include <catch2/catch.hpp>

namespace lw {
namespace {

const std::string function = "sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0/";

void add_card(const test::FakeTree& tree, const std::string& lanes_now) {
  const auto net = function + "net/enp59s0/";
  tree.write(function + "current_link_speed", "8.0 GT/s PCIe");
  tree.write(function + "current_link_width", lanes_now);
  tree.write(function + "max_link_speed", "16.0 GT/s PCIe");
  tree.write(function + "max_link_width", "16");
  tree.write(function + "numa_node", "1");
  tree.write(net + "operstate", "up");
  tree.write(net + "speed", "100000");
  tree.write(net + "mtu", "9000");
  tree.link(net + "device", function);
  tree.link(function + "driver", "sys/bus/pci/drivers/mlx5_core");
  tree.link("sys/class/net/enp59s0", net);
}

TEST_CASE("a network card is read from sysfs") {
  const test::FakeTree tree;
  add_card(tree, "8");
  tree.write("sys/class/net/bonding_masters", "not an interface");
  const auto nics =
      read_nics({{"enp59s0", "192.0.2.1"}, {"enp59s0", "2001:db8::1"}, {"other", "192.0.2.2"}}, tree.root());
  REQUIRE(nics.size() == 1);
  const auto& nic = nics[0];
  CHECK(nic.name == "enp59s0");
  CHECK(nic.addresses == std::vector<std::string>{"192.0.2.1", "2001:db8::1"});
  CHECK(nic.up);
  CHECK(nic.link_rate->gbit() == Approx(100));
  CHECK(nic.mtu == 9000u);
  CHECK(nic.driver == "mlx5_core");
  CHECK(nic.numa_node == 1u);
  REQUIRE(nic.pcie);
  CHECK(nic.pcie->current == PcieSpeed{3, 8});
  CHECK(nic.pcie->best == PcieSpeed{4, 16});
  CHECK(nic.pcie->below_best());
}

TEST_CASE("facts that a virtual interface does not report are absent") {
  const test::FakeTree tree;
  tree.write("sys/class/net/veth0/operstate", "down");
  tree.write("sys/class/net/veth0/speed", "-1");
  const auto nics = read_nics({}, tree.root());
  REQUIRE(nics.size() == 1);
  CHECK_FALSE(nics[0].up);
  CHECK_FALSE(nics[0].link_rate);
  CHECK_FALSE(nics[0].mtu);
  CHECK_FALSE(nics[0].driver);
  CHECK_FALSE(nics[0].numa_node);
  CHECK_FALSE(nics[0].pcie);
  CHECK(read_nics({}, tree.root() / "nowhere").empty());
}

TEST_CASE("a link that reports no width or an unknown speed has no PCIe figures") {
  const test::FakeTree tree;
  add_card(tree, "0");
  CHECK_FALSE(read_nics({}, tree.root())[0].pcie);
  tree.write(function + "current_link_width", "8");
  CHECK(read_nics({}, tree.root())[0].pcie);
  tree.write(function + "current_link_speed", "Unknown");
  CHECK_FALSE(read_nics({}, tree.root())[0].pcie);
}

TEST_CASE("an interface is found by its address in any spelling") {
  std::vector<Nic> nics(2);
  nics[0].name = "a";
  nics[0].addresses = {"2001:db8::1", "192.0.2.1"};
  nics[1].name = "lo";
  nics[1].addresses = {"127.0.0.1"};
  CHECK(nic_of_address(nics, "2001:0db8:0::1") == &nics[0]);
  CHECK(nic_of_address(nics, "192.0.2.1") == &nics[0]);
  CHECK(nic_of_address(nics, "127.0.0.9") == &nics[1]);
  CHECK(nic_of_address(nics, "192.0.2.2") == nullptr);
  CHECK(nic_of_address(nics, "eth0") == nullptr);
}

TEST_CASE("this host has a loopback interface") {
  const auto nics = read_nics(interface_addresses());
  const auto* lo = nic_of_address(nics, "127.0.0.1");
  REQUIRE(lo != nullptr);
  CHECK(lo->name == "lo");
  CHECK(lo->up);
}

TEST_CASE("PCI Express data rates: table 1 of 'Application networking beyond 10G', and later generations") {
  CHECK(PcieSpeed{1, 4}.data_rate().gbit() == Approx(8));
  CHECK(PcieSpeed{1, 8}.data_rate().gbit() == Approx(16));
  CHECK(PcieSpeed{2, 4}.data_rate().gbit() == Approx(16));
  CHECK(PcieSpeed{2, 8}.data_rate().gbit() == Approx(32));
  CHECK(PcieSpeed{3, 8}.data_rate().gbit() == Approx(63.015).epsilon(1e-4));
  CHECK(PcieSpeed{4, 16}.data_rate().gbit() == Approx(252.06).epsilon(1e-4));
  CHECK(PcieSpeed{5, 16}.data_rate().gbit() == Approx(504.12).epsilon(1e-4));
}

}  // namespace
}  // namespace lw
