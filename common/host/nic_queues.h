// The transmit queues of a network card, the interrupt of each, and the CPUs both belong to.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

struct NicQueue {
  unsigned index = 0;
  std::vector<unsigned> sending_cpus;  // whose packets it takes (XPS); empty where the kernel chooses by hash
  std::optional<unsigned> irq;
  std::vector<unsigned> irq_cpus;  // where the interrupt is served
};

// Of the interface whose folder in sysfs this is (root/sys/class/net/NAME). Virtual interfaces have queues, too, but
// no interrupts. `root` holds sys/ and proc/; tests pass a made-up one.
std::vector<NicQueue> read_nic_queues(const std::filesystem::path& interface, const std::filesystem::path& root = "/");

// "0-3,8" of smp_affinity_list, and "00000001,0000000f" of xps_cpus (the last word has CPU 0). Nothing of what is
// neither. (Pure.)
std::vector<unsigned> parse_cpu_list(std::string_view text);
std::vector<unsigned> parse_cpu_mask(std::string_view text);

}  // namespace lw
