// When a window's frames appeared on the screen, according to the window system: GLX_OML_sync_control counts a window's
// swaps (SBC) and gives the time of each (UST). Never waits for a swap. The presenter's thread.
#pragma once

#include "common/base/result.h"
#include "wall-client/display/display.h"

#include <array>
#include <cstdint>
#include <optional>

namespace lw {

class SwapFeedback {
public:
  // For the window whose OpenGL context is current, before it is first shown. The error says why there is no feedback.
  static Result<SwapFeedback> of_current_window();

  // Call after each swap of the window; `new_frame`: by Display::swap().
  void swapped(bool new_frame);
  // The newest swap with a new frame that reached the screen; each is returned once.
  std::optional<ScreenTime> newest();

private:
  struct Awaited {
    std::int64_t count = 0;   // number of the window's swap
    std::uint64_t frame = 0;  // number of the swap with a new frame
  };

  SwapFeedback(void* display, unsigned long drawable, std::int64_t count)
      : display_(display), drawable_(drawable), made_(count), told_(count) {}

  void* display_;  // of Xlib, whose header must not be included here: it defines common words as macros
  unsigned long drawable_;
  std::int64_t made_;  // swaps of the window
  std::int64_t told_;  // of those, the newest that was reported
  std::uint64_t frames_ = 0;
  std::array<Awaited, 8> awaited_{};  // the newest; drivers keep no more in flight
};

}  // namespace lw
