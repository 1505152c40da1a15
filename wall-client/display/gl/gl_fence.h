// A point in the commands of a context, which passes when the GPU has done all before it. Any context of the same group
// may be current for its calls. The presenter's thread.
#pragma once

#include <epoxy/gl.h>

#include <utility>

namespace lw {

class GlFence {
public:
  // Passed from the start.
  GlFence() = default;
  // After the commands that were issued so far, in the current context. They must be flushed before it can pass.
  static GlFence here() {
    GlFence fence;
    fence.sync_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (fence.sync_ == nullptr) glFinish();  // the driver has no memory for one
    return fence;
  }
  GlFence(GlFence&& other) noexcept : sync_(std::exchange(other.sync_, nullptr)) {}
  GlFence& operator=(GlFence&& other) noexcept {
    std::swap(sync_, other.sync_);
    return *this;
  }
  ~GlFence() {
    if (sync_ != nullptr) glDeleteSync(sync_);
  }

  [[nodiscard]] bool passed() const { return sync_ == nullptr || glClientWaitSync(sync_, 0, 0) != GL_TIMEOUT_EXPIRED; }
  void wait() const {
    constexpr GLuint64 second = 1'000'000'000;
    while (sync_ != nullptr && glClientWaitSync(sync_, GL_SYNC_FLUSH_COMMANDS_BIT, second) == GL_TIMEOUT_EXPIRED) {
    }
  }

private:
  GLsync sync_ = nullptr;
};

}  // namespace lw
