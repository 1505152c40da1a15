#include "probe/loads/frame_source.h"

#include "server/read/open_store.h"
#include "server/read/stripe_reader.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <vector>

namespace lw {
namespace {

constexpr std::size_t frames_in_memory = 3;
constexpr unsigned frames_ahead = 4;
constexpr unsigned frames_being_sent = 4;
constexpr std::chrono::milliseconds frame_wait_max{100};

class MemorySource final : public FrameSource {
public:
  explicit MemorySource(std::unique_ptr<FramePool> pool) : pool_(std::move(pool)) {}

  Result<FrameBuffer*> next() override {
    FrameBuffer& buffer = pool_->buffers()[next_++ % pool_->buffers().size()];
    buffer.add_users(1);
    return &buffer;
  }
  [[nodiscard]] std::size_t memory_bytes() const override { return pool_->pages().bytes(); }

private:
  std::unique_ptr<FramePool> pool_;
  std::size_t next_ = 0;
};

class StoreSource final : public FrameSource {
public:
  StoreSource(std::shared_ptr<const OpenStore> store, std::unique_ptr<FramePool> pool)
      : store_(std::move(store)), pool_(std::move(pool)) {
    const std::array memory{pool_->memory()};
    reader_ = StripeReader::create(frames_ahead, {}, memory);
    reader_->use(*store_);
  }

  Result<FrameBuffer*> next() override {
    read_ahead();
    FrameBuffer*& first = ahead_[given_ % frames_ahead];
    while (first == nullptr || first->state == BufferState::reading) {
      std::array<ReadDone, frames_ahead> done;
      const auto count = reader_->wait(done, frame_wait_max);
      for (std::size_t i = 0; i < count; ++i) {
        if (done[i].error != 0)
          return Error{std::string("cannot read the store: ") + std::strerror(done[i].error), "check the disk"};
        done[i].buffer->state = BufferState::ready;
        done[i].buffer->arrange();
      }
      read_ahead();
    }
    ++given_;
    return std::exchange(first, nullptr);
  }
  [[nodiscard]] std::size_t memory_bytes() const override { return pool_->pages().bytes(); }

private:
  void read_ahead() {
    while (asked_ - given_ < frames_ahead) {
      FrameBuffer* buffer = pool_->take();
      if (buffer == nullptr) return;
      buffer->state = BufferState::reading;
      buffer->format = store_->manifest().pixel_format;
      buffer->read_in_slots = store_->slots({});
      reader_->start(store_->locate(static_cast<std::uint32_t>(asked_ % store_->manifest().frame_count), {}), *buffer);
      ahead_[asked_++ % frames_ahead] = buffer;
    }
  }

  std::shared_ptr<const OpenStore> store_;
  std::unique_ptr<FramePool> pool_;
  std::unique_ptr<StripeReader> reader_;  // destroyed first: its reads write into the pool
  std::array<FrameBuffer*, frames_ahead> ahead_{};
  std::uint64_t asked_ = 0;
  std::uint64_t given_ = 0;
};

}  // namespace

Result<std::unique_ptr<FrameSource>> FrameSource::memory(std::size_t frame_bytes, std::size_t tiles) {
  auto pool = FramePool::allocate(frames_in_memory * tiles, frame_bytes);
  if (!pool) return pool.error();
  return std::unique_ptr<FrameSource>(std::make_unique<MemorySource>(std::move(*pool)));
}

Result<std::unique_ptr<FrameSource>> FrameSource::packets(const TileSlots& slots, std::size_t tiles) {
  auto pool = FramePool::allocate(frames_in_memory * tiles, slots.memory_bytes());
  if (!pool) return pool.error();
  for (auto& buffer : (*pool)->buffers()) buffer.in_slots = true;
  return std::unique_ptr<FrameSource>(std::make_unique<MemorySource>(std::move(*pool)));
}

Result<std::unique_ptr<FrameSource>> FrameSource::store(const std::filesystem::path& folder, unsigned tile_width,
                                                        unsigned tile_height) {
  auto store = OpenStore::open(folder);
  if (!store) return store.error();
  const auto first = (*store)->manifest().geometry.place({});
  if (first.width != tile_width || first.height != tile_height)
    return Error{fmt::format("{} has tiles of {}x{}, not {}x{}", folder.string(), first.width, first.height, tile_width,
                             tile_height),
                 "start again if it was replaced meanwhile"};
  auto pool = FramePool::allocate(frames_ahead + frames_being_sent, (*store)->frame_bytes_max());
  if (!pool) return pool.error();
  return std::unique_ptr<FrameSource>(std::make_unique<StoreSource>(std::move(*store), std::move(*pool)));
}

}  // namespace lw
