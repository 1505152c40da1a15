// The secret shared by server and nodes if media packets are encrypted ([streaming] srtp_key_file): 64 hex digits in a
// file. It never encrypts packets itself: each run of packets has its own key, derived from the secret and an id in the
// packets.
#pragma once

#include "common/base/result.h"

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>

namespace lw {

struct MediaKey {
  std::array<unsigned char, 32> bytes{};
};

// Empty for an empty path. Errors name the file: missing, not a key, or readable by everybody.
Result<std::optional<MediaKey>> load_media_key(const std::filesystem::path& file);

}  // namespace lw
