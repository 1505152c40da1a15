#include "bench/offscreen.h"

#include <array>
#include <vector>

namespace lw::bench {
namespace {

// Graphics cards come before a driver that computes on the CPU.
std::vector<EGLDisplay> displays() {
  std::vector<EGLDisplay> found;
  if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device") &&
      epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_enumeration")) {
    std::array<EGLDeviceEXT, 16> devices{};
    EGLint count = 0;
    eglQueryDevicesEXT(devices.size(), devices.data(), &count);
    for (EGLint i = 0; i < count; ++i)
      found.push_back(eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices.at(i), nullptr));
  }
  if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
    found.push_back(eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr));
  return found;
}

}  // namespace

EGLContext Offscreen::context_on(EGLDisplay display) {
  if (display == EGL_NO_DISPLAY || eglInitialize(display, nullptr, nullptr) == EGL_FALSE) return EGL_NO_CONTEXT;
  constexpr std::array<EGLint, 7> wanted{
      EGL_CONTEXT_MAJOR_VERSION,           4,       EGL_CONTEXT_MINOR_VERSION, 5, EGL_CONTEXT_OPENGL_PROFILE_MASK,
      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
  if (eglBindAPI(EGL_OPENGL_API) == EGL_FALSE) return EGL_NO_CONTEXT;
  const EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted.data());
  if (context == EGL_NO_CONTEXT) return EGL_NO_CONTEXT;
  if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_TRUE) return context;
  eglDestroyContext(display, context);
  return EGL_NO_CONTEXT;
}

Result<Offscreen> Offscreen::open() {
  if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_client_extensions"))
    for (EGLDisplay display : displays())
      if (EGLContext context = context_on(display); context != EGL_NO_CONTEXT) return Offscreen(display, context);
  return Error{"no EGL device has OpenGL 4.5", "install a graphics driver, or Mesa's (libgl1-mesa-dri, libegl1)"};
}

Offscreen::~Offscreen() {
  if (display_ == EGL_NO_DISPLAY) return;
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(display_, context_);
}

}  // namespace lw::bench
