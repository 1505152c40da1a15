// The activity of a host during a measurement: CPU time of each core by kind, interrupts, and packets counted and
// dropped by cards and kernel queues. Read before and after; figures that the host does not provide are absent.
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
  Counts softnet;                            // /proc/net/softnet_stat, sum of all CPUs
  Counts udp;                                // /proc/net/snmp
  Counts tcp;
  struct Interrupt {
    std::string name;
    std::vector<std::uint64_t> per_cpu;
  };
  std::map<std::string, Interrupt> interrupts;  // by number, /proc/interrupts
};

// `root` contains proc/ and sys/; tests pass a fake one.
HostCounters read_host_counters(const std::filesystem::path& root = "/");

// The difference of two readings, as in a result (docs/probe.md): shares of each CPU's time, and counts; only
// interrupts that occurred.
nlohmann::json counted_between(const HostCounters& before, const HostCounters& after);

}  // namespace lw
