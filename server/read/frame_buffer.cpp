#include "server/read/frame_buffer.h"

#include <utility>

namespace lw {

Result<std::unique_ptr<FramePool>> FramePool::allocate(std::size_t count, std::size_t bytes, int cpu) {
  auto pages = Pages::allocate(memory_bytes(count, bytes), cpu);
  if (!pages) return pages.error();
  return in(std::move(*pages), count, bytes);
}

std::unique_ptr<FramePool> FramePool::in(Pages pages, std::size_t count, std::size_t bytes) {
  std::unique_ptr<FramePool> pool(new FramePool);
  pool->pages_ = std::move(pages);
  pool->count_ = count;
  pool->buffers_ = std::make_unique<FrameBuffer[]>(count);
  for (std::size_t i = 0; i < count; ++i) {
    pool->buffers_[i].data = pool->pages_.data() + i * stride(bytes);
    pool->buffers_[i].capacity = stride(bytes);
  }
  return pool;
}

FrameBuffer* FramePool::take() {
  for (auto& buffer : buffers()) {
    if (buffer.users.load(std::memory_order_acquire) != 0) continue;
    buffer.users.store(1, std::memory_order_relaxed);
    return &buffer;
  }
  return nullptr;
}

}  // namespace lw
