// The secret that server and nodes share where media packets are sealed ([streaming] srtp_key_file): 64 hex digits in a
// file. No packet is sealed with it: each run of packets has a key of its own, made from it and from an id that travels
// with them.
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

// Nothing for an empty path. Errors name the file: one that is not there, is no key, or that everybody may read.
Result<std::optional<MediaKey>> load_media_key(const std::filesystem::path& file);

}  // namespace lw
