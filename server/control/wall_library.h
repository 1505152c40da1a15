// Which of the wall's servers have a visualization: the coordinator's own library, compared with what the others have
// said about theirs. Control thread only.
#pragma once

#include "common/messages/library.h"
#include "common/wall/wall_file.h"
#include "server/control/coordination.h"
#include "server/control/library_listing.h"
#include "server/play/library.h"

#include <string>
#include <vector>

namespace lw {

class WallLibrary {
public:
  // All of these must outlive this object. `listing`: of this server.
  WallLibrary(const Wall& wall, const WallServer& self, const Library& library, const LibraryListing& listing,
              Coordination& coordination)
      : wall_(wall), self_(self), library_(library), listing_(listing), coordination_(coordination) {}

  // An error that names a server of whose tiles nothing would be shown. A server of which nothing is known can play it.
  [[nodiscard]] Result<void> can_play(const std::string& name) const;
  // Of each server of the wall, in the order of the wall file. Empty: the wall has one, or another coordinates.
  [[nodiscard]] std::vector<ServerCopyMessage> copies_of(const std::string& name) const;
  // What others have, and this server has not; sorted.
  [[nodiscard]] std::vector<std::string> elsewhere() const;
  // Has the other servers look for what is new.
  void scan_others() const;
  // Has the other servers delete it. Those that are not connected keep it: they are returned.
  std::vector<std::string> remove_elsewhere(const std::string& name, LocalTime now) const;

private:
  // `own`: this server's; null: it has none.
  [[nodiscard]] ServerCopyMessage copy_of(const WallServer& server, const std::string& name,
                                          const LibraryEntry* own) const;
  [[nodiscard]] ServerCopyMessage own_copy(const LibraryEntry* own) const;

  const Wall& wall_;
  const WallServer& self_;
  const Library& library_;
  const LibraryListing& listing_;
  Coordination& coordination_;
};

}  // namespace lw
