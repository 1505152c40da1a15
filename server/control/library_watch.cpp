#include "server/control/library_watch.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace lw {

LibraryWatch::Editions LibraryWatch::editions() const {
  Editions editions;
  for (const auto& entry : library_.entries()) editions[entry.manifest.name] = entry.made;
  return editions;
}

// Reports a directory once when it goes missing, and once when it is back.
void LibraryWatch::scan(const Moment& now) {
  const auto before = library_.missing();
  scanned_ = now.local;
  scan_wanted_ = false;
  library_.scan();
  if (auto found = editions(); found != editions_) {
    editions_ = std::move(found);
    ++revision_;
  }
  const auto is_in = [](const std::vector<MissingDirectory>& list, const MissingDirectory& missing) {
    return std::ranges::find(list, missing.directory, &MissingDirectory::directory) != list.end();
  };
  for (const auto& missing : library_.missing())
    if (!is_in(before, missing))
      events_.add({Severity::warning, "library", "a content directory is missing: " + missing.error.text(), {}, {}},
                  now);
  for (const auto& missing : before)
    if (!is_in(library_.missing(), missing)) tell(missing.directory.string() + " is back", now);
  if (!std::ranges::equal(before, library_.missing(), {}, &MissingDirectory::directory, &MissingDirectory::directory))
    publisher_.publish();
}

void LibraryWatch::scan_unless_new(const Moment& now, Nanoseconds age) {
  scan_wanted_ = true;
  if (!scanned_ || now.local - *scanned_ >= age) scan(now);
}

void LibraryWatch::look(const Moment& now) {
  if (!scan_wanted_ && !library_.directories_changed() && !library_.one_begins_to_grow() &&
      !library_.a_rejected_one_is_fixed())
    return;
  const auto before = editions();
  scan(now);
  const auto after = editions();
  for (const auto& [name, made] : after) {
    const auto known = before.find(name);
    if (known == before.end()) tell(name + " is new", now);
    if (known != before.end() && known->second != made)
      tell(name + (known->second || !made ? " is replaced" : " is complete"), now);
  }
  for (const auto& [name, made] : before)
    if (!after.contains(name) && !is_missing(name)) tell(name + " is gone", now);
}

// With a content directory, which has an event itself.
bool LibraryWatch::is_missing(const std::string& name) const {
  return std::ranges::any_of(library_.missing(), [&](const MissingDirectory& missing) {
    return std::ranges::find(missing.names, name) != missing.names.end();
  });
}

void LibraryWatch::tell(const std::string& what, const Moment& now) {
  ++revision_;
  events_.add({Severity::info, "library", what, {}, {}}, now);
}

}  // namespace lw
