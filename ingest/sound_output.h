// Writes the sound of an import beside its frames.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "common/base/result.h"
#include "common/store/manifest.h"
#include "ingest/sound_input.h"

namespace lw {

// Exactly `samples` of each channel, into a file in each of the folders: what the source lacks is silence, and the rest
// of it is cut off. Empty if `stop` was set meanwhile.
Result<std::optional<SoundTrack>> write_sound(SoundInput& source, std::uint64_t samples,
                                              const std::vector<std::filesystem::path>& folders,
                                              const std::atomic<bool>& stop);

}  // namespace lw
