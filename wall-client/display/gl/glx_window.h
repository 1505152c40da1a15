// The current OpenGL context's window as GLX knows it, for what GLFW does not offer. Included by sources only: Xlib's
// macros are common words.
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

// Nothing where windows are not GLX's (Wayland, EGL).
std::optional<GlxWindow> current_glx_window();

}  // namespace lw
