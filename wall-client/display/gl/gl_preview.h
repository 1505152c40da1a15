// The preview of a tile, made by the GPU while the presenter continues: scaled down into a buffer that is read back
// after its fence.
//
// Lives in the context of the tile's window, which is current whenever a member is called, the destructor included.
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

  // Of a framebuffer of the tile's size.
  void begin(GLuint framebuffer);
  // False while it is on its way, and where none was begun.
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
  std::array<Step, 2> steps_{};  // twice the size, and the size: a mean of four pixels each, as `reduce` makes it
  GLuint buffer_ = 0;
  GLsync fence_ = nullptr;
  std::vector<std::uint8_t> rgba_;  // rows from bottom to top
};

}  // namespace lw
