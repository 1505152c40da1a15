// Which frames a store has parts of, as a short text: stores with the same digest are editions of the same import, also
// if they hold different tiles.
#pragma once

#include "common/base/beneath.h"
#include "common/store/manifest.h"

#include <string>

namespace lw {

// What all of its frames have in common, as a text: geometry, format and rate.
std::string layout_text(const Manifest& manifest);

// Of geometry, format, rate and, where the store has them, the checksums of all tiles' frames. Reads the checksum file
// in the store's open folder. Of a growing store: the edition that has its first frame (growing.h).
std::string store_digest(const Manifest& manifest, const Beneath& folder);

}  // namespace lw
