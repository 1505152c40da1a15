// The GLX window of the current OpenGL context, for functions that GLFW lacks. Include it in sources only: Xlib defines
// common words as macros.
#pragma once

#include <epoxy/glx.h>

#include <optional>

namespace lw {

struct GlxWindow {
  ::Display* display = nullptr;
  GLXDrawable drawable = 0;

  [[nodiscard]] int screen() const { return DefaultScreen(display); }
  [[nodiscard]] bool has_extension(const char* name) const { return epoxy_has_glx_extension(display, screen(), name); }
};

// Whether GLFW's windows are of X11 with GLX. Otherwise they are of Wayland.
bool on_x11();
// Empty if windows are not GLX windows (Wayland, EGL).
std::optional<GlxWindow> current_glx_window();

}  // namespace lw
