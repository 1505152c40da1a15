// Media -> frame store: decode, fit, split, write.
#pragma once

#include "common/base/result.h"
#include "common/wall/wall_file.h"
#include "ingest/background.h"
#include "ingest/fit.h"
#include "ingest/right_of_way.h"
#include "ingest/shards.h"
#include "ingest/source_facts.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lw {

// A store that an import writes.
struct StoreTarget {
  std::string server;                      // of the wall: it holds the tiles that this server sends; empty: all
  std::vector<std::filesystem::path> out;  // a stripe each
};

struct IngestOptions {
  std::string input;                        // media, or the folder of a store
  std::vector<std::filesystem::path> from;  // instead: stores that have the frames' tiles together
  std::vector<std::filesystem::path> out;   // a stripe each
  std::string server;                       // import only the tiles that it sends; empty: all
  unsigned copies = 1;                      // of each frame, on different stripes
  std::vector<StoreTarget> targets;         // several stores, instead of `out` and `server`
  std::string name;
  std::string title;
  std::string description;
  std::vector<std::string> tags;
  Fit fit = Fit::fit;
  Background background;              // behind transparent pixels of the source
  std::string rate = "keep";          // keep, wall, or a frame rate
  WriteRate write_rate;               // does not change pixels
  std::optional<PixelFormat> format;  // none: the wall file's
  SourceTags source_tags = {};
  std::optional<unsigned> packets;  // MTU of the packets as which frames are stored; none: row behind row
  double start = 0;                 // seconds of the source to skip
  std::optional<double> duration;   // seconds of the visualization
  std::optional<std::uint32_t> frames_max;
  std::optional<unsigned> threads;  // for decoding and for scaling; does not change pixels
  bool no_sound = false;            // leave it
  bool create = false;              // the folders of `out`, with those above them
  bool overwrite = false;
  std::optional<Shard> shard;    // import only its frames; join() makes the store
  std::optional<double> follow;  // wait for images of a numbered pattern, until none came for so many seconds
  std::optional<unsigned> last;  // with `follow`: the number of the last image
  bool follow_links = false;     // for images of a sequence that are links to other folders
  bool json = false;
};

struct IngestSummary {
  std::vector<std::filesystem::path> folders;  // of the stores
  std::uint32_t frames = 0;
  std::uint32_t resumed = 0;  // of those, written by an earlier run
  std::uint64_t bytes = 0;    // of pixels
  double seconds = 0;
  std::optional<std::uint32_t> expected;  // frames that the source announced; far fewer: the source is truncated
  std::uint64_t damaged = 0;              // frames of a store's tiles of which another copy was read
  bool interrupted = false;
};

// Ends early, resumable, when `stop` is set.
Result<IngestSummary> ingest(const IngestOptions& options, const Wall& wall, const std::atomic<bool>& stop);
// Reads back what the shards have written, compares it with their checksums, and makes the store: the bytes of an
// import by one process. The options are those of the shards. Changes nothing when `stop` is set.
Result<IngestSummary> join_shards(const IngestOptions& options, const Wall& wall, const std::atomic<bool>& stop);

// What an import with these options would read and write. Changes nothing on disk.
Result<SourceFacts> probe(const IngestOptions& options, const Wall& wall, const std::atomic<bool>& stop);

}  // namespace lw
