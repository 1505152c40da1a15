// A tile's window: at its place on the desktop or filling a monitor, with an OpenGL 4.5 context.
#pragma once

#include "common/base/result.h"
#include "common/wall/wall_file.h"

#include <memory>
#include <string>

struct GLFWwindow;

namespace lw {

// Why the last GLFW call failed.
std::string glfw_problem();

class GlWindow {
public:
  // The contexts of all windows share their objects. `shared`: another window of the display, or null for the first.
  static Result<std::unique_ptr<GlWindow>> open(const Wall& wall, const WallNode& node, const TilePlacement& placement,
                                                const GlWindow* shared);
  ~GlWindow();
  GlWindow(const GlWindow&) = delete;
  GlWindow& operator=(const GlWindow&) = delete;

  void make_current() const;
  void swap_interval(int retraces) const;
  // Copies a framebuffer of this size into the window and swaps: pixel by pixel if the sizes agree, else scaled to the
  // largest size that fits without distortion.
  void show(unsigned framebuffer, int width, int height) const;

  // The user closed it or pressed Escape or Ctrl+Q.
  [[nodiscard]] bool closed() const;
  // If F was pressed since the last call: fills the monitor that the window is on, or goes back.
  void toggle_full_screen_if_asked();

private:
  explicit GlWindow(GLFWwindow* window) : window_(window) {}

  GLFWwindow* window_;
  bool toggle_asked_ = false;
  bool full_screen_at_start_ = false;
  int x_ = 0, y_ = 0, width_ = 0, height_ = 0;  // of the window, saved while it is full screen
};

}  // namespace lw
