// A window with an OpenGL 4.5 context: for one tile, at its place on the desktop or filling a monitor; or for all tiles
// of a node, over their monitors.
#pragma once

#include "common/base/result.h"
#include "common/wall/wall_file.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

struct GLFWmonitor;
struct GLFWwindow;

namespace lw {

// Why the last GLFW call failed.
std::string glfw_problem();

// Where a tile is shown: on the desktop, or within a window.
struct ScreenPlace {
  int x = 0, y = 0, width = 0, height = 0;
  GLFWmonitor* monitor = nullptr;  // that it fills
  int refresh_rate = 0;            // of the monitor
};

// Of a tile's window that fills no monitor.
ScreenPlace windowed_place(const Wall& wall, const TilePlacement& placement);
// On the desktop. An error if the tile's monitor is missing.
Result<ScreenPlace> screen_place(const Wall& wall, const TilePlacement& placement);
// What a window over all of these covers. `exactly`: nothing else, and monitors of the same rate; empty if that is
// impossible.
std::optional<ScreenPlace> place_over(const std::vector<ScreenPlace>& places, bool exactly);

class GlWindow {
public:
  // The contexts of all windows share their objects. `shared`: another window of the display, or null for the first.
  // `windowed`: its place while it fills no monitor.
  static Result<std::unique_ptr<GlWindow>> open(const ScreenPlace& place, const ScreenPlace& windowed,
                                                const std::string& title, const GlWindow* shared);
  // Over several monitors. Null if the window system places it elsewhere.
  static Result<std::unique_ptr<GlWindow>> open_over(const ScreenPlace& place, const std::string& title);
  ~GlWindow();
  GlWindow(const GlWindow&) = delete;
  GlWindow& operator=(const GlWindow&) = delete;

  [[nodiscard]] int x() const { return x_; }
  [[nodiscard]] int y() const { return y_; }
  void make_current() const;
  void swap_interval(int retraces) const;
  // Bits of each channel, at least 8.
  [[nodiscard]] unsigned depth() const;
  // Copies a framebuffer of this size into the window: pixel by pixel if the sizes agree, else scaled to the largest
  // size that fits without distortion.
  void draw(unsigned framebuffer, int width, int height) const;
  // The same into a part of the window, from its upper left corner.
  void draw(unsigned framebuffer, int width, int height, const ScreenPlace& part) const;
  // Makes all of the window black, before parts are drawn.
  void clear() const;
  void swap() const;

  // The user closed it or pressed Escape or Ctrl+Q.
  [[nodiscard]] bool closed() const;
  // If F was pressed since the last call: a tile's window fills the monitor that it is on, or goes back.
  void toggle_full_screen_if_asked();

private:
  explicit GlWindow(GLFWwindow* window) : window_(window) {}
  static Result<std::unique_ptr<GlWindow>> create(const ScreenPlace& place, const ScreenPlace& windowed,
                                                  const std::string& title, const GlWindow* shared);
  [[nodiscard]] bool is_at(const ScreenPlace& place) const;
  static void draw_into(unsigned framebuffer, int width, int height, const ScreenPlace& part, int window_height);

  GLFWwindow* window_;
  bool toggle_asked_ = false;
  bool full_screen_at_start_ = false;
  bool spans_ = false;
  int x_ = 0, y_ = 0, width_ = 0, height_ = 0;  // of the window, also while it is full screen
};

}  // namespace lw
