// wall-server --plan and the plan method: what a visualization needs on this wall, compared to what its hosts have.
#pragma once

#include "common/base/result.h"
#include "common/wall/wall_file.h"
#include "server/play/library.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace lw {

struct PlanRequest {
  std::string server;              // empty: every server of the wall
  std::string visualization;       // empty: all
  std::vector<std::string> hosts;  // "SERVER=FILE" or "FILE": the facts of that server's host, or of all others'
  bool json = false;
};

// A plan for each server and visualization, or, if there is none, for the wall file's own format and rate. A server
// without facts is planned on this host; of several servers only those are that have an address here.
Result<void> print_plan(const Wall& wall, const Library& library, const PlanRequest& request);
nlohmann::json plan_as_json(const Wall& wall, const WallServer& server, const LibraryEntry& entry);

}  // namespace lw
