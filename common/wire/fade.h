// A cross-fade through black, which every node computes: how bright a frame is drawn, by its media time. It is
// announced once as a line, so that all tiles darken together and a node that hears of it late, or never, ends up
// bright. Values only.
#pragma once

#include "common/base/units.h"

#include <algorithm>
#include <array>

namespace lw {

struct Fade {
  WallTime start{};   // media time from which the wall darkens,
  WallTime black{};   // from which it is black,
  WallTime bright{};  // from which it brightens,
  WallTime end{};     // and from which it is as it came

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

// The newest two: one may begin before the wall is bright again after the other.
struct Fades {
  std::array<Fade, 2> newest{};

  // In front of the older ones.
  void add(const Fade& fade) { newest = {fade, newest[0]}; }
  [[nodiscard]] double brightness_at(WallTime media_time) const {
    return std::min(newest[0].brightness_at(media_time), newest[1].brightness_at(media_time));
  }
  bool operator==(const Fades&) const = default;
};

}  // namespace lw
