// The capacity of PCI Express links, and the link of a device of this host.
#pragma once

#include "common/base/units.h"

#include <array>
#include <filesystem>
#include <optional>

namespace lw {

// One row for each generation, PCI Express Base Specification: transfers per lane, and the share of bits that are data.
struct PcieGeneration {
  unsigned generation;
  double gigatransfers;  // per second and lane, each way
  unsigned data_bits;    // of code_bits on the line
  unsigned code_bits;

  [[nodiscard]] constexpr BitRate per_lane() const { return BitRate::gbit(gigatransfers * data_bits / code_bits); }
};
inline constexpr std::array<PcieGeneration, 5> pcie_generations{{
    {1, 2.5, 8, 10},
    {2, 5.0, 8, 10},
    {3, 8.0, 128, 130},
    {4, 16.0, 128, 130},
    {5, 32.0, 128, 130},
}};

struct PcieSpeed {
  unsigned generation = 0;
  unsigned lanes = 0;

  // After line coding, before the headers of transaction packets (which take about a tenth at 256 octets of payload).
  [[nodiscard]] BitRate data_rate() const;
  bool operator==(const PcieSpeed&) const = default;
};

struct PcieLink {
  PcieSpeed current;  // as trained now
  PcieSpeed best;     // the maximum of the card

  [[nodiscard]] bool below_best() const { return current.data_rate() < best.data_rate(); }
};

// The PCI function in sysfs (".../0000:3b:00.0") that contains a device's directory; empty for virtual
// devices.
std::filesystem::path pci_function_of(std::filesystem::path device);
// Empty if the function does not report it (virtual machines: "Unknown").
std::optional<PcieLink> read_pcie_link(const std::filesystem::path& pci_function);

}  // namespace lw
