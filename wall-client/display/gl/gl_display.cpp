// Tiles in GLFW windows, drawn with OpenGL 4.5. Connects windows (gl_window), tiles (gl_tile) and their shared objects.
#include "wall-client/display/cards/tile_facts.h"
#include "wall-client/display/display.h"
#include "wall-client/display/gl/gl_program.h"
#include "wall-client/display/gl/gl_tile.h"
#include "wall-client/display/gl/gl_window.h"
#include "wall-client/display/gl/glx_window.h"
#include "wall-client/display/gl/swap_feedback.h"
#include "wall-client/display/gl/swap_group.h"
#include "wall-client/display/gl/upload_choice.h"

#include <epoxy/gl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace lw {
namespace {

class GlDisplay final : public Display {
public:
  explicit GlDisplay(const Options& options) : options_(options) {}
  ~GlDisplay() override;
  GlDisplay(const GlDisplay&) = delete;
  GlDisplay& operator=(const GlDisplay&) = delete;

  Result<void> open(const Wall& wall, const WallNode& node);

  Pages band_memory(TileIndex id, std::size_t bytes, int cpu) override;
  void upload(TileIndex id, const AssembledFrame& frame) override { use(id).upload(frame); }
  // Fences belong to all contexts, of which one is current.
  std::size_t unread(TileIndex id) override { return tiles_.at(id).tile->unread(); }
  WallTime swap(TileIndex id) override {
    use(id).flip();
    return show(id, true);
  }
  WallTime redraw(TileIndex id) override { return show(id, false); }
  [[nodiscard]] bool one_window() const override { return over_all_ != nullptr; }
  WallTime present() override;
  std::optional<ScreenTime> newest_on_screen(TileIndex id) override;
  void set_brightness(TileIndex id, double brightness) override { tiles_.at(id).tile->set_brightness(brightness); }
  void set_overlay(TileIndex id, const TileOverlay& overlay) override;
  bool poll_events() override;
  Picture read_back(TileIndex id) override { return use(id).read_back(); }
  Picture read_output(TileIndex id) override { return use(id).read_output(); }
  void begin_preview(TileIndex id) override { use(id).begin_preview(); }
  bool take_preview(TileIndex id, SmallPicture& into) override { return use(id).take_preview(into); }
  [[nodiscard]] SwapGroup swap_group() const override { return swap_group_; }
  [[nodiscard]] std::string renderer() const override { return renderer_; }
  [[nodiscard]] std::string ways() const override {
    return text_of(uploads_) + (one_window() ? ", one window shows all tiles" : "");
  }

private:
  struct Shown {
    std::unique_ptr<GlWindow> own_window;  // unless one shows all tiles
    GlWindow* window = nullptr;
    std::unique_ptr<GlTile> tile;
    int width = 0;
    int height = 0;
    std::optional<SwapFeedback> feedback;
    ScreenPlace part{};      // of the window that shows all tiles
    bool new_frame = false;  // since its last swap
  };
  // If there is to be one, and it can be.
  Result<void> open_over_all(const WallNode& node, const std::vector<ScreenPlace>& places);
  Result<void> open_tile(const Wall& wall, const WallNode& node, const TilePlacement& placement,
                         const ScreenPlace& place, OutputStage stage);
  // `tiles`: those of the node.
  Result<void> open_first(const Wall& wall, const std::vector<TilePlacement>& tiles);
  // Adds all windows to the group, or none.
  void join(const SyncSettings& sync);
  // For the current window, if available; logged once if not.
  std::optional<SwapFeedback> feedback();
  // The tile, with its window's context current.
  GlTile& use(TileIndex id);
  WallTime show(TileIndex id, bool new_frame);
  WallTime swap_window(const GlWindow& window);

