#include "wall-client/display/gl/gl_target.h"

#include <cstring>

namespace lw {

GlTarget::~GlTarget() {
  glDeleteFramebuffers(1, &framebuffer_);
  glDeleteTextures(1, &texture_);
}

void GlTarget::swap(GlTarget& other) noexcept {
  std::swap(framebuffer_, other.framebuffer_);
  std::swap(texture_, other.texture_);
  std::swap(sixteen_bits_, other.sixteen_bits_);
  std::swap(width_, other.width_);
  std::swap(height_, other.height_);
}

void GlTarget::make(bool sixteen_bits, GLsizei width, GLsizei height) {
  if (texture_ != 0 && sixteen_bits_ == sixteen_bits) return;
  if (framebuffer_ == 0) glCreateFramebuffers(1, &framebuffer_);
  glDeleteTextures(1, &texture_);
  glCreateTextures(GL_TEXTURE_2D, 1, &texture_);
  glTextureStorage2D(texture_, 1, sixteen_bits ? GL_RGBA16 : GL_RGBA8, width, height);
  glNamedFramebufferTexture(framebuffer_, GL_COLOR_ATTACHMENT0, texture_, 0);
  sixteen_bits_ = sixteen_bits;
  width_ = width;
  height_ = height;
}

Picture GlTarget::read_back() const {
  const auto height = static_cast<unsigned>(height_);
  Picture picture{static_cast<unsigned>(width_), height, sixteen_bits_, {}};
  const std::size_t row_size = std::size_t{picture.width} * 3 * (sixteen_bits_ ? 2 : 1);
  std::vector<std::byte> upside_down(row_size * height);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_, height_, GL_RGB, sixteen_bits_ ? GL_UNSIGNED_SHORT : GL_UNSIGNED_BYTE, upside_down.data());
  picture.pixels.resize(upside_down.size());
  for (unsigned row = 0; row < height; ++row)
    std::memcpy(picture.pixels.data() + row * row_size, upside_down.data() + (height - 1 - row) * row_size, row_size);
  return picture;
}

}  // namespace lw
