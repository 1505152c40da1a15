#include "common/host/disk.h"

#include "tests/support/fake_tree.h"

#include <catch2/catch.hpp>

namespace lw {
namespace {

const std::string nvme = "sys/devices/pci0000:00/0000:02:00.0/nvme/nvme0/nvme0n1/";

void add_nvme(const test::FakeTree& tree) {
  tree.write("sys/devices/pci0000:00/0000:02:00.0/current_link_speed", "16.0 GT/s PCIe");
  tree.write("sys/devices/pci0000:00/0000:02:00.0/current_link_width", "4");
  tree.write("sys/devices/pci0000:00/0000:02:00.0/max_link_speed", "16.0 GT/s PCIe");
  tree.write("sys/devices/pci0000:00/0000:02:00.0/max_link_width", "4");
  tree.write("sys/devices/pci0000:00/0000:02:00.0/numa_node", "0");
  tree.write(nvme + "queue/rotational", "0");
  tree.write(nvme + "device/model", "Fast SSD 7.68TB   ");
  tree.write(nvme + "nvme0n1p1/partition", "1");
}

TEST_CASE("a partition is reported as the NVMe device it lies on") {
  const test::FakeTree tree;
  add_nvme(tree);
  Disk disk;
  read_block_device(tree.root() / nvme / "nvme0n1p1", disk);
  CHECK(disk.device == "nvme0n1");
  CHECK(disk.model == "Fast SSD 7.68TB");
  CHECK(disk.rotational == false);
  CHECK(disk.numa_node == 0u);
  REQUIRE(disk.pcie);
  CHECK(disk.pcie->current == PcieSpeed{4, 4});
  CHECK_FALSE(disk.pcie->below_best());
}

TEST_CASE("a virtual disk does not know whether it rotates") {
  const test::FakeTree tree;
  const std::string vda = "sys/devices/pci0000:00/0000:00:02.0/virtio1/block/vda/";
  tree.write(vda + "queue/rotational", "1");
  Disk disk;
  read_block_device(tree.root() / vda, disk);
  CHECK(disk.device == "vda");
  CHECK_FALSE(disk.rotational);
}

TEST_CASE("a mapped device on one device is that device, one on two is itself") {
  const test::FakeTree tree;
  add_nvme(tree);
  tree.link("sys/devices/virtual/block/dm-0/slaves/nvme0n1p1", nvme + "nvme0n1p1");
  Disk disk;
  read_block_device(tree.root() / "sys/devices/virtual/block/dm-0", disk);
  CHECK(disk.device == "nvme0n1");
  tree.link("sys/devices/virtual/block/dm-0/slaves/sda", "sys/devices/sda");
  Disk both;
  read_block_device(tree.root() / "sys/devices/virtual/block/dm-0", both);
  CHECK(both.device == "dm-0");
  CHECK_FALSE(both.pcie);
}

TEST_CASE("the filesystem is that of the deepest mount") {
  const test::FakeTree tree;
  const auto directory = tree.root() / "content/a";
  std::filesystem::create_directories(directory);
  tree.write("proc/self/mountinfo", "1 0 0:1 / / rw - ext4 /dev/none rw\n2 1 0:2 / " +
                                        (tree.root() / "content").string() + " rw shared:1 - xfs none rw\n3 1 0:3 / " +
                                        (tree.root() / "cont").string() + " rw - btrfs none rw");
  const auto disk = read_disk(directory, tree.root());
  CHECK(disk.exists);
  CHECK(disk.filesystem == "xfs");
  CHECK(disk.free_bytes);
}

TEST_CASE("a missing directory has no facts") {
  const auto disk = read_disk("/nowhere/at/all");
  CHECK_FALSE(disk.exists);
  CHECK_FALSE(disk.free_bytes);
  CHECK_FALSE(disk.filesystem);
}

}  // namespace
}  // namespace lw
