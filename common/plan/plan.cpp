#include "common/plan/plan.h"

#include <utility>

namespace lw {
namespace {

constexpr unsigned open_files_of_thread = 2;  // what wakes it

Plan finish(const Wall& wall, const WallServer& server, Result<Requirements> needs, const HostFacts& host,
            std::vector<Finding> findings) {
  Plan plan;
  plan.wall = wall.name;
  if (wall.servers.size() > 1) plan.server = server.name;
  plan.tiles = wall.tiles;
  plan.host = host;
  plan.findings = std::move(findings);
  if (needs) {
    plan.needs = std::move(*needs);
    plan.placement = place_flows(wall, server, host.topology, host.nics);
    plan.needs.sender_threads = threads_of(plan.placement);
    plan.needs.open_files += open_files_of_thread * plan.needs.sender_threads;
    for (auto& finding : judge(wall, plan.needs, plan.placement, host)) plan.findings.push_back(std::move(finding));
  } else {
    plan.findings.push_back({Verdict::impossible, "packets", needs.error().what, "", needs.error().mend});
  }
  plan.verdict = worst(plan.findings);
  return plan;
}

}  // namespace

Plan make_plan(const Wall& wall, const WallServer& server, const Manifest& manifest, const HostFacts& host,
               const std::vector<std::filesystem::path>& stripe_directories) {
  std::vector<Finding> findings;
  if (const auto fit = fits(manifest, wall); !fit)
    findings.push_back(
        {Verdict::impossible, "geometry of " + manifest.name, "the wall's", fit.error().what, fit.error().mend});
  else if (const auto held = fits(manifest, wall, server); !held)
    findings.push_back(
        {Verdict::impossible, "tiles of " + manifest.name, "the server's", held.error().what, held.error().mend});
  return finish(wall, server, requirements_of(wall, server, manifest, stripe_directories), host, std::move(findings));
}

Plan make_plan(const Wall& wall, const WallServer& server, const HostFacts& host,
               const std::vector<std::filesystem::path>& stripe_directories) {
  return finish(wall, server, requirements_of(wall, server, stripe_directories), host, {});
}

std::vector<std::filesystem::path> stripe_directories_of(const Manifest& manifest,
                                                         const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> directories;
  for (const auto& stripe : manifest.stripes)
    directories.push_back(std::filesystem::absolute(folder / stripe).lexically_normal());
  return directories;
}

}  // namespace lw
