#include "server/control/wall_library.h"

#include "common/base/short_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lw {
namespace {

bool cannot_play(const ServerCopyMessage& copy) {
  return copy.state != ServerCopyState::ready && copy.state != ServerCopyState::unknown;
}

Error problem_of(const ServerCopyMessage& copy, const std::string& name) {
  const auto again = fmt::format("import it for all servers (wall-ingest), or copy it to '{}'", copy.server);
  if (copy.state == ServerCopyState::absent) return {fmt::format("server '{}' has no {}", copy.server, name), again};
  if (copy.state == ServerCopyState::other_edition)
    return {fmt::format("server '{}' has another edition of {}", copy.server, name), again};
  return {fmt::format("server '{}' cannot play {}", copy.server, name), copy.reason};
}

}  // namespace

// A server's tiles are also shown if its standby can send them. What this server lacks altogether, or cannot send, the
// session refuses.
Result<void> WallLibrary::can_play(const std::string& name) const {
  if (coordination_.followers() == nullptr) return {};
  const auto* own = library_.find(name);
  if (own == nullptr) {
    const bool somewhere = std::ranges::any_of(wall_.servers, [&](const WallServer& server) {
      return copy_of(server, name, nullptr).state == ServerCopyState::ready;
    });
    return somewhere ? Result<void>(problem_of(own_copy(nullptr), name)) : Result<void>();
  }
  for (const auto& server : wall_.servers) {
    if (server.standby != Standby::none || &server == &self_) continue;
    const auto copy = copy_of(server, name, own);
    if (!cannot_play(copy)) continue;
    const auto* standby = wall_.standby_of(server);
    if (standby == nullptr || cannot_play(copy_of(*standby, name, own))) return problem_of(copy, name);
  }
  return {};
}

std::vector<ServerCopyMessage> WallLibrary::copies_of(const std::string& name) const {
  std::vector<ServerCopyMessage> copies;
  if (coordination_.followers() == nullptr) return copies;
  const auto* own = library_.find(name);
  for (const auto& server : wall_.servers) copies.push_back(copy_of(server, name, own));
  return copies;
}

ServerCopyMessage WallLibrary::copy_of(const WallServer& server, const std::string& name,
                                       const LibraryEntry* own) const {
  if (&server == &self_) return own_copy(own);
  const auto* library = coordination_.followers()->library_of(server.name);
  if (library == nullptr) return {server.name, ServerCopyState::unknown, {}};
  const auto* has = library->find(name);
  if (has == nullptr)
    return {server.name, library->complete() ? ServerCopyState::absent : ServerCopyState::unknown, {}};
  if (!has->fits) return {server.name, ServerCopyState::unfit, has->reason};
  if (own == nullptr) return {server.name, ServerCopyState::ready, {}};  // there is nothing to compare it with
  const auto digest = listing_.digest(*own);
  if (digest.empty() || has->digest.empty()) return {server.name, ServerCopyState::unknown, {}};
  return {server.name, digest == has->digest ? ServerCopyState::ready : ServerCopyState::other_edition, {}};
}

ServerCopyMessage WallLibrary::own_copy(const LibraryEntry* own) const {
  if (own == nullptr) return {self_.name, ServerCopyState::absent, {}};
  const auto fit = fits(own->manifest, wall_, self_);
  if (fit) return {self_.name, ServerCopyState::ready, {}};
  return {self_.name, ServerCopyState::unfit, short_text(fit.error().text(), ServerVisualization::reason_bytes_max)};
}

std::vector<std::string> WallLibrary::elsewhere() const {
  const auto* followers = coordination_.followers();
  if (followers == nullptr) return {};
  std::set<std::string> names;
  for (const auto& server : wall_.servers)
    if (const auto* library = followers->library_of(server.name); library != nullptr)
      for (const auto& entry : library->entries()) names.insert(entry.name);
  for (const auto& entry : library_.entries()) names.erase(entry.manifest.name);
  return {names.begin(), names.end()};
}

void WallLibrary::scan_others() const {
  if (auto* followers = coordination_.followers(); followers != nullptr) followers->have_libraries_scanned();
}

std::vector<std::string> WallLibrary::remove_elsewhere(const std::string& name, LocalTime now) const {
  auto* followers = coordination_.followers();
  return followers != nullptr ? followers->remove(name, now) : std::vector<std::string>();
}

}  // namespace lw
