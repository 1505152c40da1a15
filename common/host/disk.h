// What lies under a directory: filesystem, block device, and how the device is attached.
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
  std::optional<bool> direct_io;      // O_DIRECT opens a file there
  std::optional<std::string> device;  // "nvme0n1"; of a partition, the whole device
  std::optional<std::string> model;
  std::optional<bool> rotational;
  std::optional<unsigned> numa_node;
  std::optional<PcieLink> pcie;  // of the NVMe device or its controller
};

// Writes nothing but an unnamed temporary file where no file is there to open. `root` holds sys/ and proc/; tests pass
// a made-up one.
Disk read_disk(const std::filesystem::path& directory, const std::filesystem::path& root = "/");
// The rest of what read_disk says, from the block device's sysfs folder ("/sys/block/nvme0n1" or what it links to).
void read_block_device(const std::filesystem::path& folder, Disk& disk);

}  // namespace lw
