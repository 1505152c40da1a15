// Which pixel format makes possible what a plan finds impossible: of those for which nothing is limited, or else of
// those for which nothing is impossible, the one with the most bits. If there is none, the highest frame rate that is
// possible with the smallest format. Pure.
#pragma once

#include "common/messages/plan_reply.h"
#include "common/plan/recommendation.h"
#include "common/store/manifest.h"
#include "common/wall/wall_file.h"

#include <functional>
#include <optional>

namespace lw {

// The verdict of the plan for another wall file and store.
using VerdictOf = std::function<Verdict(const Wall&, const Manifest&)>;

// Empty if no format and no rate help. `manifest`: of what plays, or without_content(). It costs some ten plans.
std::optional<Recommendation> format_advice(const Wall& wall, const Manifest& manifest, const VerdictOf& verdict_of);

}  // namespace lw
