// Reads every frame of a store, and its sound, and compares them with their checksums.
#pragma once

#include "common/base/result.h"
#include "ingest/right_of_way.h"

#include <atomic>
#include <cstdint>
#include <filesystem>

namespace lw {

struct Verification {
  std::uint64_t frames = 0;   // of all tiles
  std::uint64_t damaged = 0;  // of these, and the sound
  std::uint64_t bytes = 0;
  bool interrupted = false;
};

// Names each damaged frame, on stderr or as NDJSON on stdout. An error means that the store cannot be read at all. Ends
// early when `stop` is set. Slows down for servers that play from there.
Result<Verification> verify(const std::filesystem::path& store, bool json, const std::atomic<bool>& stop,
                            const WriteRate& rate = {});

}  // namespace lw
