// The preview of a tile, made by the GPU while the presenter continues: scaled down into a buffer that is read back
// after its fence.
//
// Belongs to the context of the tile's window, which must be current for every call, including the destructor.
#pragma once

#include "wall-client/display/capture/preview.h"

#include <epoxy/gl.h>

#include <array>
#include <vector>

namespace lw {

class GlPreview {
public:
  GlPreview(unsigned tile_width, unsigned tile_height);
  ~GlPreview();
  GlPreview(const GlPreview&) = delete;
  GlPreview& operator=(const GlPreview&) = delete;

  // From a framebuffer of the tile's size.
  void begin(GLuint framebuffer);
  // False until it is ready, and if none was begun.
  bool take(SmallPicture& into);

private:
  struct Step {
    GLuint framebuffer = 0;
    GLuint texture = 0;
    GLsizei width = 0;
    GLsizei height = 0;
  };
  const GLsizei tile_width_;
  const GLsizei tile_height_;
  std::array<Step, 2> steps_{};  // twice the size, then the size: means of four pixels, as in `reduce`
  GLuint buffer_ = 0;
  GLsync fence_ = nullptr;
  std::vector<std::uint8_t> rgba_;  // rows from bottom to top
};

}  // namespace lw
