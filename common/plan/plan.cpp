#include "common/plan/plan.h"

#include "common/plan/format_advice.h"
#include "common/plan/packets_advice.h"

#include <utility>

namespace lw {
namespace {

constexpr unsigned open_files_of_thread = 2;  // what wakes it

// What keeps the visualization from playing on any host.
std::vector<Finding> misfits(const Wall& wall, const WallServer& server, const Manifest& manifest) {
  if (const auto fit = fits(manifest, wall); !fit)
    return {{Verdict::impossible, "geometry of " + manifest.name, "the wall's", fit.error().what, fit.error().mend}};
  if (const auto held = fits(manifest, wall, server); !held)
    return {{Verdict::impossible, "tiles of " + manifest.name, "the server's", held.error().what, held.error().mend}};
  return {};
}

// Without recommendations.
Plan plan_for(const Wall& wall, const WallServer& server, const Manifest& manifest, const HostFacts& host,
              const std::vector<std::filesystem::path>& stripe_directories, std::vector<Finding> findings) {
  Plan plan;
  plan.wall = wall.name;
  if (wall.servers.size() > 1) plan.server = server.name;
  plan.tiles = wall.tiles;
  plan.host = host;
  plan.findings = std::move(findings);
  if (auto needs = requirements_of(wall, server, manifest, stripe_directories)) {
    plan.needs = std::move(*needs);
    plan.placement = place_flows(wall, server, host.topology, host.nics);
    plan.readers = place_readers(host.topology, plan.placement, wall.streaming.flows_per_tile);
    plan.reader_cpu = place_reader(host.topology, plan.placement, host.disks);
    plan.needs.sender_threads = threads_of(plan.placement);
    plan.needs.open_files += open_files_of_thread * plan.needs.sender_threads;
    for (auto& finding : judge(wall, plan.needs, plan.placement, host)) plan.findings.push_back(std::move(finding));
  } else {
    plan.findings.push_back({Verdict::impossible, "packets", needs.error().what, "", needs.error().mend});
  }
  plan.verdict = worst(plan.findings);
  return plan;
}

Plan plan_and_recommend(const Wall& wall, const WallServer& server, const Manifest& manifest, const HostFacts& host,
                        const std::vector<std::filesystem::path>& stripe_directories) {
  const bool has_content = !manifest.name.empty();
  const auto plan_with = [&](const Wall& other, const Manifest& what) {
    return plan_for(other, server, what, host, stripe_directories,
                    has_content ? misfits(other, server, what) : std::vector<Finding>());
  };
  auto plan = plan_with(wall, manifest);
  const auto busiest = busiest_core(wall, plan.needs, plan.placement, host);
  if (auto advice = packets_advice(wall, manifest, plan.needs, busiest)) {
    const auto with = plan_with(advice->wall, advice->manifest);
    if (!makes_worse(plan.findings, with.findings)) plan.recommendations.push_back(std::move(advice->recommendation));
  }
  if (plan.verdict != Verdict::impossible) return plan;
  const auto verdict_of = [&](const Wall& other, const Manifest& what) { return plan_with(other, what).verdict; };
  if (auto advice = format_advice(wall, manifest, verdict_of)) plan.recommendations.push_back(std::move(*advice));
  return plan;
}

}  // namespace

Plan make_plan(const Wall& wall, const WallServer& server, const Manifest& manifest, const HostFacts& host,
               const std::vector<std::filesystem::path>& stripe_directories) {
  return plan_and_recommend(wall, server, manifest, host, stripe_directories);
}

Plan make_plan(const Wall& wall, const WallServer& server, const HostFacts& host,
               const std::vector<std::filesystem::path>& stripe_directories) {
  return plan_and_recommend(wall, server, without_content(wall, stripe_directories), host, stripe_directories);
}

std::vector<std::filesystem::path> stripe_directories_of(const Manifest& manifest,
                                                         const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> directories;
  for (const auto& stripe : manifest.stripes)
    directories.push_back(std::filesystem::absolute(folder / stripe).lexically_normal());
  return directories;
}

}  // namespace lw
