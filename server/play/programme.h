// What follows on the wall: the playlist, the entry of it that is on the wall, and how long that has played. Says which
// entry is next and when one is over; the session begins it. Pure: the caller brings the time.
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
  // How the session takes part in finding the entry that is next.
  struct Stage {
    std::function<Result<void>(const PlaylistEntry&)> begin;
    // Its content directory is missing, and may come back.
    std::function<bool(const PlaylistEntry&)> is_missing;
    // Called for each entry that could not begin. `stays`: it stays in the playlist for later.
    using PassedOver = std::function<void(const PlaylistEntry&, bool stays, const Error&)>;
    PassedOver passed_over;
  };

  // Entries keep ids that were given, and get one else.
  void set(Playlist playlist);
  [[nodiscard]] const Playlist& playlist() const { return playlist_; }

  // Begins the first entry that can be. One that cannot leaves the playlist for good; one that is missing with its
  // content directory stays in it. Whether one has begun.
  bool begin_next(const Stage& stage);
  // None could begin, but some are missing only.
  [[nodiscard]] bool waits_for_content() const { return waits_; }
  void wait_no_more() { waits_ = false; }

  // What is on the wall now; nothing: no entry of the playlist.
  void now_shows(const std::optional<PlaylistEntry>& entry);
  [[nodiscard]] const std::optional<PlaylistEntry>& entry() const { return entry_; }
  // It has played for so long again; a pause does not count. Whether its time is over.
  bool played(Nanoseconds time);
  // Played again, it has all its time again.
  void begin_time_again() { played_ = {}; }

private:
  Playlist playlist_;
  std::optional<PlaylistEntry> entry_;
  Nanoseconds played_{0};
  std::uint64_t ids_given_ = 0;
  bool waits_ = false;
};

}  // namespace lw
