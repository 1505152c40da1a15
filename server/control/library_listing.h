// The list of what this server's library has, with the digest of each visualization, for a wall with several servers:
// the coordinator compares it with its own. Digests are learned one at a time, because each reads a file of checksums.
// Control thread only.
#pragma once

#include "common/base/units.h"
#include "common/messages/server_library.h"
#include "common/wall/wall_file.h"
#include "server/play/library.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

class LibraryListing {
public:
  // All of these must outlive this object.
  LibraryListing(const Wall& wall, const WallServer& self, const Library& library)
      : wall_(wall), self_(self), library_(library) {}

  // Call at every tick. Whether the list has changed: it does when the digests of all visualizations are known.
  bool step();
  // 0: not yet known. Grows with each change.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }
  // Sorted by name.
  [[nodiscard]] const std::vector<ServerVisualization>& entries() const { return entries_; }
  // The page that follows this name.
  [[nodiscard]] ServerLibraryReply page(const std::optional<std::string>& after) const;
  // Empty: not yet known.
  [[nodiscard]] std::string digest(const LibraryEntry& entry) const;

private:
  struct Edition {
    std::string id;
    std::optional<WallTime> made;
    std::string digest;
    [[nodiscard]] bool is_of(const LibraryEntry& entry) const { return id == entry.manifest.id && made == entry.made; }
  };
  bool learn();
  void forget_gone();
  [[nodiscard]] std::vector<ServerVisualization> listed() const;

  const Wall& wall_;
  const WallServer& self_;
  const Library& library_;
  std::uint64_t scans_ = 0;  // of the library, when the list was made
  std::uint64_t revision_ = 0;
  std::map<std::filesystem::path, Edition> editions_;
  std::vector<ServerVisualization> entries_;
};

}  // namespace lw
