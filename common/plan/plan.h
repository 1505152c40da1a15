// Compares what a visualization needs on a wall with what this host has: `wall-server --plan`, and `plan` of the
// control protocol.
#pragma once

#include "common/plan/reader_placement.h"
#include "common/plan/recommendation.h"
#include "common/plan/verdict.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lw {

struct Plan {
  std::string wall;
  std::string server;       // empty if the wall has one
  std::vector<Tile> tiles;  // of the wall
  Requirements needs;
  std::vector<FlowPlacement> placement;  // of needs.flows, in their order
  std::vector<ReaderPlace> readers;      // one for each NUMA node on which frames lie; empty: one reads them all
  std::optional<unsigned> reader_cpu;    // of the thread that plays, and reads if it is the only one; empty: any
  std::vector<Finding> findings;
  std::vector<Recommendation> recommendations;  // of what makes no finding worse, or an impossible plan possible
  HostFacts host;
  Verdict verdict = Verdict::ok;
};

// For the tiles that `server` sends, on `host`. `stripe_directories` are absolute, one for each of the manifest's
// stripes (stripe_directories_of), and known to `host`.
Plan make_plan(const Wall& wall, const WallServer& server, const Manifest& manifest, const HostFacts& host,
               const std::vector<std::filesystem::path>& stripe_directories);
// Without content: for the wall file's own pixel format and frame rate, as if striped over the directories, or on no
// disk.
Plan make_plan(const Wall& wall, const WallServer& server, const HostFacts& host,
               const std::vector<std::filesystem::path>& stripe_directories = {});

// The manifest's stripes as absolute directories; `folder` is the visualization's.
std::vector<std::filesystem::path> stripe_directories_of(const Manifest& manifest, const std::filesystem::path& folder);

// Aligned tables for a terminal, 120 columns or less unless names are long.
std::string plan_text(const Plan& plan);
nlohmann::json plan_json(const Plan& plan);

}  // namespace lw
