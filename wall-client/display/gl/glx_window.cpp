#include "wall-client/display/gl/glx_window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <string_view>

namespace lw {

bool on_x11() { return std::string_view(glfwGetVersionString()).find("GLX") != std::string_view::npos; }

std::optional<GlxWindow> current_glx_window() {
  // epoxy ends the program on a display without GLX.
  if (!on_x11()) return std::nullopt;
  if (glXGetCurrentContext() == nullptr) return std::nullopt;
  return GlxWindow{glXGetCurrentDisplay(), glXGetCurrentDrawable()};
}

}  // namespace lw
