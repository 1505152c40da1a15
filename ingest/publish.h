// Moves finished folders to their places as atomically as a file system allows.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "common/base/result.h"

namespace lw {

struct Publication {
  std::filesystem::path from;
  std::filesystem::path to;
};

// The first one is the visualization's folder: a store that it replaces disappears first, and it is renamed last, so
// that a manifest never refers to another store's stripes. On failure nothing remains at the new places. `before_last`
// is called when all others are renamed.
Result<void> publish(const std::vector<Publication>& folders, const std::function<void()>& before_last);

// Whether --overwrite may remove the existing folder: a store's folder that contains nothing else.
Result<void> can_replace(const std::filesystem::path& folder);

}  // namespace lw
