// A visualization's stripe files, open for reading. Immutable; shared by the control thread, which opens it, and the
// playback thread, which reads.
#pragma once

#include "common/base/result.h"
#include "common/store/manifest.h"
#include "common/store/store_files.h"
#include "common/store/stripe_layout.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lw {

// Where a tile's frame is: an open file and a range in it, aligned to store_alignment if the file is opened with
// O_DIRECT.
struct FrameExtent {
  int fd = -1;
  const FileStamp* stamp = nullptr;  // of the file when it was checked; owned by the OpenStore
  unsigned file = 0;                 // index of the descriptor in OpenStore::descriptors()
  unsigned stripe = 0;               // in whose directory it is: one disk each, as far as the reader knows
  std::uint64_t offset = 0;
  std::size_t bytes = 0;   // to read: rounded up if the file is read with O_DIRECT
  std::size_t needed = 0;  // of those, the frame itself; the last record of a file may end with it

  [[nodiscard]] bool exists() const { return fd >= 0; }
  // Whether the file is unchanged since it was checked. Call when a frame has been read.
  [[nodiscard]] bool is_unchanged() const { return stamp == nullptr || stamp_of(fd) == *stamp; }
};

class OpenStore {
public:
  // From files that are open and checked; reads them with O_DIRECT if filesystem and layout allow it.
  static std::shared_ptr<const OpenStore> of(StoreFiles files);
  // From a folder named by a person.
  static Result<std::shared_ptr<const OpenStore>> open(const std::filesystem::path& folder);
  OpenStore(const OpenStore&) = delete;
  OpenStore& operator=(const OpenStore&) = delete;

  [[nodiscard]] const Manifest& manifest() const { return manifest_; }
  // Of a frame's bytes in a file: the maximum of all tiles.
  [[nodiscard]] std::size_t frame_bytes_max() const { return frame_bytes_max_; }
  // Null unless frames lie as packets.
  [[nodiscard]] const TileSlots* slots(TileIndex tile) const { return layout_->slots(tile); }
  [[nodiscard]] bool has_slots() const { return layout_->has_slots(); }
  // Of a tile that the store holds. A store with copies may lack one of the two.
  [[nodiscard]] FrameExtent locate(std::uint32_t frame, TileIndex tile, unsigned copy = 0) const;
  [[nodiscard]] const std::filesystem::path& file_of(std::uint32_t frame, TileIndex tile) const;
  // -1 for a stripe without frames, and for a tile that the store does not hold.
  [[nodiscard]] std::span<const int> descriptors() const { return descriptors_; }
  [[nodiscard]] unsigned stripes() const { return stripes_; }
  [[nodiscard]] unsigned copies() const { return manifest_.copies; }
  [[nodiscard]] const std::filesystem::path& directory_of(unsigned stripe) const { return directories_[stripe]; }
  // Directories of stripes that are missing, or lack files.
  [[nodiscard]] const std::vector<MissingStripe>& missing() const { return missing_; }
  // Of geometry, format, rate, and the frames' checksums of all tiles where the store has them, also of tiles that it
  // does not hold: two servers whose stores have the same digest play parts of the same frames.
  [[nodiscard]] const std::string& digest() const { return digest_; }
  [[nodiscard]] bool direct() const { return direct_; }  // every file is read with O_DIRECT
  // Null: it has none.
  [[nodiscard]] const SoundFile* sound() const { return sound_ ? &*sound_ : nullptr; }
  // Whether a frame may be read. A store that grows (common/store/growing.h) gets more of them. It has none as long as
  // a server does not know whether they are the wall's.
  [[nodiscard]] bool has(std::uint32_t frame) const { return frame < frames_there_.load(std::memory_order_relaxed); }
  void let_play(std::uint32_t frames) const { frames_there_.store(frames, std::memory_order_relaxed); }
  // Whether all files have this many frames.
  [[nodiscard]] bool is_long_enough(std::uint32_t frames) const;
  // The open folder, whatever its name is by now.
  [[nodiscard]] Beneath folder() const { return {folder_.get(), path_, "check that its disk is mounted and readable"}; }
  // Whether all its files are unchanged since they were checked; those of a growing store change. One system call for
  // each.
  [[nodiscard]] bool is_unchanged() const;

private:
  struct File {
    std::filesystem::path path;
    Descriptor file;
    FileStamp stamp;
    std::size_t frame_bytes = 0;  // as stored
    std::uint64_t header_bytes = 0;
    std::uint64_t record_bytes = 0;
    bool direct = false;
  };
  OpenStore() = default;
  void add(StoreFile& from, std::size_t frame_bytes);
  [[nodiscard]] std::size_t index_of(std::uint32_t frame, TileIndex tile, unsigned copy) const;

  Manifest manifest_;
  std::string digest_;
  std::size_t frame_bytes_max_ = 0;
  std::optional<StripeLayout> layout_;  // of manifest_
  unsigned stripes_ = 1;
  bool direct_ = true;
  std::vector<File> files_;  // index: (copy * stripes + stripe) * tiles + tile
  std::vector<int> descriptors_;
  std::vector<std::filesystem::path> directories_;  // by stripe
  std::vector<MissingStripe> missing_;
  std::optional<SoundFile> sound_;
  std::filesystem::path path_;
  Descriptor folder_;
  mutable std::atomic<std::uint32_t> frames_there_{0};
};

}  // namespace lw