  Options options_;
  Uploads uploads_;
  std::unique_ptr<GlWindow> over_all_;
  std::map<TileIndex, Shown> tiles_;
  GlPrograms programs_;
  std::string renderer_;
  SwapGroup swap_group_;
};

Result<void> GlDisplay::open(const Wall& wall, const WallNode& node) {
  auto stages = load_stages(wall, node);
  if (!stages) return stages.error();
  if (glfwInit() != GLFW_TRUE)
    return Error{"no display to open windows on: " + glfw_problem(),
                 "set DISPLAY, start one with xvfb-run, or use --headless"};
  std::vector<ScreenPlace> places;
  for (const auto& placement : node.tiles) {
    const auto place = screen_place(wall, placement);
    if (!place) return place.error();
    places.push_back(*place);
  }
  if (auto opened = open_over_all(node, places); !opened) return opened;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (auto opened = open_tile(wall, node, node.tiles[i], places[i], std::move(stages->at(node.tiles[i].tile)));
        !opened)
      return opened;
  if (over_all_ != nullptr) present();
  if (wall.sync.swap_group > 0) join(wall.sync);
  return {};
}

// Other window systems do not let a program place its windows.
Result<void> GlDisplay::open_over_all(const WallNode& node, const std::vector<ScreenPlace>& places) {
  if (options_.windows == Windows::each || places.size() < 2 || !on_x11()) return {};
  const auto over = place_over(places, options_.windows == Windows::automatic);
  if (!over) return {};
  auto window = GlWindow::open_over(*over, "Lambdawall " + node.name);
  if (!window) return window.error();
  over_all_ = std::move(*window);
  if (over_all_ == nullptr)
    spdlog::warn("the window manager does not let one window cover all tiles: each has its own, and may tear");
  return {};
}

Result<void> GlDisplay::open_tile(const Wall& wall, const WallNode& node, const TilePlacement& placement,
                                  const ScreenPlace& place, OutputStage stage) {
  Shown shown;
  if (over_all_ == nullptr) {
    auto window = GlWindow::open(place, placement.on_part ? place : windowed_place(wall, placement),
                                 fmt::format("Lambdawall {} {}", wall.tile(placement.tile).number(), node.name),
                                 tiles_.empty() ? nullptr : tiles_.begin()->second.window);
    if (!window) return window.error();
    shown.own_window = std::move(*window);
  }
  shown.window = over_all_ != nullptr ? over_all_.get() : shown.own_window.get();
  shown.window->make_current();
  if (tiles_.empty())
    if (auto first = open_first(wall, node.tiles); !first) return first;
  // Only one window may wait for the retrace: two waiting windows would halve the frame rate.
  shown.window->swap_interval(options_.vsync && &placement == &node.tiles.back() ? 1 : 0);
  shown.tile = std::make_unique<GlTile>(facts_of(wall, node, placement), programs_, uploads_, std::move(stage),
                                        shown.window->depth());
  const auto panel = wall.tile(placement.tile).panel();
  shown.width = panel.width;
  shown.height = panel.height;
  shown.feedback = feedback();
  shown.part = {place.x - shown.window->x(), place.y - shown.window->y(), place.width, place.height};
  tiles_[placement.tile] = std::move(shown);
  redraw(placement.tile);
  return {};
}

void GlDisplay::join(const SyncSettings& sync) {
  for (auto joining = tiles_.begin(); joining != tiles_.end(); ++joining) {
    joining->second.window->make_current();
    swap_group_ = join_swap_group(sync);
    if (swap_group_.joined && over_all_ != nullptr) return;
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
  auto programs = make_programs(wall.colour.primaries);
  if (!programs) return programs.error();
  programs_ = *programs;
  glFinish();  // before other contexts use them
  const auto& first = wall.tile(tiles.front().tile).place;
  uploads_ = options_.upload == UploadPath::automatic
                 ? cheapest_uploads({first.width, first.height, wall.streaming.pixel_format,
                                     packet_cut(wall, tiles.front().tile).slot_bytes(), programs_.slots})
                 : uploads_by(options_.upload);
  return {};
}

Pages GlDisplay::band_memory(TileIndex id, std::size_t bytes, int cpu) {
  if (!uploads_.in_place) return {};
  if (const auto* pages = use(id).add_memory(bytes, cpu)) return pages->view();
  spdlog::warn("the OpenGL driver does not read {} MiB of band buffers where they are: frames are copied",
               bytes >> 20U);
  return {};
}

GlTile& GlDisplay::use(TileIndex id) {
  Shown& shown = tiles_.at(id);
  shown.window->make_current();
  return *shown.tile;
}

WallTime GlDisplay::show(TileIndex id, bool new_frame) {
  Shown& shown = tiles_.at(id);
  shown.new_frame = shown.new_frame || new_frame;
  if (over_all_ != nullptr) return {};
  shown.window->make_current();
  shown.window->draw(shown.tile->compose_for_panel(WallClock::now()), shown.width, shown.height);
  return swap_window(*shown.window);
}

WallTime GlDisplay::present() {
  over_all_->make_current();
  const auto now = WallClock::now();
  over_all_->clear();
  for (auto& [id, shown] : tiles_)
    over_all_->draw(shown.tile->compose_for_panel(now), shown.width, shown.height, shown.part);
  return swap_window(*over_all_);
}

WallTime GlDisplay::swap_window(const GlWindow& window) {
  window.swap();
  const auto time = WallClock::now();
  for (auto& [id, shown] : tiles_)
    if (shown.window == &window && shown.feedback) shown.feedback->swapped(std::exchange(shown.new_frame, false));
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
  over_all_.reset();
  glfwTerminate();
}

}  // namespace

Result<std::unique_ptr<Display>> Display::open_windows(const Wall& wall, const WallNode& node, const Options& options) {
  auto display = std::make_unique<GlDisplay>(options);
  if (const auto opened = display->open(wall, node); !opened) return opened.error();
  return std::unique_ptr<Display>(std::move(display));
}

}  // namespace lw
