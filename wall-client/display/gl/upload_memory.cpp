#include "wall-client/display/gl/upload_memory.h"

#include "common/base/units.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <span>
#include <vector>

namespace lw {
namespace {

constexpr double slower_max = 3;  // memory that is not cached is read ten times slower and more
constexpr std::size_t tried_bytes = std::size_t{2} << 20U;

bool failed() {
  bool any = false;
  while (glGetError() != GL_NO_ERROR) any = true;
  return any;
}

// The best of some rounds.
LocalClock::duration time_of_copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  auto best = LocalClock::duration::max();
  for (int round = 0; round < 5; ++round) {
    const auto start = LocalClock::now();
    std::memcpy(to, from, bytes);
    best = std::min(best, LocalClock::now() - start);
  }
  return best;
}

}  // namespace

std::unique_ptr<UploadMemory> UploadMemory::make(UploadPath path, std::size_t bytes, int cpu) {
  failed();  // forgets what failed before
  std::unique_ptr<UploadMemory> memory(new UploadMemory);
  const bool made = path == UploadPath::pinned ? memory->pin(bytes, cpu) : memory->map(bytes);
  if (failed() || !made) return nullptr;
  return memory;
}

bool UploadMemory::pin(std::size_t bytes, int cpu) {
  if (!epoxy_has_gl_extension("GL_AMD_pinned_memory")) return false;
  auto pages = Pages::allocate(bytes, cpu);
  if (!pages) return false;
  pages_ = std::move(*pages);
  glBindBuffer(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, buffer_);
  glBufferData(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, static_cast<GLsizeiptr>(pages_.bytes()), pages_.data(),
               GL_STREAM_DRAW);
  glBindBuffer(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, 0);
  return true;
}

bool UploadMemory::map(std::size_t bytes) {
  if (!has_buffer_storage()) return false;
  constexpr GLbitfield mapping = GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
  const auto size = static_cast<GLsizeiptr>(bytes);
  glNamedBufferStorage(buffer_, size, nullptr, mapping | GL_CLIENT_STORAGE_BIT);
  auto* data = static_cast<std::byte*>(glMapNamedBufferRange(buffer_, 0, size, mapping));
  if (data == nullptr) return false;
  pages_ = Pages::of_driver({data, bytes});
  return true;
}

// Pages of our own are unmapped after the buffer is gone.
UploadMemory::~UploadMemory() {
  glFinish();
  glDeleteBuffers(1, &buffer_);
}

std::optional<std::size_t> UploadMemory::offset_of(const std::byte* bytes) const {
  const std::less<> before;  // of pointers into different memory
  if (before(bytes, pages_.data()) || !before(bytes, pages_.data() + pages_.bytes())) return std::nullopt;
  return static_cast<std::size_t>(bytes - pages_.data());
}

bool has_buffer_storage() { return epoxy_gl_version() >= 44 || epoxy_has_gl_extension("GL_ARB_buffer_storage"); }

bool is_cached(const Pages& memory) {
  const auto bytes = std::min(memory.bytes(), tried_bytes);
  std::vector<std::byte> ours(bytes), others(bytes);
  const auto usual = time_of_copy(ours.data(), others.data(), bytes) * slower_max;
  return time_of_copy(ours.data(), memory.data(), bytes) < usual &&
         time_of_copy(memory.data(), ours.data(), bytes) < usual;
}

}  // namespace lw
