// What a host did during a measurement: how busy each CPU was and with what, interrupts, what cards and the kernel's
// queues counted and dropped. Read before and after; absent where the host does not tell.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace lw {

struct HostCounters {
  using Counts = std::map<std::string, std::uint64_t>;
  std::map<unsigned, Counts> cpus;           // ticks in each state (proc(5): /proc/stat)
  std::map<std::string, Counts> interfaces;  // /sys/class/net/*/statistics
  Counts softnet;                            // /proc/net/softnet_stat, of all CPUs
  Counts udp;                                // /proc/net/snmp
  Counts tcp;
  struct Interrupt {
    std::string name;
    std::vector<std::uint64_t> per_cpu;
  };
  std::map<std::string, Interrupt> interrupts;  // by number, /proc/interrupts
};

// `root` holds proc/ and sys/; tests pass a made-up one.
HostCounters read_host_counters(const std::filesystem::path& root = "/");

// What was counted between two readings, as a result tells it (docs/probe.md): shares of each CPU's time, and
// differences; interrupts only those that came.
nlohmann::json counted_between(const HostCounters& before, const HostCounters& after);

}  // namespace lw
