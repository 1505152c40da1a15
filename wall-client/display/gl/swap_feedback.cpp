#include "wall-client/display/gl/swap_feedback.h"

#include "common/clock/wall_clock.h"
#include "wall-client/display/gl/glx_window.h"

#include <epoxy/glx.h>

#include <algorithm>
#include <chrono>

namespace lw {
namespace {

// The extension does not name the clock of UST; with Mesa it is CLOCK_MONOTONIC in microseconds. Retraces and swaps
// that are asked for are never older than this.
constexpr std::chrono::seconds age_max{1};

std::optional<LocalTime> local_time(std::int64_t ust) {
  const LocalTime time{std::chrono::microseconds{ust}};
  if (std::chrono::abs(LocalClock::now() - time) > age_max) return std::nullopt;
  return time;
}

struct SyncValues {
  std::int64_t ust = 0;  // time
  std::int64_t msc = 0;  // retraces so far
  std::int64_t sbc = 0;  // swaps so far
};

}  // namespace

Result<SwapFeedback> SwapFeedback::of_current_window() {
  const auto window = current_glx_window();
  if (!window) return Error{"windows are not GLX's", "use X11 to have it measured"};
  if (!window->has_extension("GLX_OML_sync_control"))
    return Error{"the driver has no GLX_OML_sync_control", "Mesa's drivers with DRI3 have it"};
  // GLFW already swapped when it created the window: waits for that (0), so that all swaps are counted.
  SyncValues swaps;
  SyncValues now;
  if (glXWaitForSbcOML(window->display, window->drawable, 0, &swaps.ust, &swaps.msc, &swaps.sbc) == 0 ||
      glXGetSyncValuesOML(window->display, window->drawable, &now.ust, &now.msc, &now.sbc) == 0)
    return Error{"the driver has GLX_OML_sync_control, but does not answer", "update the graphics driver"};
  if (!local_time(now.ust))
    return Error{"the driver's times (UST) are not of the system's monotonic clock", "update the graphics driver"};
  return SwapFeedback(window->display, window->drawable, swaps.sbc);
}

void SwapFeedback::swapped(bool new_frame) {
  ++made_;
  if (!new_frame) return;
  ++frames_;
  awaited_[frames_ % awaited_.size()] = {made_, frames_};
}

std::optional<ScreenTime> SwapFeedback::newest() {
  if (awaited_[frames_ % awaited_.size()].count <= told_) return std::nullopt;
  auto* display = static_cast<::Display*>(display_);
  SyncValues now;
  if (glXGetSyncValuesOML(display, drawable_, &now.ust, &now.msc, &now.sbc) == 0 || now.sbc <= told_)
    return std::nullopt;
  // That many swaps are on the screen, so this does not wait: it gets the time of the newest of them.
  if (glXWaitForSbcOML(display, drawable_, now.sbc, &now.ust, &now.msc, &now.sbc) == 0) return std::nullopt;
  told_ = now.sbc;
  const auto swap = std::ranges::find(awaited_, now.sbc, &Awaited::count);
  if (swap == awaited_.end()) return std::nullopt;
  const auto time = local_time(now.ust);
  const auto wall = time ? to_wall(*time) : std::nullopt;
  if (!wall) return std::nullopt;
  return ScreenTime{swap->frame, *wall};
}

}  // namespace lw
