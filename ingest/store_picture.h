// A store's frame as one image, as a source of that size would have been: its tiles at their places on the wall that
// it was made for. Pixels between its tiles are not in the store: they repeat the nearest one in their row, or, in rows
// without any tile, those of the nearest row.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "common/pixel/colour.h"
#include "common/pixel/pixel_format.h"
#include "common/wall/geometry.h"
#include "ingest/av.h"
#include "ingest/fit_size.h"

namespace lw {

class StorePicture {
public:
  // `as_blocks`, for a format with blocks that keeps_blocks() allows: the image consists of them, one row of them in
  // each line of 8-bit grey. Otherwise they are decoded.
  StorePicture(const Grid& grid, PixelFormat format, const Colour& colour, bool as_blocks);

  // Whether the store's tiles consist of the pixels that the format shares out. Only programs other than wall-ingest
  // write other stores.
  static Result<void> can_draw(const Grid& grid, PixelFormat format);
  // Whether the wall's tiles consist of the store's blocks, so that they need no decoding.
  static bool keeps_blocks(const Grid& grid, PixelFormat format, const Wall& wall);

  // Sets format, size and colours of a frame without memory.
  void describe(AVFrame& picture) const;
  // Different threads may draw different tiles. False if the tile's bytes are none of the format's.
  bool draw(TileIndex tile, std::span<const std::byte> pixels, AVFrame& picture) const;
  // When all tiles are drawn: what lies between them.
  void fill_gaps(AVFrame& picture) const;

private:
  // The smallest parts of a plane that can be moved.
  struct Units {
    int plane = 0;
    unsigned bytes = 0;
    unsigned pixels = 0;  // in a row
    unsigned rows = 0;
  };

  // Pixels that no tile covers, in rows that also have pixels of tiles.
  struct Gap {
    unsigned first_row = 0, end_row = 0;
    unsigned first = 0, end = 0;  // columns
  };
  struct Rows {  // without a tile
    unsigned first = 0, end = 0;
  };

  void find_gaps();
  void find_gaps_between(unsigned first_row, unsigned end_row);
  void fill_gap(const Gap& gap, const Units& units, AVFrame& picture) const;
  void fill_rows(const Rows& rows, const Units& units, AVFrame& picture) const;
  void repeat(const Units& units, std::byte* line, unsigned from, unsigned first, unsigned end) const;

  Grid grid_;
  PixelFormat format_;
  Colour colour_;
  bool as_blocks_;
  Size size_;
  std::vector<Units> units_;
  std::vector<Gap> gaps_;
  std::vector<Rows> empty_rows_;
};

// A tile of the wall from an image of blocks.
void cut_blocks(const AVFrame& picture, PixelFormat format, const Rect& tile, std::span<std::byte> out);

// The share of the wall's pixels that lie between the tiles of the store's wall, as behind bezels. `even`: as for
// fitted_size.
double hidden_share(const Grid& store, const Wall& wall, Fit fit, bool even);

}  // namespace lw
