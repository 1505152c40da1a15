#include "common/plan/planned_host.h"

#include <algorithm>
#include <iterator>

namespace lw {
namespace {

bool contains(const std::filesystem::path& folder, const std::filesystem::path& path) {
  const auto relative = path.lexically_normal().lexically_relative(folder.lexically_normal());
  return !relative.empty() && *relative.begin() != "..";
}

}  // namespace

HostFacts as_host_of(const WallServer& server, HostFacts facts) {
  if (std::ranges::any_of(facts.nics, [](const Nic& nic) { return !nic.addresses.empty(); })) return facts;
  for (std::size_t i = 0; i < std::min(server.interfaces.size(), facts.nics.size()); ++i)
    facts.nics[i].addresses = {server.interfaces[i]};
  return facts;
}

std::vector<Disk> disks_below(const std::vector<Disk>& known, const std::vector<std::filesystem::path>& directories) {
  std::vector<Disk> disks;
  for (const auto& directory : directories) {
    const Disk* best = nullptr;
    const auto depth = [](const Disk& disk) { return std::distance(disk.directory.begin(), disk.directory.end()); };
    for (const auto& disk : known)
      if (contains(disk.directory, directory) && (best == nullptr || depth(disk) > depth(*best))) best = &disk;
    if (best == nullptr) continue;
    disks.push_back(*best);
    disks.back().directory = directory;
  }
  return disks;
}

}  // namespace lw
