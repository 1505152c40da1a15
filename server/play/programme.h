// What follows on the wall: the playlist, and the entry that plays. Decides which entry is next; the session begins it.
// Pure.
#pragma once

#include "common/base/result.h"
#include "common/base/units.h"
#include "server/play/playlist.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace lw {

class Programme {
public:
  // What the session contributes to finding the next entry.
  struct Stage {
    std::function<Result<void>(const PlaylistEntry&)> begin;
    // Whether its content directory is missing, and may come back.
    std::function<bool(const PlaylistEntry&)> is_missing;
    // Called for each entry that could not begin. `stays`: it remains in the playlist for later.
    using PassedOver = std::function<void(const PlaylistEntry&, bool stays, const Error&)>;
    PassedOver passed_over;
  };

  // Entries without an id get one.
  void set(Playlist playlist);
  [[nodiscard]] const Playlist& playlist() const { return playlist_; }

  // Plays and will play what another server decided.
  void follow(Playlist playlist, const std::optional<PlaylistEntry>& entry);

  // Begins the first entry that can begin. An entry that cannot is removed from the playlist, unless its content
  // directory is missing: then it stays. Returns whether an entry has begun.
  bool begin_next(const Stage& stage);
  // No entry could begin, but some are missing together with their content directory.
  [[nodiscard]] bool waits_for_content() const { return waits_; }
  void wait_no_more() { waits_ = false; }

  // Sets what plays now; empty: no entry of the playlist.
  void now_shows(const std::optional<PlaylistEntry>& entry);
  [[nodiscard]] const std::optional<PlaylistEntry>& entry() const { return entry_; }
  // How long it plays; empty: until its frames have ended.
  [[nodiscard]] std::optional<Nanoseconds> time() const;

private:
  Playlist playlist_;
  std::optional<PlaylistEntry> entry_;
  std::uint64_t ids_given_ = 0;
  bool waits_ = false;
};

}  // namespace lw
