#include "common/host/gpu.h"

#include "common/host/sysfs.h"

#include <system_error>

namespace lw {

std::optional<unsigned> gpu_numa_node(const std::filesystem::path& root) {
  std::optional<unsigned> found;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(root / "sys/class/drm", missing)) {
    const auto numa_node =
        read_index(entry.path() / "device/numa_node");  // connectors and render nodes: the same or none
    if (!numa_node) continue;
    if (found && found != numa_node) return std::nullopt;
    found = numa_node;
  }
  return found;
}

}  // namespace lw
