#include "wall-client/display/gl/swap_group.h"

#include "wall-client/display/gl/glx_window.h"

#include <epoxy/glx.h>
#include <fmt/format.h>

namespace lw {
namespace {

SwapGroup not_joined(const std::string& why) { return {false, "not joined: " + why}; }

}  // namespace

SwapGroup join_swap_group(const SyncSettings& sync) {
  const auto window = current_glx_window();
  if (!window) return not_joined("windows are not GLX's; use X11");
  if (!window->has_extension("GLX_NV_swap_group"))
    return not_joined("the driver has no GLX_NV_swap_group; it takes a graphics card and driver for frame lock");
  GLuint groups = 0;
  GLuint barriers = 0;
  if (glXQueryMaxSwapGroupsNV(window->display, window->screen(), &groups, &barriers) == 0 || groups < sync.swap_group ||
      barriers < sync.swap_barrier)
    return not_joined(fmt::format("the driver has {} groups and {} barriers; use numbers from 1", groups, barriers));
  if (glXJoinSwapGroupNV(window->display, window->drawable, sync.swap_group) == 0)
    return not_joined(
        fmt::format("the driver refuses group {}; switch frame lock on in its settings", sync.swap_group));
  if (sync.swap_barrier == 0) return {true, fmt::format("joined group {}", sync.swap_group)};
  if (glXBindSwapBarrierNV(window->display, sync.swap_group, sync.swap_barrier) == 0) {
    leave_swap_group();
    return not_joined(fmt::format("the driver refuses barrier {}; is the sync board connected?", sync.swap_barrier));
  }
  return {true, fmt::format("joined group {}, barrier {}", sync.swap_group, sync.swap_barrier)};
}

void leave_swap_group() {
  if (const auto window = current_glx_window()) glXJoinSwapGroupNV(window->display, window->drawable, 0);
}

}  // namespace lw
