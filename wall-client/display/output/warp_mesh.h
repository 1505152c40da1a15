// Which place of the tile each place of a panel shows: a mesh, read from a PFM file. MPCDI's geometry warps have the
// same vertices, but rows and y from the bottom (probe/mpcdi converts them).
//
// The file: "PF", columns and rows, a scale whose sign tells the byte order (negative: little endian), each followed by
// one white space; then three 32-bit floats for each vertex, row by row from the panel's top, from its left. The first
// two are x and y of the place on the tile that the vertex shows: 0, 0 is the tile's top left corner and 1, 1 its
// bottom right corner, so y grows downwards. The third is not used. A vertex whose x or y is NaN, infinite or beyond
// +-1000 shows nothing. Vertices lie at the centres of the pixels that the file would have if it covered the panel:
// vertex i of n at (i + 0.5) / n of the panel's width. A file of the panel's size has a vertex for each pixel, so the
// mesh that changes nothing has x = (i + 0.5) / n. Places between the vertices are interpolated bilinearly, and those
// beyond the outer ones continue the outer cells.
#pragma once

#include "common/base/result.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace lw {

struct WarpMesh {
  struct Place {
    float x = 0, y = 0;
    [[nodiscard]] bool shown() const { return x != nothing; }
  };

  static constexpr unsigned side_max = 16384;
  static constexpr std::size_t vertices_max = std::size_t{1} << 24U;
  static constexpr float farthest = 1000;
  static constexpr float nothing = -1e9F;  // x and y of a vertex that shows nothing

  unsigned columns = 0, rows = 0;  // at least 2
  std::vector<Place> places;       // by row

  [[nodiscard]] const Place& at(unsigned column, unsigned row) const {
    return places[std::size_t{row} * columns + column];
  }
};

// `bytes`: of a PFM file. (Fuzzed.)
Result<WarpMesh> parse_warp_mesh(std::string_view bytes);

}  // namespace lw
