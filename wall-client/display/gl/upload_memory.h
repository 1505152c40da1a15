// Memory for band buffers from which the GPU reads: the kernel writes a packet's pixels where the driver fetches them
// from, and nobody copies them in between. Either our own pages, which the driver pins (GL_AMD_pinned_memory), or the
// driver's, mapped persistently and cached, since receivers also read what they have written.
//
// Belongs to a group of OpenGL contexts, one of which must be current when it is made and destroyed.
#pragma once

#include "common/memory/pages.h"
#include "wall-client/display/display.h"

#include <epoxy/gl.h>

#include <cstddef>
#include <memory>
#include <optional>

namespace lw {

class UploadMemory {
public:
  // `path` is pinned or driver. `cpu`: pinned pages are allocated near it. Null if the driver cannot.
  static std::unique_ptr<UploadMemory> make(UploadPath path, std::size_t bytes, int cpu);
  // Waits until the GPU has read it.
  ~UploadMemory();
  UploadMemory(const UploadMemory&) = delete;
  UploadMemory& operator=(const UploadMemory&) = delete;

  [[nodiscard]] const Pages& pages() const { return pages_; }
  [[nodiscard]] GLuint buffer() const { return buffer_; }
  // Where these bytes are within the buffer, if they are.
  [[nodiscard]] std::optional<std::size_t> offset_of(const std::byte* bytes) const;

private:
  UploadMemory() { glCreateBuffers(1, &buffer_); }
  bool pin(std::size_t bytes, int cpu);
  bool map(std::size_t bytes);

  GLuint buffer_ = 0;
  Pages pages_;
};

// Whether the driver maps buffers persistently.
bool has_buffer_storage();
// Whether the CPU reads and writes this memory about as fast as any other. A driver's memory may not be cached.
bool is_cached(const Pages& memory);

}  // namespace lw
