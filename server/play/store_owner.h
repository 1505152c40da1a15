// Which stripe folders a store may take with it when it is deleted. A copy of a store's folder names the original's
// stripes, so a manifest alone proves nothing.
#pragma once

#include "common/base/result.h"
#include "common/store/store_files.h"
#include "server/play/library.h"

#include <filesystem>
#include <vector>

namespace lw {

struct StripeOwnership {
  std::vector<bool> owned;                    // by stripe
  std::vector<std::filesystem::path> shared;  // folders that another visualization also plays from
};

// What lies in the visualization's own folder is its own. A folder elsewhere is its own if no other manifest in the
// content directories names it, and
// - for a store with an id: its mark (stripe_mark.h) says so, and the folder that the mark calls home is this one, or
// has
//   this store no longer;
// - for a store without one: it carries no mark, and every content directory and manifest could be read.
// In doubt an error, before anything is changed.
Result<StripeOwnership> find_owned_stripes(const StoreFiles& store, const Library& library);

}  // namespace lw
