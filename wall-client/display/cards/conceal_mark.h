// On request, marks concealed rows (which show the previous frame) with a bar at each edge of the tile: orange within
// black, visible on any content.
#pragma once

#include "wall-client/assemble/assembled_frame.h"
#include "wall-client/display/cards/card.h"

#include <cstddef>
#include <vector>

namespace lw {

struct MarkBar {
  unsigned x = 0, y = 0, width = 0, height = 0;  // pixels of the tile, from the top left
  Rgba color;
};

// The most marks of a tile with this height, when every other row is missing; room for them is reserved before playing.
constexpr std::size_t conceal_marks_max(unsigned height) { return std::size_t{4} * ((height + 1) / 2); }
// The marks of a frame being uploaded; none if it is complete. Allocates nothing if `into` has enough capacity.
void conceal_marks(const AssembledFrame& frame, unsigned width, unsigned height, std::vector<MarkBar>& into);

}  // namespace lw
