#include "server/play/programme.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <iterator>
#include <utility>

namespace lw {

void Programme::set(Playlist playlist) {
  for (auto& entry : playlist.entries)
    if (entry.id == 0 || entry.id > ids_given_) entry.id = ++ids_given_;
  playlist_ = std::move(playlist);
}

void Programme::follow(Playlist playlist, const std::optional<PlaylistEntry>& entry) {
  for (const auto& one : playlist.entries) ids_given_ = std::max(ids_given_, one.id);
  playlist_ = std::move(playlist);
  if (entry_ != entry) now_shows(entry);
}

bool Programme::begin_next(const Stage& stage) {
  auto& entries = playlist_.entries;
  std::deque<PlaylistEntry> missing;
  bool begun = false;
  while (!entries.empty() && !begun) {
    const auto entry = entries.front();
    entries.pop_front();
    const auto loaded = stage.begin(entry);
    begun = loaded.has_value();
    if (begun && playlist_.repeat) entries.push_back(entry);
    if (begun) break;
    const bool stays = stage.is_missing(entry);
    if (stays) missing.push_back(entry);
    stage.passed_over(entry, stays, loaded.error());
  }
  // With repeat they are tried again in turn; else first at the next change.
  const bool last = begun && playlist_.repeat;
  // (Not if there are none: libstdc++ would move entries onto themselves, which empties their names.)
  if (!missing.empty())
    entries.insert(last ? std::prev(entries.end()) : entries.begin(), missing.begin(), missing.end());
  waits_ = !begun && !missing.empty();
  return begun;
}

void Programme::now_shows(const std::optional<PlaylistEntry>& entry) {
  entry_ = entry;
  waits_ = false;
}

std::optional<Nanoseconds> Programme::time() const {
  if (!entry_ || !entry_->seconds) return std::nullopt;
  return std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(*entry_->seconds));
}

}  // namespace lw
