// Creates the poster and the strip of thumbnails for the operator from the store's frames.
#pragma once

#include "common/base/result.h"
#include "common/store/manifest.h"
#include "ingest/store_writer.h"

namespace lw {

inline constexpr unsigned poster_width_max = 640;
inline constexpr unsigned thumbnail_width_max = 160;
inline constexpr unsigned thumbnails_max = 16;

// Writes poster.jpg (the middle frame) and thumbnails.jpg (up to 16 frames, evenly in time) into the store's folder and
// names them in the manifest.
Result<void> write_pictures(const StoreWriter& store, Manifest& manifest, unsigned threads);

}  // namespace lw
