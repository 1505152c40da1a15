// An OpenGL 4.5 context without windows and without a window system, by EGL: of the first device that has one. It is
// current on the thread that opens it, which also closes it.
#pragma once

#include "common/base/result.h"

#include <epoxy/egl.h>

#include <utility>

namespace lw::bench {

class Offscreen {
public:
  static Result<Offscreen> open();
  Offscreen(Offscreen&& other) noexcept
      : display_(std::exchange(other.display_, EGL_NO_DISPLAY)), context_(other.context_) {}
  Offscreen& operator=(Offscreen&&) = delete;
  ~Offscreen();

private:
  Offscreen(EGLDisplay display, EGLContext context) : display_(display), context_(context) {}
  // Current afterwards; EGL_NO_CONTEXT if the display has no such context.
  static EGLContext context_on(EGLDisplay display);

  EGLDisplay display_;
  EGLContext context_;
};

}  // namespace lw::bench
