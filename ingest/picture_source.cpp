#include "ingest/picture_source.h"

#include <algorithm>
#include <cmath>

#include "common/concurrency/pinned_thread.h"
#include "ingest/caught.h"
#include "ingest/file_fingerprint.h"
#include "ingest/frame_pool.h"
#include "ingest/video_input.h"

namespace lw {
namespace {

namespace fs = std::filesystem;

constexpr unsigned frames_per_decoder = 3;  // one is decoded, and two wait in the ring

// Into `out`. Images that are decoded one after the other share their memory.
Result<void> decode_picture(const fs::path& file, FramePool& pool, AVFrame& out) {
  auto input = VideoInput::open_picture(file.string(), pool);
  if (!input) return input.error();
  const auto frame = (*input)->next();
  if (!frame) return frame.error();
  if (*frame == nullptr) return Error{file.string() + " contains no image", "remove it from the sequence"};
  av_frame_move_ref(&out, (*input)->take().get());
  return {};
}

}  // namespace

PictureSource::~PictureSource() {
  cancel();
  for (const auto& ring : rings_) ring->cancel();
}

Result<const AVFrame*> PictureSource::next() {
  if (!followed_ && next_ == files_.size()) return av::no_frame;
  if (rings_.empty()) return first();
  auto& ring = *rings_[(next_ - first_ahead_) % rings_.size()];
  auto* frame = ring.to_take();
  if (frame == nullptr) {
    const auto outcome = ring.outcome();
    if (outcome && !*outcome) return outcome->error();
    return av::no_frame;  // the sequence has no further image
  }
  av_frame_unref(current_.get());
  av_frame_move_ref(current_.get(), frame->get());
  ring.taken();
  ++next_;
  current_->pts = pts_++;
  return current_.get();
}

// The first image shows how much memory each decoder needs.
Result<const AVFrame*> PictureSource::first() {
  FramePool pool;
  const auto decoded = decode_file(next_, pool, *current_);
  if (!decoded) return decoded.error();
  if (!*decoded) return av::no_frame;
  ++next_;
  if (followed_ || next_ < files_.size()) start_decoders(*current_);
  current_->pts = pts_++;
  return current_.get();
}

void PictureSource::start_decoders(const AVFrame& like) {
  std::uint64_t bytes = 0;
  for (const auto* buffer : like.buf) bytes += buffer == nullptr ? 0 : buffer->size;
  const auto room = share_.room_for(bytes * frames_per_decoder, share_.threads);
  const auto decoders = followed_ ? room : std::min<std::size_t>(room, files_.size() - next_);
  first_ahead_ = next_;
  for (std::size_t i = 0; i < decoders; ++i) {
    std::vector<av::Frame> slots;
    for (unsigned slot = 0; slot < frames_per_decoder - 1; ++slot) slots.emplace_back(av_frame_alloc());
    rings_.push_back(std::make_unique<Ring>(std::move(slots)));
  }
  for (std::size_t i = 0; i < decoders; ++i)
    decoders_.push_back(start_thread("image", -1, [this, decoders, i](const std::stop_token&) {
      auto& ring = *rings_[i];
      ring.end(caught([&] { return decode_every(decoders, first_ahead_ + i, ring); }));
    }));
}

Result<void> PictureSource::decode_every(std::size_t step, std::size_t from, Ring& ring) const {
  FramePool pool;
  for (auto file = from; followed_ || file < files_.size(); file += step) {
    auto* slot = ring.to_fill();
    if (slot == nullptr) break;
    const auto decoded = decode_file(file, pool, **slot);
    if (!decoded) return decoded.error();
    if (!*decoded) break;
    ring.filled();
  }
  return {};
}

// An image that is still being written may look complete for a while.
Result<bool> PictureSource::decode_file(std::size_t file, FramePool& pool, AVFrame& out) const {
  while (followed_) {
    const auto image = followed_->wait_for(file);
    if (!image) return image.error();
    if (!*image) return false;
    auto decoded = decode_picture((*image)->file, pool, out);
    if (decoded) return true;
    if (!followed_->wait_for_change(**image)) return decoded.error();
  }
  if (auto decoded = decode_picture(files_[file], pool, out); !decoded) return decoded.error();
  return true;
}

void PictureSource::cancel() {
  if (followed_) followed_->cancel();
}

Result<void> PictureSource::start_at(double seconds, FrameRate rate) {
  return skip(static_cast<std::uint32_t>(std::lround(seconds * rate.hertz())));
}

Result<void> PictureSource::skip(std::uint32_t frames) {
  const std::size_t count = followed_ ? followed_->count().value_or(UINT32_MAX) : files_.size();
  next_ = std::min<std::size_t>(next_ + frames, count);
  return {};
}

std::optional<std::uint32_t> PictureSource::frame_count() const {
  if (!followed_) return static_cast<std::uint32_t>(files_.size() - next_);
  const auto count = followed_->count();
  return count ? std::optional(*count - static_cast<std::uint32_t>(next_)) : std::nullopt;
}

std::string PictureSource::fingerprint() const {
  if (followed_) return followed_->fingerprint();
  std::string text;
  for (const auto& file : files_) text += file_fingerprint(file) + "\n";
  return text;
}

}  // namespace lw
