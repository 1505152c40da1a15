// Reads a store, to recut it for another wall. Every tile's frame is compared with its checksum.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ingest/frame_pool.h"
#include "ingest/host_share.h"
#include "ingest/media_source.h"
#include "ingest/store_picture.h"
#include "ingest/stored_frames.h"

namespace lw {

// Whether the input is the folder of a visualization.
bool is_store(const std::string& input);

class StoreSource final : public MediaSource {
public:
  // `parts`: a store with all tiles, or stores of the same import that have them together. Calls `note` with each
  // damaged frame of which another copy is read.
  static Result<std::unique_ptr<StoreSource>> open(const std::vector<std::filesystem::path>& parts,
                                                   const HostShare& share,
                                                   std::function<void(const std::string&)> note);

  // Frames will be images of blocks (StorePicture::keeps_blocks). Call before the first next().
  void keep_blocks() { picture_ = StorePicture(manifest().geometry, manifest().pixel_format, manifest().colour, true); }

  [[nodiscard]] const Manifest& manifest() const { return parts_.front().manifest(); }
  // Properties of the store that the user should know before it is read.
  [[nodiscard]] std::vector<std::string> warnings() const;
  // From which it reads.
  [[nodiscard]] std::vector<std::filesystem::path> directories() const;
  [[nodiscard]] std::uint64_t bytes() const;
  // Of the tiles' frames so far, those of which another copy was read.
  [[nodiscard]] std::uint64_t damaged() const { return damaged_; }

  Result<const AVFrame*> next() override;
  Result<void> start_at(double seconds, FrameRate rate) override;
  Result<void> skip(std::uint32_t frames) override;
  [[nodiscard]] std::optional<FrameRate> frame_rate() const override { return manifest().frame_rate; }
  [[nodiscard]] AVRational time_base() const override;
  [[nodiscard]] std::optional<std::uint32_t> frame_count() const override { return manifest().frame_count - next_; }
  [[nodiscard]] std::optional<std::uint64_t> frame_bytes() const override;
  [[nodiscard]] std::string fingerprint() const override;

private:
  StoreSource(std::vector<StoredFrames> parts, const HostShare& share, std::function<void(const std::string&)> note);
  Result<void> draw_tile(TileIndex tile, std::span<std::byte> buffer);
  void note_damaged(TileIndex tile, const std::string& files);

  std::vector<StoredFrames> parts_;
  std::function<void(const std::string&)> note_;
  StorePicture picture_;
  FramePool pool_;
  std::vector<std::vector<std::byte>> buffers_;  // of the threads that draw
  av::Frame current_{av_frame_alloc()};
  std::uint32_t first_ = 0;
  std::uint32_t next_ = 0;
  std::atomic<std::uint64_t> damaged_{0};
};

}  // namespace lw
