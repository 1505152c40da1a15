// Has one CPU serve what arrives on a network interface for the time of a measurement, and puts everything back.
//
// Of a card: smp_affinity_list of each of its interrupts, so it does not matter which queue a flow is hashed to;
// receive packet steering, which would move the work on, is off meanwhile. An interface without interrupts (veth, lo):
// rps_cpus of its receive queues, the CPUs on which the kernel takes packets up (Documentation/networking/scaling.rst).
// Needs root.
//
// What was there before is written into a note under /run first, and restored when the measurement ends. Where the
// program is killed, restore_interrupts() of the next start does so. One thread.
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

// The CPU for each interface, by name, that this side's receivers ask for. An error where two loads want one
// interface's on different CPUs, or an address is not of this host.
Result<std::map<std::string, unsigned>> interrupt_cpus(const RunSpec& run, Role role, const SideAddresses& addresses,
                                                       const std::multimap<std::string, std::string>& interfaces);

class InterruptCore {
public:
  // `root` holds proc/, sys/ and run/; tests pass a made-up one. One at a time in a network namespace.
  static Result<std::unique_ptr<InterruptCore>> move(const std::map<std::string, unsigned>& cpus,
                                                     const std::filesystem::path& root = "/");
  ~InterruptCore();
  InterruptCore(const InterruptCore&) = delete;
  InterruptCore& operator=(const InterruptCore&) = delete;

  // A file that no longer says what was written, if there is one: another program (irqbalance) also moves interrupts.
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

// What a program that was killed left changed; how many files were put back. Nothing while another one measures.
Result<unsigned> restore_interrupts(const std::filesystem::path& root = "/");

}  // namespace lw
