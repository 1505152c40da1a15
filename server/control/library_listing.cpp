#include "server/control/library_listing.h"

#include "common/base/short_text.h"
#include "common/store/store_digest.h"

#include <algorithm>
#include <utility>

namespace lw {
namespace {

ServerVisualization unplayable(std::string name, const Error& error) {
  return {std::move(name), {}, false, short_text(error.text(), ServerVisualization::reason_bytes_max)};
}

}  // namespace

bool LibraryListing::step() {
  if (scans_ == library_.scans()) return false;
  if (learn()) return false;
  scans_ = library_.scans();
  forget_gone();
  auto entries = listed();
  if (revision_ > 0 && entries == entries_) return false;
  entries_ = std::move(entries);
  ++revision_;
  return true;
}

// Learns the next digest; false if all are known. A scan meanwhile begins again.
bool LibraryListing::learn() {
  for (const auto& entry : library_.entries()) {
    const auto known = editions_.find(entry.folder);
    if (known != editions_.end() && known->second.is_of(entry)) continue;
    const auto folder = Library::open_folder(entry.folder);
    editions_[entry.folder] = {
        entry.manifest.id, entry.made,
        folder ? store_digest(entry.manifest, {folder->get(), entry.folder, ""}) : std::string()};
    return true;
  }
  return false;
}

void LibraryListing::forget_gone() {
  auto known = std::exchange(editions_, {});
  for (const auto& entry : library_.entries())
    if (auto edition = known.extract(entry.folder)) editions_.insert(std::move(edition));
}

// With what has the name of a visualization and cannot be played.
std::vector<ServerVisualization> LibraryListing::listed() const {
  std::map<std::string, ServerVisualization> by_name;
  for (const auto& missing : library_.missing())
    for (const auto& name : missing.names) by_name[name] = unplayable(name, library_.no_such(name));
  for (const auto& rejected : library_.rejected()) {
    const auto name = rejected.folder.filename().string();
    by_name[name] = unplayable(name, rejected.error);
  }
  for (const auto& entry : library_.entries()) {
    const auto& name = entry.manifest.name;
    const auto fit = fits(entry.manifest, wall_, self_);
    by_name[name] = fit ? ServerVisualization{name, digest(entry), true, {}} : unplayable(name, fit.error());
  }
  std::vector<ServerVisualization> entries;
  for (auto& [name, entry] : by_name) entries.push_back(std::move(entry));
  return entries;
}

ServerLibraryReply LibraryListing::page(const std::optional<std::string>& after) const {
  ServerLibraryReply reply;
  reply.revision = revision_;
  auto next = after ? std::ranges::upper_bound(entries_, *after, {}, &ServerVisualization::name) : entries_.begin();
  const auto rest = static_cast<std::size_t>(entries_.end() - next);
  const auto end = next + static_cast<std::ptrdiff_t>(std::min(rest, ServerLibraryReply::entries_max));
  reply.visualizations.assign(next, end);
  reply.more = end != entries_.end();
  return reply;
}

std::string LibraryListing::digest(const LibraryEntry& entry) const {
  const auto known = editions_.find(entry.folder);
  return known == editions_.end() || !known->second.is_of(entry) ? std::string() : known->second.digest;
}

}  // namespace lw
