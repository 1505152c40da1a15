// Writes a frame store: into hidden folders ".NAME.partial" beside the final ones, which are renamed when everything is
// on the disks. A store is therefore complete or absent. An interrupted import keeps its partial folders and a
// journal, and continues from there.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/base/descriptor.h"
#include "common/base/result.h"
#include "common/store/checksum.h"
#include "common/store/manifest.h"
#include "common/store/stripe_layout.h"
#include "ingest/journal.h"
#include "ingest/shards.h"
#include "ingest/stripe_output.h"

namespace lw {

class StoreWriter {
public:
  // `directories` get the stripes, one each; the visualization's folder is in the first. `recipe` identifies the
  // import: a partial store with the same recipe and directories is resumed, any other is replaced. An existing store
  // is an error unless `overwrite` is set, and nothing else is ever overwritten. `way`, which must outlive this object,
  // decides when to write; null: at once.
  static Result<std::unique_ptr<StoreWriter>> begin(const Manifest& manifest,
                                                    const std::vector<std::filesystem::path>& directories,
                                                    const std::string& recipe, bool overwrite,
                                                    RightOfWay* way = nullptr);
  // The same for one shard, whose first frame is `first`. It shares the partial folders with the other shards, and
  // never removes anything of theirs.
  static Result<std::unique_ptr<StoreWriter>> begin_shard(const Manifest& manifest,
                                                          const std::vector<std::filesystem::path>& directories,
                                                          const std::string& recipe, bool overwrite, Shard shard,
                                                          std::uint32_t first, RightOfWay* way = nullptr);
  // All shards as one store of which all frames are written, ready for check_frame and finish.
  static Result<std::unique_ptr<StoreWriter>> join(const Manifest& manifest,
                                                   const std::vector<std::filesystem::path>& directories,
                                                   const std::string& recipe, bool overwrite,
                                                   RightOfWay* way = nullptr);
  ~StoreWriter();
  StoreWriter(const StoreWriter&) = delete;
  StoreWriter& operator=(const StoreWriter&) = delete;

  // Servers may play it as far as it is, while it is being written (common/store/growing.h). Also if an earlier run
  // that it continues did so.
  Result<void> let_play();

  // Frames that an earlier, interrupted run has written; of a shard, as frames().
  [[nodiscard]] std::uint32_t resumed_frames() const { return resumed_; }
  [[nodiscard]] std::uint32_t frames() const { return frames_; }
  [[nodiscard]] const StripeLayout& layout() const { return *layout_; }

  // Error if the disks have too little space for a store of this many frames.
  [[nodiscard]] Result<void> check_space(std::uint32_t frames, std::uint64_t sound_bytes = 0) const;

  // The next frame: every tile in order, then end_frame. `pixels`: as they are stored, with or without the padding of
  // the tile's record. Of tiles that the store does not hold (Manifest::tiles), it gets the checksums, which all parts
  // of a visualization have in common.
  Result<void> write_tile(TileIndex tile, std::span<const std::byte> pixels) {
    return write_tile(tile, pixels, checksum(pixels));
  }
  // With the checksum, if it is known.
  Result<void> write_tile(TileIndex tile, std::span<const std::byte> pixels, std::uint64_t sum);
  Result<void> end_frame();
  // All frames so far are on the disks, whatever happens later.
  Result<void> flush();
  // The pixels of a finished frame's tile that the store holds, from its first copy, for poster and thumbnails. They
  // are in `buffer`, which has the layout's stored_bytes_max().
  Result<std::span<const std::byte>> read_tile(std::uint32_t frame, TileIndex tile, std::span<std::byte> buffer) const;
  // Whether all copies of a joined frame's tile are what its shard wrote. If not, the shard is to be imported again:
  // its journal is removed, and the error names it. `buffer`: as for read_tile.
  Result<void> check_tile(std::uint32_t frame, TileIndex tile, std::span<std::byte> buffer);
  [[nodiscard]] std::filesystem::path folder() const { return partial(0); }  // for poster and thumbnails
  // Without the members that finish sets.
  [[nodiscard]] const Manifest& manifest() const { return manifest_; }
  [[nodiscard]] const std::vector<std::filesystem::path>& directories() const { return directories_; }

  // Headers, checksums, manifest, then the renames.
  Result<void> finish(Manifest manifest);
  // The shard has all its frames, and waits for the join.
  Result<void> finish_shard();
  // Keeps the written data for the next run.
  Result<void> interrupt();

private:
  StoreWriter() = default;
  static Result<std::unique_ptr<StoreWriter>> prepare(const Manifest& manifest,
                                                      const std::vector<std::filesystem::path>& directories,
                                                      const std::string& recipe, bool overwrite, RightOfWay* way);
  Result<void> take_shared_places();
  Result<void> enter_import();
  Result<void> collect_shards();
  [[nodiscard]] std::filesystem::path partial(std::size_t stripe) const;
  [[nodiscard]] std::filesystem::path final_folder(std::size_t stripe) const;
  Result<void> use_directories(const std::vector<std::filesystem::path>& directories);
  [[nodiscard]] Result<void> check_place(std::size_t stripe) const;
  [[nodiscard]] Result<void> check_partial(std::size_t stripe) const;
  Result<void> take_places();
  Result<void> take_partial();
  void take_back() const;
  Result<void> start_or_resume();
  Result<void> open_files();
  [[nodiscard]] Result<void> check_resumed() const;
  Result<void> write_journal(bool complete = false);
  Result<void> write_marks(const std::string& id) const;
  [[nodiscard]] Result<void> tell_growth() const;
  Result<void> write_headers(const Manifest& manifest);
  [[nodiscard]] unsigned file_of(unsigned stripe, TileIndex tile, unsigned copy) const;
  [[nodiscard]] std::size_t directory_of(unsigned file) const;
  [[nodiscard]] std::optional<std::span<const std::byte>> read_copy(std::uint32_t frame, TileIndex tile, unsigned copy,
                                                                    std::span<std::byte> buffer) const;
  [[nodiscard]] Error disk_error(const std::filesystem::path& file, int error) const;

  Manifest manifest_;
  std::vector<std::filesystem::path> directories_;
  std::unique_ptr<StripeLayout> layout_;
  std::optional<Journal> journal_;
  std::vector<TileIndex> held_;         // the tiles that the store holds, in ascending order
  std::optional<StripeOutput> output_;  // files: by stripe, of each the tiles held; then their copies likewise
  Descriptor lock_;                     // on the partial folder: only one import at a time writes a store
  std::string recipe_;                  // with the directories
  std::string growing_id_;              // of a store that servers may play meanwhile; empty: they may not
  std::optional<Shard> shard_;
  Descriptor shard_lock_;
  std::vector<std::uint32_t> shard_ends_;  // of a joined store: the frame after each shard's last
  std::uint32_t first_ = 0;                // of the shard
  std::vector<std::uint64_t> checksums_;
  std::chrono::steady_clock::time_point journal_due_;
  std::uint32_t frames_ = 0;
  std::uint32_t flushed_ = 0;  // of these
  std::uint32_t resumed_ = 0;
  unsigned tiles_ = 0;  // of the visualization
  bool overwrite_ = false;
  bool ours_ = false;  // the partial folders are to be removed unless they are kept or renamed
};

}  // namespace lw
