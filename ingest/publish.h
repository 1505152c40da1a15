// Puts finished folders in their places at once, as far as a file system can.
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
// that at no moment is there a folder with a manifest and other stripes than its own. On failure nothing is left at the
// new places. `before_last` is called when all others are renamed.
Result<void> publish(const std::vector<Publication>& folders, const std::function<void()>& before_last);

// Whether --overwrite may remove what is there: a store's folder, with nothing else in it.
Result<void> can_replace(const std::filesystem::path& folder);

}  // namespace lw
