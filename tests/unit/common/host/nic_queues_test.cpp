// Pins which transmit queue and interrupt a CPU's packets meet, for the names that common drivers give.
#include "common/host/nic_queues.h"

#include "tests/support/fake_tree.h"

#include <catch2/catch.hpp>

namespace lw {
namespace {

using Cpus = std::vector<unsigned>;

const std::string function = "sys/devices/pci0000:3a/0000:3b:00.0/";

std::vector<NicQueue> queues_of(const std::string& interrupts) {
  const test::FakeTree tree;
  const auto net = function + "net/enp59s0/";
  tree.write(net + "queues/tx-0/xps_cpus", "00000000,00000001");
  tree.write(net + "queues/tx-1/xps_cpus", "00000001,00000002");
  tree.write(net + "queues/rx-0/rps_cpus", "0");
  tree.write(function + "vendor", "0x8086");
  for (const char* irq : {"70", "71", "72"}) {
    tree.write(function + "msi_irqs/" + irq, "msix");
    tree.write(std::string("proc/irq/") + irq + "/smp_affinity_list", "0-63");
  }
  tree.write("proc/irq/71/effective_affinity_list", "33");
  tree.write("proc/interrupts",
             "            CPU0       CPU1\n" + interrupts + "NMI:   0   0   Non-maskable interrupts");
  tree.link(net + "device", function);
  return read_nic_queues(tree.root() / net, tree.root());
}

TEST_CASE("queues and their interrupts are read, whatever the driver's names for them") {
  const std::string start = GENERATE(as<std::string>(), "enp59s0-TxRx-", "mlx5_comp", "virtio2-output.", "eth0-tx-");
  const std::string end = start == "mlx5_comp" ? "@pci:0000:3b:00.0" : "";
  const auto queues =
      queues_of(" 70:  5  6  PCI-MSI 1-edge      " + start + "0" + end + "\n" + " 71:  5  6  PCI-MSI 2-edge      " +
                start + "1" + end + "\n" + " 72:  5  6  PCI-MSI 0-edge      mlx5_async0\n");
  REQUIRE(queues.size() == 2);
  CHECK(queues[0].sending_cpus == Cpus{0});
  CHECK(queues[0].irq == 70U);
  CHECK(queues[0].irq_cpus.size() == 64);
  CHECK(queues[1].sending_cpus == Cpus{1, 32});
  CHECK(queues[1].irq == 71U);
  CHECK(queues[1].irq_cpus == Cpus{33});
}

TEST_CASE("an interrupt that only receives, or is unknown, does not belong to a transmit queue") {
  const auto queues =
      queues_of(" 70:  5  6  PCI-MSI 1-edge  virtio2-input.0\n 71:  5  6  PCI-MSI 2-edge  virtio2-config\n");
  REQUIRE(queues.size() == 2);
  CHECK_FALSE(queues[0].irq);
  CHECK_FALSE(queues[1].irq);
}

TEST_CASE("CPU lists and masks") {
  CHECK(parse_cpu_list("0-2,8") == Cpus{0, 1, 2, 8});
  CHECK(parse_cpu_list("") == Cpus{});
  CHECK(parse_cpu_list("x,3,5-,9-7,4294967295") == Cpus{3});
  CHECK(parse_cpu_mask("3") == Cpus{0, 1});
  CHECK(parse_cpu_mask("00000001,80000000") == Cpus{31, 32});
  CHECK(parse_cpu_mask("rubbish") == Cpus{});
}

}  // namespace
}  // namespace lw
