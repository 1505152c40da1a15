// What else decides how steadily a core works: frequency governors, isolation, who moves interrupts.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace lw {

struct CpuState {
  std::map<unsigned, std::string> governors;  // by CPU; empty where the host does not scale (most virtual machines)
  std::vector<unsigned> isolated;             // isolcpus=
  bool irqbalance = false;                    // runs, and moves interrupts
};

// `root` holds sys/ and proc/; tests pass a made-up one.
CpuState read_cpu_state(const std::filesystem::path& root = "/");

}  // namespace lw
