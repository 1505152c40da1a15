// Further conditions for how steadily a core works: frequency governors, isolation, programs that move interrupts.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace lw {

struct CpuState {
  std::map<unsigned, std::string> governors;  // by CPU; empty without frequency scaling (most virtual machines)
  std::vector<unsigned> isolated;             // isolcpus=
  bool irqbalance = false;                    // is running, and moves interrupts
};

// `root` contains sys/ and proc/; tests pass a fake one.
CpuState read_cpu_state(const std::filesystem::path& root = "/");

}  // namespace lw
