// Whether packets that are ready on disk (wall-ingest --packets) would spare the sending cores. Datagrams that the
// server puts together one by one, by a copy or a piece of memory each, cost it more per byte than large ones; packets
// of a store leave as they lie in memory. That matters once a core is close to the rate that the plan gives it. Pure.
#pragma once

#include "common/plan/recommendation.h"
#include "common/plan/verdict.h"
#include "common/store/manifest.h"

#include <optional>

namespace lw {

struct PacketsAdvice {
  Recommendation recommendation;
  Wall wall;          // changed as recommended
  Manifest manifest;  // of the store as recommended
};

// Empty if the packets would not help, or are already as recommended. They are more, and take more space: whether the
// host can still play the wall with them is for the caller to check. `manifest`: of what plays, or without_content().
std::optional<PacketsAdvice> packets_advice(const Wall& wall, const Manifest& manifest, const Requirements& needs,
                                            const CoreLoad& busiest);

}  // namespace lw
