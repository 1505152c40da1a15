// How one visualization follows another on the wall.
#pragma once

#include "common/base/units.h"

namespace lw {

struct Transition {
  // Through black: darker for the first half of it, brighter for the second. 0: a cut.
  Nanoseconds fade{0};
  bool operator==(const Transition&) const = default;
};

}  // namespace lw
