// The transmit queues of a network card, their interrupts, and the CPUs assigned to both.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

struct NicQueue {
  unsigned index = 0;
  std::vector<unsigned> sending_cpus;  // that send through this queue (XPS); empty if the kernel chooses queues by hash
  std::optional<unsigned> irq;
  std::vector<unsigned> irq_cpus;  // that serve the interrupt
};

// For the interface with this folder in sysfs (root/sys/class/net/NAME). Virtual interfaces also have queues, but no
// interrupts. `root` contains sys/ and proc/; tests pass a fake one.
std::vector<NicQueue> read_nic_queues(const std::filesystem::path& interface, const std::filesystem::path& root = "/");

// "0-3,8" from smp_affinity_list, and "00000001,0000000f" from xps_cpus (the last word has CPU 0). Empty for other
// texts. Pure.
std::vector<unsigned> parse_cpu_list(std::string_view text);
std::vector<unsigned> parse_cpu_mask(std::string_view text);

}  // namespace lw
