#include "wall-client/display/gl/gl_window.h"

#include <epoxy/gl.h>
#include <fmt/format.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace lw {
namespace {

constexpr double window_settles_s = 0.1;

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

// A window on the monitor, from whose corner it is counted.
Result<ScreenPlace> part_of(GLFWmonitor* monitor, ScreenPlace part, const Tile& tile) {
  const GLFWvidmode* mode = glfwGetVideoMode(monitor);
  if (part.x < 0 || part.y < 0 || part.x + part.width > mode->width || part.y + part.height > mode->height)
    return Error{fmt::format("tile {} of {} x {} pixels at {}, {} is not within its monitor of {} x {}", tile.number(),
                             part.width, part.height, part.x, part.y, mode->width, mode->height),
                 "correct window in the wall file, which is counted from the monitor's top left corner"};
  int left = 0, top = 0;
  glfwGetMonitorPos(monitor, &left, &top);
  part.x += left;
  part.y += top;
  return part;
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

ScreenPlace windowed_place(const Wall& wall, const TilePlacement& placement) {
  const auto panel = wall.tile(placement.tile).panel();
  return {placement.window_x, placement.window_y, panel.width, panel.height};
}

Result<ScreenPlace> screen_place(const Wall& wall, const TilePlacement& placement) {
  if (!placement.monitor) return windowed_place(wall, placement);
  const auto monitor = monitor_of(wall.tile(placement.tile), placement);
  if (!monitor) return monitor.error();
  if (placement.on_part) return part_of(*monitor, windowed_place(wall, placement), wall.tile(placement.tile));
  // Keeps the monitor's current mode: a wall's monitors must not change theirs.
  const GLFWvidmode* mode = glfwGetVideoMode(*monitor);
  ScreenPlace place{0, 0, mode->width, mode->height, *monitor, mode->refreshRate};
  glfwGetMonitorPos(*monitor, &place.x, &place.y);
  return place;
}

std::optional<ScreenPlace> place_over(const std::vector<ScreenPlace>& places, bool exactly) {
  auto over = places.front();
  over.monitor = nullptr;
  std::int64_t area = 0;
  for (const auto& place : places) {
    const int right = std::max(over.x + over.width, place.x + place.width);
    const int bottom = std::max(over.y + over.height, place.y + place.height);
    over.x = std::min(over.x, place.x);
    over.y = std::min(over.y, place.y);
    over.width = right - over.x;
    over.height = bottom - over.y;
    area += std::int64_t{place.width} * place.height;
    const auto overlaps = [&](const ScreenPlace& other) {
      return &other != &place && other.x < place.x + place.width && place.x < other.x + other.width &&
             other.y < place.y + place.height && place.y < other.y + other.height;
    };
    if (std::ranges::any_of(places, overlaps)) return std::nullopt;
    if (exactly && (place.monitor == nullptr || place.refresh_rate != over.refresh_rate)) return std::nullopt;
  }
  if (exactly && area != std::int64_t{over.width} * over.height) return std::nullopt;
  return over;
}

Result<std::unique_ptr<GlWindow>> GlWindow::create(const ScreenPlace& place, const ScreenPlace& windowed,
                                                   const std::string& title, const GlWindow* shared) {
  if (place.monitor != nullptr) glfwWindowHint(GLFW_REFRESH_RATE, place.refresh_rate);
  GLFWwindow* handle = glfwCreateWindow(place.width, place.height, title.c_str(), place.monitor,
                                        shared != nullptr ? shared->window_ : nullptr);
  if (handle == nullptr)
    return Error{"cannot open a window with OpenGL 4.5: " + glfw_problem(),
                 "install a driver with OpenGL 4.5 (glxinfo shows what there is), or use --headless"};

  std::unique_ptr<GlWindow> window(new GlWindow(handle));
  window->full_screen_at_start_ = place.monitor != nullptr;
  window->x_ = windowed.x;
  window->y_ = windowed.y;
  window->width_ = windowed.width;
  window->height_ = windowed.height;
  if (place.monitor == nullptr) glfwSetWindowPos(handle, place.x, place.y);
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

Result<std::unique_ptr<GlWindow>> GlWindow::open(const ScreenPlace& place, const ScreenPlace& windowed,
                                                 const std::string& title, const GlWindow* shared) {
  set_hints();
  return create(place, windowed, title, shared);
}

Result<std::unique_ptr<GlWindow>> GlWindow::open_over(const ScreenPlace& place, const std::string& title) {
  set_hints();
  glfwWindowHint(GLFW_FLOATING, GLFW_TRUE);  // nothing covers a part of it
  auto window = create(place, place, title, nullptr);
  if (!window) return window;
  (*window)->spans_ = true;
  if (!(*window)->is_at(place)) window->reset();
  return window;
}

// A window manager moves and resizes windows some time after they were shown.
bool GlWindow::is_at(const ScreenPlace& place) const {
  const auto until = glfwGetTime() + window_settles_s;
  while (glfwGetTime() < until) glfwWaitEventsTimeout(until - glfwGetTime());
  int x = 0, y = 0, width = 0, height = 0;
  glfwGetWindowPos(window_, &x, &y);
  glfwGetFramebufferSize(window_, &width, &height);
  return x == place.x && y == place.y && width == place.width && height == place.height;
}

GlWindow::~GlWindow() { glfwDestroyWindow(window_); }

void GlWindow::make_current() const {
  if (glfwGetCurrentContext() != window_) glfwMakeContextCurrent(window_);
}

void GlWindow::swap_interval(int retraces) const { glfwSwapInterval(retraces); }

unsigned GlWindow::depth() const {
  make_current();
  GLint bits = 0;
  for (const GLenum channel : {GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE, GL_FRAMEBUFFER_ATTACHMENT_GREEN_SIZE,
                               GL_FRAMEBUFFER_ATTACHMENT_BLUE_SIZE}) {
    GLint of_channel = 0;
    glGetNamedFramebufferAttachmentParameteriv(0, GL_BACK_LEFT, channel, &of_channel);
    bits = bits == 0 ? of_channel : std::min(bits, of_channel);
  }
  return static_cast<unsigned>(std::clamp(bits, 8, 16));
}

void GlWindow::draw(unsigned framebuffer, int width, int height) const {
  ScreenPlace all;
  glfwGetFramebufferSize(window_, &all.width, &all.height);
  if (all.width != width || all.height != height) clear();
  draw_into(framebuffer, width, height, all, all.height);
}

void GlWindow::draw(unsigned framebuffer, int width, int height, const ScreenPlace& part) const {
  draw_into(framebuffer, width, height, part, height_);
}

void GlWindow::draw_into(unsigned framebuffer, int width, int height, const ScreenPlace& part, int window_height) {
  const int from_bottom = window_height - part.y - part.height;
  if (part.width == width && part.height == height)
    return glBlitNamedFramebuffer(framebuffer, 0, 0, 0, width, height, part.x, from_bottom, part.x + width,
                                  from_bottom + height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  const double scale = std::min(static_cast<double>(part.width) / width, static_cast<double>(part.height) / height);
  const int shown_width = static_cast<int>(width * scale);
  const int shown_height = static_cast<int>(height * scale);
  const int left = part.x + (part.width - shown_width) / 2;
  const int bottom = from_bottom + (part.height - shown_height) / 2;
  glBlitNamedFramebuffer(framebuffer, 0, 0, 0, width, height, left, bottom, left + shown_width, bottom + shown_height,
                         GL_COLOR_BUFFER_BIT, GL_LINEAR);
}

void GlWindow::clear() const {
  constexpr std::array<GLfloat, 4> black{0, 0, 0, 1};
  glClearNamedFramebufferfv(0, GL_COLOR, 0, black.data());
}

void GlWindow::swap() const { glfwSwapBuffers(window_); }

bool GlWindow::closed() const { return glfwWindowShouldClose(window_) != 0; }

void GlWindow::toggle_full_screen_if_asked() {
  if (!std::exchange(toggle_asked_, false) || spans_) return;
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
