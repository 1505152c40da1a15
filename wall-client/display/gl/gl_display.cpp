// Tiles in GLFW windows, drawn with OpenGL 4.5. Connects windows (gl_window), tiles (gl_tile) and their shared objects.
#include "wall-client/display/cards/tile_facts.h"
#include "wall-client/display/display.h"
#include "wall-client/display/gl/gl_program.h"
#include "wall-client/display/gl/gl_tile.h"
#include "wall-client/display/gl/gl_window.h"
#include "wall-client/display/gl/swap_feedback.h"
#include "wall-client/display/gl/swap_group.h"

#include <epoxy/gl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <map>

namespace lw {
namespace {

class GlDisplay final : public Display {
public:
  explicit GlDisplay(const Options& options) : options_(options) {}
  ~GlDisplay() override;
  GlDisplay(const GlDisplay&) = delete;
  GlDisplay& operator=(const GlDisplay&) = delete;

  Result<void> open(const Wall& wall, const WallNode& node);

  void upload(TileIndex id, const AssembledFrame& frame) override { use(id).upload(frame); }
  WallTime swap(TileIndex id) override {
    use(id).flip();
    return show(id, true);
  }
  WallTime redraw(TileIndex id) override { return show(id, false); }
  std::optional<ScreenTime> newest_on_screen(TileIndex id) override;
  void set_brightness(TileIndex id, double brightness) override { tiles_.at(id).tile->set_brightness(brightness); }
  void set_overlay(TileIndex id, const TileOverlay& overlay) override;
  bool poll_events() override;
  Picture read_back(TileIndex id) override { return use(id).read_back(); }
  void begin_preview(TileIndex id) override { use(id).begin_preview(); }
  bool take_preview(TileIndex id, SmallPicture& into) override { return use(id).take_preview(into); }
  [[nodiscard]] SwapGroup swap_group() const override { return swap_group_; }
  [[nodiscard]] std::string renderer() const override { return renderer_; }

private:
  struct Shown {
    std::unique_ptr<GlWindow> window;
    std::unique_ptr<GlTile> tile;
    int width = 0;
    int height = 0;
    std::optional<SwapFeedback> feedback;
  };
  // `tiles`: those of the node.
  Result<void> open_first(const Wall& wall, const std::vector<TilePlacement>& tiles);
  // Adds all windows to the group, or none.
  void join(const SyncSettings& sync);
  // For the current window, if available; logged once if not.
  std::optional<SwapFeedback> feedback();
  // The tile, with its window's context current.
  GlTile& use(TileIndex id);
  WallTime show(TileIndex id, bool new_frame);

  Options options_;
  std::map<TileIndex, Shown> tiles_;
  GlPrograms programs_;
  std::string renderer_;
  SwapGroup swap_group_;
};

Result<void> GlDisplay::open(const Wall& wall, const WallNode& node) {
  if (glfwInit() != GLFW_TRUE)
    return Error{"no display to open windows on: " + glfw_problem(),
                 "set DISPLAY, start one with xvfb-run, or use --headless"};
  for (const auto& placement : node.tiles) {
    auto window = GlWindow::open(wall, node, placement, tiles_.empty() ? nullptr : tiles_.begin()->second.window.get());
    if (!window) return window.error();
    (*window)->make_current();
    if (tiles_.empty())
      if (auto first = open_first(wall, node.tiles); !first) return first;
    // Only one window may wait for the retrace: two waiting windows would halve the frame rate.
    (*window)->swap_interval(options_.vsync && &placement == &node.tiles.back() ? 1 : 0);
    auto tile = std::make_unique<GlTile>(facts_of(wall, node, placement), programs_, options_.upload);
    const auto& place = wall.tile(placement.tile).place;
    tiles_[placement.tile] = {std::move(*window), std::move(tile), static_cast<int>(place.width),
                              static_cast<int>(place.height), feedback()};
    redraw(placement.tile);
  }
  if (wall.sync.swap_group > 0) join(wall.sync);
  return {};
}

void GlDisplay::join(const SyncSettings& sync) {
  for (auto joining = tiles_.begin(); joining != tiles_.end(); ++joining) {
    joining->second.window->make_current();
    swap_group_ = join_swap_group(sync);
    if (swap_group_.joined) continue;
    for (auto joined = tiles_.begin(); joined != joining; ++joined) {
      joined->second.window->make_current();
      leave_swap_group();
    }
    return;
  }
}

Result<void> GlDisplay::open_first(const Wall& wall, const std::vector<TilePlacement>& tiles) {
  renderer_ = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  GLint size_max = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &size_max);
  for (const auto& placement : tiles) {
    const auto& place = wall.tile(placement.tile).place;
    if (std::max(place.width, place.height) > static_cast<unsigned>(size_max))
      return Error{fmt::format("a tile of {} x {} pixels is larger than {} supports ({})", place.width, place.height,
                               renderer_, size_max),
                   "cut the wall into more tiles"};
  }
  auto programs = make_programs();
  if (!programs) return programs.error();
  programs_ = *programs;
  glFinish();  // before other contexts use them
  const auto& first = wall.tile(tiles.front().tile).place;
  if (options_.upload == UploadPath::automatic)
    options_.upload = faster_upload(first.width, first.height, wall.streaming.pixel_format);
  spdlog::debug("{}: frames are uploaded {}", renderer_,
                options_.upload == UploadPath::mapped ? "through a mapped buffer" : "from memory");
  return {};
}

GlTile& GlDisplay::use(TileIndex id) {
  Shown& shown = tiles_.at(id);
  shown.window->make_current();
  return *shown.tile;
}

WallTime GlDisplay::show(TileIndex id, bool new_frame) {
  Shown& shown = tiles_.at(id);
  shown.window->make_current();
  shown.window->show(shown.tile->compose(WallClock::now()), shown.width, shown.height);
  const auto time = WallClock::now();
  if (shown.feedback) shown.feedback->swapped(new_frame);
  return time;
}

std::optional<SwapFeedback> GlDisplay::feedback() {
  auto feedback = SwapFeedback::of_current_window();
  if (feedback) return *feedback;
  if (tiles_.empty())
    spdlog::info("the times at which frames appear on the screen are not measured: {}", feedback.error().text());
  return std::nullopt;
}

std::optional<ScreenTime> GlDisplay::newest_on_screen(TileIndex id) {
  auto& feedback = tiles_.at(id).feedback;
  return feedback ? feedback->newest() : std::nullopt;
}

void GlDisplay::set_overlay(TileIndex id, const TileOverlay& overlay) {
  if (tiles_.contains(id)) use(id).set_overlay(overlay);
}

bool GlDisplay::poll_events() {
  glfwPollEvents();
  bool open = true;
  for (auto& [id, shown] : tiles_) {
    shown.window->toggle_full_screen_if_asked();
    open = open && !shown.window->closed();
  }
  return open;
}

GlDisplay::~GlDisplay() {
  for (auto& [id, shown] : tiles_) {
    shown.window->make_current();
    shown.tile.reset();
  }
  tiles_.clear();
  glfwTerminate();
}

}  // namespace

Result<std::unique_ptr<Display>> Display::open_windows(const Wall& wall, const WallNode& node, const Options& options) {
  auto display = std::make_unique<GlDisplay>(options);
  if (const auto opened = display->open(wall, node); !opened) return opened.error();
  return std::unique_ptr<Display>(std::move(display));
}

}  // namespace lw
