// Opens the folders in which a store's stripes lie. A manifest is written by whoever made the store, so what it names
// is looked at before it is opened:
//
// - a folder beneath the visualization's own, beneath a content directory or beneath a stripe root is reached through
// no
//   link;
// - any other must carry the store's mark (stripe_mark.h). A store without an id, as NumPy writes it, has none: its
//   folders are opened where no roots were given, if they are no links and carry no other store's mark.
#pragma once

#include "common/base/beneath.h"
#include "common/base/result.h"
#include "common/store/manifest.h"
#include "common/store/stripe_mark.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace lw {

// Where stripes may lie.
struct StripeRoots {
  std::vector<std::filesystem::path> content;  // directories of visualizations
  std::vector<std::filesystem::path> stripes;  // that the operator gave; none: a folder elsewhere is believed
};

struct StripeFolder {
  std::filesystem::path path;
  Descriptor folder;
  bool inside = false;  // the visualization's own folder, or beneath it
  std::optional<StripeMark> mark;
};

Result<StripeFolder> open_stripe_folder(const Beneath& store, const Manifest& manifest, unsigned stripe,
                                        const StripeRoots& roots);

}  // namespace lw
