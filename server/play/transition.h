// How one visualization follows another on the wall.
#pragma once

#include "common/base/units.h"

namespace lw {

struct Transition {
  // Through black: darkens in the first half of this time, brightens in the second. 0: a cut.
  Nanoseconds fade{0};
  bool operator==(const Transition&) const = default;
};

}  // namespace lw
