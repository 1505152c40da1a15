// The display's shader programs, from the sources embedded by cmake/EmbedFiles.cmake.
#pragma once

#include "common/base/result.h"
#include "common/pixel/colour.h"
#include "common/pixel/pixel_format.h"

#include <epoxy/gl.h>

#include <array>

namespace lw {

struct GlPrograms {
  std::array<GLuint, all_pixel_formats.size()> pictures{};  // by PixelFormat
  GLuint card = 0;
  GLuint output = 0;  // to what a panel needs
  GLuint darker = 0;  // darkens what is already drawn, during a fade
  GLuint slots = 0;   // computes rows from packets in slots, without their headers
};

// In the current context; shared with all contexts of its group. Y'CbCr has the matrix of the wall's primaries.
Result<GlPrograms> make_programs(Primaries primaries);

}  // namespace lw
