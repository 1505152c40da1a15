// Opens the folders that contain a store's stripes. A manifest comes from whoever made the store, so its folders are
// checked before they are opened:
//
// - a folder beneath the visualization's own, a content directory or a stripe root is reached without following links;
// - any other folder must have the store's mark (stripe_mark.h).
//   A store without an id, as written by NumPy, has no marks:
//   its folders are opened if no roots were given,
//   and if they are not links and have no other store's mark.
#pragma once

#include "common/base/beneath.h"
#include "common/base/result.h"
#include "common/store/manifest.h"
#include "common/store/stripe_mark.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace lw {

// Where stripes may be.
struct StripeRoots {
  std::vector<std::filesystem::path> content;  // directories of visualizations
  std::vector<std::filesystem::path> stripes;  // given by the operator; none: folders elsewhere are accepted
};

struct StripeFolder {
  std::filesystem::path path;
  Descriptor folder;
  bool inside = false;  // the visualization's own folder, or a folder beneath it
  std::optional<StripeMark> mark;
};

Result<StripeFolder> open_stripe_folder(const Beneath& store, const Manifest& manifest, unsigned stripe,
                                        const StripeRoots& roots);

}  // namespace lw
