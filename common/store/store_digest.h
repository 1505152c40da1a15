// Which frames a store has parts of, as a short text: stores with the same digest are editions of the same import, also
// if they hold different tiles.
#pragma once

#include "common/base/beneath.h"
#include "common/store/manifest.h"

#include <string>

namespace lw {

// Of geometry, format, rate and, where the store has them, the checksums of all tiles' frames. Reads the checksum file
// in the store's open folder.
std::string store_digest(const Manifest& manifest, const Beneath& folder);

}  // namespace lw
