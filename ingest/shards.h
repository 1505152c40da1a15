// An import in shards: several processes, on one host or many, each import a part of the frames into the same partial
// folders, and a last step joins them (wall-ingest --shard, --join). What they share is in the folder of stripe 0:
// shards.json, which import this is and into how many shards it is cut; a journal and a lock for each shard.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>

#include "common/base/descriptor.h"
#include "common/base/result.h"

namespace lw {

struct Shard {
  unsigned number = 1;  // from 1
  unsigned count = 1;
};

inline constexpr unsigned shards_max = 10'000;

// "2/4".
Result<Shard> parse_shard(const std::string& text);
std::string to_text(Shard shard);

struct FrameRange {
  std::uint32_t begin = 0;
  std::uint32_t end = std::numeric_limits<std::uint32_t>::max();
};
// The frames of a shard, if the source announces `total`. The last shard goes to the real end of the source.
FrameRange frames_of(Shard shard, std::uint32_t total);

// Name of a shard's journal.
std::string journal_name(Shard shard);

// The number of shards that `folder` holds parts of, if they are of the import `recipe`.
Result<std::optional<unsigned>> shards_in(const std::filesystem::path& folder, const std::string& recipe);

// Begins an import in `count` shards. The file is on the disk when this returns.
Result<void> note_shards(const std::filesystem::path& folder, const std::string& recipe, unsigned count);

// Held while shards find out who begins the import: waits for the others.
Result<Descriptor> lock_beginning(const std::filesystem::path& folder);
// Held by the process that imports the shard; an error if there is one.
Result<Descriptor> lock_shard(const std::filesystem::path& folder, Shard shard);

// Removes every file of an import, but for the lock on its beginning.
Result<void> empty_partial(const std::filesystem::path& folder);
// Removes what is not part of a finished store.
void remove_shards(const std::filesystem::path& folder);

}  // namespace lw
