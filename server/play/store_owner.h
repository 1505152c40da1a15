// Which stripe folders may be deleted together with a store. A copy of a store's folder names the original's stripes,
// so a manifest alone proves nothing.
#pragma once

#include "common/base/result.h"
#include "common/store/store_files.h"
#include "server/play/library.h"

#include <filesystem>
#include <vector>

namespace lw {

struct StripeOwnership {
  std::vector<bool> owned;                    // by stripe
  std::vector<std::filesystem::path> shared;  // from which another visualization also plays
};

// A stripe folder inside the visualization's folder belongs to it. One elsewhere belongs to it if no other manifest in
// the content directories names it, and
// - for a store with an id: it has a mark (stripe_mark.h),
//   and the home that the mark names is the visualization's folder
//   or a folder that no longer has this store;
// - for a store without one: it has no mark, and every content directory and manifest could be read.
// If in doubt, returns an error before anything is changed.
Result<StripeOwnership> find_owned_stripes(const StoreFiles& store, const Library& library);

}  // namespace lw
