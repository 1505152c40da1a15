// Lets one CPU handle all packets that arrive on a network interface during a measurement, and restores everything.
//
// For a card: sets smp_affinity_list of each of its interrupts, so that it does not matter to which queue a flow is
// hashed, and disables receive packet steering, which would move the work to other CPUs. For an interface without
// interrupts (veth, lo): sets rps_cpus of its receive queues, the CPUs on which the kernel processes packets
// (Documentation/networking/scaling.rst). Needs root.
//
// First saves the previous settings in a file under /run; they are restored when the measurement ends. If the program
// is killed, restore_interrupts() does so at the next start. One thread.
#pragma once

#include "common/base/file_lock.h"
#include "common/base/result.h"
#include "probe/loads/load.h"
#include "probe/measure/pinning.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lw {

// The CPU for each interface, by name, as requested for this side's receivers. An error if two loads request different
// CPUs for one interface, or if an address does not belong to this host.
Result<std::map<std::string, unsigned>> interrupt_cpus(const RunSpec& run, Role role, const SideAddresses& addresses,
                                                       const std::multimap<std::string, std::string>& interfaces);

class InterruptCore {
public:
  // `root` contains proc/, sys/ and run/; tests pass a fake one. One at a time in a network namespace.
  static Result<std::unique_ptr<InterruptCore>> move(const std::map<std::string, unsigned>& cpus,
                                                     const std::filesystem::path& root = "/");
  ~InterruptCore();
  InterruptCore(const InterruptCore&) = delete;
  InterruptCore& operator=(const InterruptCore&) = delete;

  // A file that no longer contains what was written, if any: another program (irqbalance) also moves interrupts.
  [[nodiscard]] std::optional<std::string> overwritten() const;

private:
  struct Setting {
    std::filesystem::path file;
    std::string before, during;
  };
  InterruptCore(FileLock lock, std::filesystem::path note) : lock_(std::move(lock)), note_(std::move(note)) {}
  Result<void> write_note() const;

  FileLock lock_;
  const std::filesystem::path note_;
  std::vector<Setting> settings_;
};

// Restores what a killed program left changed; returns the number of files. Does nothing while another one measures.
Result<unsigned> restore_interrupts(const std::filesystem::path& root = "/");

}  // namespace lw
