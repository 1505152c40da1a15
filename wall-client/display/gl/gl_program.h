// The display's shader programs, from the sources that cmake/EmbedShaders.cmake built in.
#pragma once

#include "common/base/result.h"

#include <epoxy/gl.h>

#include <array>

namespace lw {

struct GlPrograms {
  std::array<GLuint, 3> pictures{};  // by PixelFormat
  GLuint card = 0;
  GLuint darker = 0;  // of what is drawn already, while the wall fades
};

// In the current context; shared by all contexts of its group.
Result<GlPrograms> make_programs();

}  // namespace lw
