#include "wall-client/display/gl/gl_preview.h"

namespace lw {

GlPreview::GlPreview(unsigned tile_width, unsigned tile_height)
    : tile_width_(static_cast<GLsizei>(tile_width)), tile_height_(static_cast<GLsizei>(tile_height)) {
  const SmallPicture size(tile_width, tile_height);
  GLsizei factor = 2;
  for (Step& step : steps_) {
    step.width = static_cast<GLsizei>(size.width) * factor;
    step.height = static_cast<GLsizei>(size.height) * factor;
    factor = 1;
    glCreateTextures(GL_TEXTURE_2D, 1, &step.texture);
    glTextureStorage2D(step.texture, 1, GL_RGBA8, step.width, step.height);
    glCreateFramebuffers(1, &step.framebuffer);
    glNamedFramebufferTexture(step.framebuffer, GL_COLOR_ATTACHMENT0, step.texture, 0);
  }
  rgba_.resize(std::size_t{size.width} * size.height * 4);
  glCreateBuffers(1, &buffer_);
  glNamedBufferStorage(buffer_, static_cast<GLsizeiptr>(rgba_.size()), nullptr, GL_CLIENT_STORAGE_BIT);
}

GlPreview::~GlPreview() {
  glDeleteSync(fence_);
  glDeleteBuffers(1, &buffer_);
  for (const Step& step : steps_) {
    glDeleteFramebuffers(1, &step.framebuffer);
    glDeleteTextures(1, &step.texture);
  }
}

void GlPreview::begin(GLuint framebuffer) {
  if (fence_ != nullptr) return;
  Step from{framebuffer, 0, tile_width_, tile_height_};
  for (const Step& to : steps_) {
    glBlitNamedFramebuffer(from.framebuffer, to.framebuffer, 0, 0, from.width, from.height, 0, 0, to.width, to.height,
                           GL_COLOR_BUFFER_BIT, GL_LINEAR);
    from = to;
  }
  glBindFramebuffer(GL_READ_FRAMEBUFFER, from.framebuffer);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer_);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, from.width, from.height, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  fence_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  glFlush();
}

bool GlPreview::take(SmallPicture& into) {
  if (fence_ == nullptr) return false;
  if (glClientWaitSync(fence_, 0, 0) == GL_TIMEOUT_EXPIRED) return false;
  glDeleteSync(fence_);
  fence_ = nullptr;
  glGetNamedBufferSubData(buffer_, 0, static_cast<GLsizeiptr>(rgba_.size()), rgba_.data());
  std::size_t out = 0;
  for (unsigned row = 0; row < into.height; ++row) {
    const std::uint8_t* from = rgba_.data() + std::size_t{into.height - 1 - row} * into.width * 4;
    for (unsigned column = 0; column < into.width; ++column, from += 4)
      for (std::size_t i = 0; i < 3; ++i) into.rgb[out++] = from[i];
  }
  return true;
}

}  // namespace lw
