#include "server/control/library_watch.h"

#include <algorithm>
#include <vector>

namespace lw {

// Reports a directory once when it goes missing, and once when it is back.
void LibraryWatch::scan(const Moment& now) {
  const auto before = library_.missing();
  library_.scan();
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

void LibraryWatch::look(const Moment& now) {
  if (library_.directories_changed()) scan(now);
}

void LibraryWatch::tell(const std::string& what, const Moment& now) {
  events_.add({Severity::info, "library", what, {}, {}}, now);
}

}  // namespace lw
