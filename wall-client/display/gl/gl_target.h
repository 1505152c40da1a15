// A texture that is drawn into, and read back.
//
// Belongs to one OpenGL context, which must be current for every call, including the destructor.
#pragma once

#include "wall-client/display/capture/picture.h"

#include <epoxy/gl.h>

#include <utility>

namespace lw {

class GlTarget {
public:
  GlTarget() = default;
  GlTarget(GlTarget&& other) noexcept { swap(other); }
  GlTarget& operator=(GlTarget&& other) noexcept {
    swap(other);
    return *this;
  }
  ~GlTarget();

  // Keeps what is there if it already is as asked. `sixteen_bits`: per channel, instead of 8.
  void make(bool sixteen_bits, GLsizei width, GLsizei height);
  [[nodiscard]] GLuint framebuffer() const { return framebuffer_; }
  [[nodiscard]] GLuint texture() const { return texture_; }
  [[nodiscard]] bool sixteen_bits() const { return sixteen_bits_; }
  [[nodiscard]] Picture read_back() const;

private:
  void swap(GlTarget& other) noexcept;

  GLuint framebuffer_ = 0;
  GLuint texture_ = 0;
  bool sixteen_bits_ = false;
  GLsizei width_ = 0;
  GLsizei height_ = 0;
};

}  // namespace lw
