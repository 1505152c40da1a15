// wall-server --plan and the plan method: what a visualization needs on this wall, compared to what this host has.
#pragma once

#include "common/base/result.h"
#include "common/wall/wall_file.h"
#include "server/play/library.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace lw {

// For one visualization (`name`; empty: all), or, if there is none, for the wall file's own format and rate.
Result<void> print_plan(const Wall& wall, const WallServer& server, const Library& library, const std::string& name,
                        bool json);
nlohmann::json plan_as_json(const Wall& wall, const WallServer& server, const LibraryEntry& entry);

}  // namespace lw
