// Decodes image sequences. Each image is a separate input, so that a sequence may mix sizes, profiles and even file
// types. Several threads decode one image each, ahead of the one that is taken.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <thread>
#include <vector>

#include "ingest/followed_sequence.h"
#include "ingest/frame_pool.h"
#include "ingest/host_share.h"
#include "ingest/media_source.h"
#include "ingest/stage_ring.h"

namespace lw {

class PictureSource final : public MediaSource {
public:
  PictureSource(std::vector<std::filesystem::path> files, const HostShare& share)
      : files_(std::move(files)), share_(share) {}
  PictureSource(std::unique_ptr<FollowedSequence> followed, const HostShare& share)
      : followed_(std::move(followed)), share_(share) {}
  ~PictureSource() override;

  Result<const AVFrame*> next() override;
  Result<void> start_at(double seconds, FrameRate rate) override;
  Result<void> skip(std::uint32_t frames) override;
  [[nodiscard]] std::optional<FrameRate> frame_rate() const override { return std::nullopt; }
  [[nodiscard]] AVRational time_base() const override { return {1, 1}; }
  [[nodiscard]] std::optional<std::uint32_t> frame_count() const override;
  [[nodiscard]] std::string fingerprint() const override;
  void cancel() override;

private:
  using Ring = StageRing<av::Frame>;

  Result<const AVFrame*> first();
  void start_decoders(const AVFrame& like);
  Result<void> decode_every(std::size_t step, std::size_t from, Ring& ring) const;
  // False: there is none.
  Result<bool> decode_file(std::size_t file, FramePool& pool, AVFrame& out) const;

  std::vector<std::filesystem::path> files_;
  std::unique_ptr<FollowedSequence> followed_;  // instead of these
  HostShare share_;
  std::size_t next_ = 0;         // file
  std::size_t first_ahead_ = 0;  // file that a decoder decodes
  av::Frame current_{av_frame_alloc()};
  std::int64_t pts_ = 0;
  std::vector<std::unique_ptr<Ring>> rings_;  // of the decoders
  std::vector<std::jthread> decoders_;
};

}  // namespace lw
