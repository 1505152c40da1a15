// Reads every frame of a store and compares it with its checksum.
#pragma once

#include "common/base/result.h"

#include <cstdint>
#include <filesystem>

namespace lw {

struct Verification {
  std::uint64_t frames = 0;   // of all tiles
  std::uint64_t damaged = 0;
  std::uint64_t bytes = 0;
};

// Names each damaged frame on stderr. An error means that the store cannot be read at all.
Result<Verification> verify(const std::filesystem::path& store, bool json);

}  // namespace lw
