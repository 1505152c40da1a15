// How many rounds of a law a test plays. Under sanitizers a quarter: they find in each round the same, and take several
// times as long for it; the release build, where all rounds are played, seeks the law's exceptions.
#pragma once

#include "common/base/sanitized.h"

namespace lw {

constexpr unsigned law_rounds(unsigned in_release) { return sanitized ? (in_release + 3) / 4 : in_release; }

}  // namespace lw
