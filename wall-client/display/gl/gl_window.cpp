#include "wall-client/display/gl/gl_window.h"

#include <epoxy/gl.h>
#include <fmt/format.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>

namespace lw {
namespace {

void set_hints() {
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_DECORATED, GLFW_FALSE);  // a window frame would shift the content
  glfwWindowHint(GLFW_RESIZABLE, GLFW_FALSE);
  glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);
  glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE);  // a full-screen tile stays when another window gets the focus
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);       // until it is in place
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
}

Result<GLFWmonitor*> monitor_of(const Tile& tile, const TilePlacement& placement) {
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  if (*placement.monitor < static_cast<unsigned>(count)) return monitors[*placement.monitor];
  return Error{fmt::format("tile {} needs monitor {}, but this host has {}", tile.number(), *placement.monitor, count),
               "correct monitor in the wall file (the first is 0), or connect the monitor"};
}

// The monitor that contains the window's centre.
GLFWmonitor* monitor_under(GLFWwindow* window) {
  int x = 0, y = 0, width = 0, height = 0;
  glfwGetWindowPos(window, &x, &y);
  glfwGetWindowSize(window, &width, &height);
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  for (int i = 0; i < count; ++i) {
    int left = 0, top = 0;
    glfwGetMonitorPos(monitors[i], &left, &top);
    const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
    const int center_x = x + width / 2 - left;
    const int center_y = y + height / 2 - top;
    if (mode != nullptr && center_x >= 0 && center_y >= 0 && center_x < mode->width && center_y < mode->height)
      return monitors[i];
  }
  return glfwGetPrimaryMonitor();
}

}  // namespace

std::string glfw_problem() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text != nullptr ? text : "unknown reason";
}

Result<std::unique_ptr<GlWindow>> GlWindow::open(const Wall& wall, const WallNode& node, const TilePlacement& placement,
                                                 const GlWindow* shared) {
  const auto& tile = wall.tile(placement.tile);
  GLFWmonitor* monitor = nullptr;
  int width = static_cast<int>(tile.place.width);
  int height = static_cast<int>(tile.place.height);
  set_hints();
  if (placement.monitor) {
    const auto found = monitor_of(tile, placement);
    if (!found) return found.error();
    monitor = *found;
    // Keeps the monitor's current mode: a wall's monitors must not change theirs.
    const GLFWvidmode* mode = glfwGetVideoMode(monitor);
    width = mode->width;
    height = mode->height;
    glfwWindowHint(GLFW_REFRESH_RATE, mode->refreshRate);
  }
  const auto title = fmt::format("Lambdawall {} {}", tile.number(), node.name);
  GLFWwindow* handle =
      glfwCreateWindow(width, height, title.c_str(), monitor, shared != nullptr ? shared->window_ : nullptr);
  if (handle == nullptr)
    return Error{"cannot open a window with OpenGL 4.5: " + glfw_problem(),
                 "install a driver with OpenGL 4.5 (glxinfo shows what there is), or use --headless"};

  std::unique_ptr<GlWindow> window(new GlWindow(handle));
  window->full_screen_at_start_ = monitor != nullptr;
  window->x_ = placement.window_x;
  window->y_ = placement.window_y;
  window->width_ = static_cast<int>(tile.place.width);
  window->height_ = static_cast<int>(tile.place.height);
  if (monitor == nullptr) glfwSetWindowPos(handle, placement.window_x, placement.window_y);
  glfwSetInputMode(handle, GLFW_CURSOR, GLFW_CURSOR_HIDDEN);
  glfwSetWindowUserPointer(handle, window.get());
  glfwSetKeyCallback(handle, [](GLFWwindow* pressed, int key, int, int action, int modifiers) {
    if (action != GLFW_PRESS) return;
    if (key == GLFW_KEY_ESCAPE || (key == GLFW_KEY_Q && (modifiers & GLFW_MOD_CONTROL) != 0))
      glfwSetWindowShouldClose(pressed, GLFW_TRUE);
    if (key == GLFW_KEY_F) static_cast<GlWindow*>(glfwGetWindowUserPointer(pressed))->toggle_asked_ = true;
  });
  glfwShowWindow(handle);
  return window;
}

GlWindow::~GlWindow() { glfwDestroyWindow(window_); }

void GlWindow::make_current() const {
  if (glfwGetCurrentContext() != window_) glfwMakeContextCurrent(window_);
}

void GlWindow::swap_interval(int retraces) const { glfwSwapInterval(retraces); }

void GlWindow::show(unsigned framebuffer, int width, int height) const {
  int window_width = 0;
  int window_height = 0;
  glfwGetFramebufferSize(window_, &window_width, &window_height);
  if (window_width == width && window_height == height) {
    glBlitNamedFramebuffer(framebuffer, 0, 0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  } else {
    const double scale =
        std::min(static_cast<double>(window_width) / width, static_cast<double>(window_height) / height);
    const int shown_width = static_cast<int>(width * scale);
    const int shown_height = static_cast<int>(height * scale);
    const int left = (window_width - shown_width) / 2;
    const int bottom = (window_height - shown_height) / 2;
    constexpr std::array<GLfloat, 4> black{0, 0, 0, 1};
    glClearNamedFramebufferfv(0, GL_COLOR, 0, black.data());
    glBlitNamedFramebuffer(framebuffer, 0, 0, 0, width, height, left, bottom, left + shown_width, bottom + shown_height,
                           GL_COLOR_BUFFER_BIT, GL_LINEAR);
  }
  glfwSwapBuffers(window_);
}

bool GlWindow::closed() const { return glfwWindowShouldClose(window_) != 0; }

void GlWindow::toggle_full_screen_if_asked() {
  if (!toggle_asked_) return;
  toggle_asked_ = false;
  if (glfwGetWindowMonitor(window_) != nullptr) {
    // A tile that began full screen becomes a window of its own size.
    glfwSetWindowMonitor(window_, nullptr, x_, y_, width_, height_, GLFW_DONT_CARE);
    return;
  }
  if (!full_screen_at_start_) glfwGetWindowPos(window_, &x_, &y_);
  GLFWmonitor* monitor = monitor_under(window_);
  const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
  if (mode != nullptr) glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

}  // namespace lw
