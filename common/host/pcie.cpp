#include "common/host/pcie.h"

#include "common/host/sysfs.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

namespace lw {
namespace {

// "0000:3b:00.0"
bool is_pci_address(const std::string& name) {
  const std::string shape = "xxxx:xx:xx.x";
  return name.size() == shape.size() && std::equal(name.begin(), name.end(), shape.begin(), [](char c, char like) {
           return like == 'x' ? (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') : c == like;
         });
}

// "8.0 GT/s PCIe", "2.5 GT/s"
std::optional<unsigned> generation_of(const std::optional<std::string>& text) {
  if (!text) return {};
  const double rate = std::strtod(text->c_str(), nullptr);
  const auto* found = std::ranges::find_if(pcie_generations,
                                           [&](const auto& row) { return std::abs(row.gigatransfers - rate) < 0.01; });
  if (found == pcie_generations.end()) return {};
  return found->generation;
}

std::optional<PcieSpeed> read_speed(const std::filesystem::path& function, const std::string& which) {
  constexpr unsigned widest = 32;
  const auto generation = generation_of(read_line(function / (which + "_link_speed")));
  const auto lanes = read_index(function / (which + "_link_width"));
  if (!generation || !lanes || *lanes == 0 || *lanes > widest) return {};
  return PcieSpeed{*generation, *lanes};
}

}  // namespace

BitRate PcieSpeed::data_rate() const {
  for (const auto& row : pcie_generations)
    if (row.generation == generation) return row.per_lane() * lanes;
  return {};
}

std::filesystem::path pci_function_of(std::filesystem::path device) {
  std::error_code problem;
  device = std::filesystem::canonical(device, problem);
  if (problem) return {};
  for (; device.has_relative_path(); device = device.parent_path())
    if (is_pci_address(device.filename().string())) return device;
  return {};
}

std::optional<PcieLink> read_pcie_link(const std::filesystem::path& pci_function) {
  if (pci_function.empty()) return {};
  const auto current = read_speed(pci_function, "current");
  const auto best = read_speed(pci_function, "max");
  if (!current || !best) return {};
  return PcieLink{*current, *best};
}

}  // namespace lw
