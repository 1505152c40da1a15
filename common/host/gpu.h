// The graphics cards of this host.
#pragma once

#include <filesystem>
#include <optional>

namespace lw {

// The NUMA node of its graphics cards; absent if it is not known, or if they are on several.
std::optional<unsigned> gpu_numa_node(const std::filesystem::path& root = "/");

}  // namespace lw
