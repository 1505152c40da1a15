// Frame lock by hardware ([sync] swap_group): windows of one group swap at the same retrace, by GLX_NV_swap_group;
// groups bound to one barrier, as of several hosts whose cards a sync board joins, do so together. The presenter's
// thread.
#pragma once

#include "common/wall/wall_file.h"
#include "wall-client/display/display.h"

namespace lw {

// Puts the window whose OpenGL context is current into the group. What came of it is for the operator.
SwapGroup join_swap_group(const SyncSettings& sync);
// The same window, if it has joined one.
void leave_swap_group();

}  // namespace lw
