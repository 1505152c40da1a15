// Hardware frame lock ([sync] swap_group): the windows of a group swap at the same retrace, by GLX_NV_swap_group.
// Groups bound to one barrier swap together, even on several hosts whose graphics cards are connected by a sync board.
// The presenter's thread.
#pragma once

#include "common/wall/wall_file.h"
#include "wall-client/display/display.h"

namespace lw {

// Adds the window whose OpenGL context is current to the group. The result has a text for the operator.
SwapGroup join_swap_group(const SyncSettings& sync);
// Removes the same window, if it has joined a group.
void leave_swap_group();

}  // namespace lw
