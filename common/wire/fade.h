// A fade through black that every node computes: how bright a frame is drawn, by its media time. It is announced once
// as a whole, so that all tiles darken together, and a node that hears of it late or never ends up bright. Values
// only.
#pragma once

#include "common/base/units.h"

#include <algorithm>
#include <array>

namespace lw {

struct Fade {
  WallTime start{};   // media time at which the wall begins to darken
  WallTime black{};   // media time at which it is black
  WallTime bright{};  // media time at which it begins to brighten
  WallTime end{};     // media time at which it is fully bright again

  // 0 (black) to 1; code values are multiplied by it.
  [[nodiscard]] double brightness_at(WallTime media_time) const {
    if (media_time < start || media_time >= end) return 1;
    if (media_time < black) return share(black - media_time, black - start);
    return media_time <= bright ? 0 : share(media_time - bright, end - bright);
  }
  bool operator==(const Fade&) const = default;

private:
  static double share(Nanoseconds part, Nanoseconds whole) {
    return static_cast<double>(part.count()) / static_cast<double>(whole.count());
  }
};

// The newest two: one may begin before the other has ended.
struct Fades {
  std::array<Fade, 2> newest{};

  // The newest is first.
  void add(const Fade& fade) { newest = {fade, newest[0]}; }
  [[nodiscard]] double brightness_at(WallTime media_time) const {
    return std::min(newest[0].brightness_at(media_time), newest[1].brightness_at(media_time));
  }
  bool operator==(const Fades&) const = default;
};

}  // namespace lw
