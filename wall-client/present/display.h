// Where tiles are shown: GLFW windows with OpenGL, or nowhere (headless). Used by one thread, the main thread for GLFW.
#pragma once

#include "common/base/result.h"
#include "common/wall/wall_file.h"
#include "wall-client/assemble/assembled_frame.h"
#include "wall-client/present/overlay.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lw {

// What a tile shows, read back for a dump: RGB, rows from top to bottom. 16 bits per channel (host order) for 10-bit content.
struct Picture {
  unsigned width = 0;
  unsigned height = 0;
  bool sixteen_bits = false;
  std::vector<std::byte> pixels;
};

class Display {
public:
  struct Options {
    bool vsync = false;  // wait for the vertical retrace of the last window swapped
  };

  // Opens a window for each of the node's tiles. Error when there is no display or no OpenGL 4.5.
  static Result<std::unique_ptr<Display>> open_windows(const Wall& wall, const WallNode& node, const Options& options);
  static Result<std::unique_ptr<Display>> open_headless(const Wall& wall, const WallNode& node);
  virtual ~Display() = default;

  // Makes the frame the tile's next picture. Only rows that came replace the picture before: what is missing keeps the
  // previous frame's lines, which is the concealment. The frame's buffers are free again when this returns.
  virtual void upload(TileId tile, const AssembledFrame& frame) = 0;
  // Draws the tile's picture (or its pattern, or why there is no picture) and shows it; the time after the swap.
  virtual WallTime swap(TileId tile) = 0;
  virtual void set_overlay(const TileOverlay& overlay) = 0;
  // False when the user closed a window or pressed Escape.
  virtual bool poll_events() = 0;
  // What swap() showed last.
  virtual Picture read_back(TileId tile) = 0;
  // Of the OpenGL context; empty when headless.
  [[nodiscard]] virtual std::string renderer() const = 0;
};

}  // namespace lw
