// The disk below a directory: filesystem, block device, and how the device is attached.
#pragma once

#include "common/host/pcie.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace lw {

struct Disk {
  std::filesystem::path directory;
  bool exists = false;
  std::optional<std::string> filesystem;  // "xfs"
  std::optional<std::uint64_t> free_bytes;
  std::optional<bool> direct_io;      // a file there can be opened with O_DIRECT
  std::optional<std::string> device;  // "nvme0n1"; for a partition, the complete device
  std::optional<std::string> model;
  std::optional<bool> rotational;
  std::optional<unsigned> numa_node;
  std::optional<PcieLink> pcie;            // of the NVMe device or its controller
  std::optional<double> read_bytes_per_s;  // sequentially; only from a facts file
};

// Writes nothing, except an unnamed temporary file if there is no file to open. `root` contains sys/ and proc/; tests
// pass a fake one.
Disk read_disk(const std::filesystem::path& directory, const std::filesystem::path& root = "/");
// The part of read_disk for a block device, from its sysfs folder ("/sys/block/nvme0n1", or where that link points).
void read_block_device(const std::filesystem::path& folder, Disk& disk);

}  // namespace lw
