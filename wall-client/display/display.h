// The display of a node's tiles: GLFW windows with OpenGL, or headless. Used by one thread; with GLFW, the main thread.
//
// For each frame: upload() as soon as it is complete, swap() at its presentation time. An uploaded frame stays
// invisible until the tile's next swap(); redraw() draws the tile's current image again (a moving pattern, a new
// label).
#pragma once

#include "common/base/result.h"
#include "common/memory/pages.h"
#include "common/messages/tile_overlay.h"
#include "common/wall/wall_file.h"
#include "wall-client/assemble/assembled_frame.h"
#include "wall-client/display/capture/picture.h"
#include "wall-client/display/capture/preview.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace lw {

// When a frame appeared on the screen.
struct ScreenTime {
  std::uint64_t swap = 0;  // number of the tile's swap(), from 1
  WallTime time{};
};

// The result of [sync] swap_group.
struct SwapGroup {
  bool joined = false;
  std::string text;  // for the operator; empty if the wall file names no group
};

// How rows get into a texture. Which path takes the presenter less time depends on the driver.
enum class UploadPath : std::uint8_t {
  automatic,  // measures all when the display opens
  mapped,     // through a persistently mapped buffer: one copy by us, one by the GPU at its own time
  client,     // straight from the receive buffer: one copy by the driver, which the presenter waits for
  pinned,     // the receive buffers are our own pages, which the GPU reads at its own time
  driver,     // the receive buffers are memory of the driver, which the GPU reads at its own time
};

// Whether the tiles of a node share a window, so that all of them change with one swap.
enum class Windows : std::uint8_t {
  automatic,  // one, if the tiles' monitors together are a rectangle that one window of X11 can cover
  one,        // also for tiles without a monitor, if X11 lets a window cover them
  each,
};

class Display {
public:
  struct Options {
    bool vsync = false;  // wait for the vertical retrace of the node's last tile
    UploadPath upload = UploadPath::automatic;
    Windows windows = Windows::automatic;
  };

  // Opens a window for each of the node's tiles, or one for all. Fails without a display or without OpenGL 4.5.
  static Result<std::unique_ptr<Display>> open_windows(const Wall& wall, const WallNode& node, const Options& options);
  static Result<std::unique_ptr<Display>> open_headless(const Wall& wall, const WallNode& node);
  virtual ~Display() = default;

  // Memory for the band buffers of one of the tile's flows, from which the GPU reads, of at least `bytes`; valid as
  // long as this object. None: the flow allocates its own. `cpu`: of the flow, < 0: any. Before the first upload().
  virtual Pages band_memory(TileIndex /*tile*/, std::size_t /*bytes*/, int /*cpu*/) { return {}; }

  // Makes the frame the tile's next image. Only received rows replace the previous image: missing rows keep the
  // previous frame's content, which is the concealment (black before the first frame of a format). The frame must fit
  // the tile. Its buffers must not be written as long as unread() counts this upload.
  virtual void upload(TileIndex tile, const AssembledFrame& frame) = 0;
  // How many of the tile's newest uploads the GPU may still be reading from their buffers. Does not wait.
  virtual std::size_t unread(TileIndex /*tile*/) { return 0; }
  // Shows the uploaded image (or the tile's pattern, or why it has no frame); returns the time after the swap.
  virtual WallTime swap(TileIndex tile) = 0;
  // Draws the same image again, even if another was uploaded since; returns the time after the swap.
  virtual WallTime redraw(TileIndex tile) = 0;
  // Whether one window shows all tiles. Then swap() and redraw() choose what a tile shows from the next present() on,
  // and their time means nothing.
  [[nodiscard]] virtual bool one_window() const { return false; }
  // Draws all tiles; returns the time after the window's swap. Only with one window.
  virtual WallTime present() { return {}; }
  // The newest swap() of the tile that reached the screen since the last call, if the window system reports it; does
  // not wait for one.
  virtual std::optional<ScreenTime> newest_on_screen(TileIndex tile) = 0;
  // How bright the next swap() or redraw() draws the stream's frame: 0 to 1, a factor for its code values. Patterns,
  // labels and marks keep their brightness.
  virtual void set_brightness(TileIndex tile, double brightness) = 0;
  // Takes effect with the next swap() or redraw(). Tiles of other nodes are ignored.
  virtual void set_overlay(TileIndex tile, const TileOverlay& overlay) = 0;
  // False if the user closed a window or pressed Escape or Ctrl+Q. F toggles full screen.
  virtual bool poll_events() = 0;
  // Whether there are any: poll_events() must then be called now and then.
  [[nodiscard]] virtual bool has_events() const { return true; }
  // What the last swap() or redraw() of the tile showed; call before the next upload().
  virtual Picture read_back(TileIndex tile) = 0;
  // What the tile's panel got of it: the same, turned, warped, corrected (display/output/output_stage.h).
  virtual Picture read_output(TileIndex tile) { return read_back(tile); }
  // A preview of the same image. With OpenGL the GPU makes it in the background: take_preview() returns false until it
  // is ready, some turns of the presenter later. Nothing blocks.
  virtual void begin_preview(TileIndex tile) = 0;
  virtual bool take_preview(TileIndex tile, SmallPicture& into) = 0;
  // In a joined group, windows swap together: a window that has swapped more often than another waits for it.
  [[nodiscard]] virtual SwapGroup swap_group() const = 0;
  // Of the OpenGL context; empty when headless.
  [[nodiscard]] virtual std::string renderer() const = 0;
  // How frames are uploaded and windows arranged, for the log; empty when headless.
  [[nodiscard]] virtual std::string ways() const { return {}; }
};

}  // namespace lw
