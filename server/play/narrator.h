// Turns changes of the playback status into events for operators, one for each change. Pure: the caller passes status
// and time. Control thread only.
#pragma once

#include "common/base/result.h"
#include "common/base/units.h"
#include "server/play/play_event.h"
#include "server/play/playback.h"
#include "server/play/playlist.h"
#include "server/read/open_store.h"

#include <cstdint>
#include <functional>
#include <string>

namespace lw {

class Narrator {
public:
  using Tell = std::function<void(const PlayEvent&)>;

  // Changes that the session must act on.
  struct Noticed {
    bool clock_jumped = false;    // the clock was set, or the process was stopped
    bool files_changed = false;   // a file of what plays was written to since it was opened
    bool copies_changed = false;  // the same, and nothing is missing: other disks have the frames
  };

  // `wall` must outlive this object. `tell` receives the events; it may be empty.
  Narrator(const Wall& wall, Tell tell) : wall_(wall), tell_(std::move(tell)) {}

  // Reports what has changed since the last call. `store`: the store that plays, or null. Reports failed reads at most
  // once a second, since a dead disk fails thirty times a second. Reports changed files at once, and again as long as
  // reads fail because of them.
  Noticed look(const PlaybackStatus& status, const std::string& name, const OpenStore* store, WallTime now);

  void loaded(const std::string& name, const OpenStore& store) const;
  void opened_anew(const std::string& name) const;
  void ended(const std::string& name) const;
  // An entry of the playlist could not begin. `stays`: it remains in the playlist for another try.
  void passed_over(const std::string& name, bool stays, const Error& error) const;
  void cannot_follow(const Error& error) const;

private:
  bool tell_jump(const PlaybackStatus& status);
  bool notice_change(const PlaybackStatus& status, WallTime now);
  bool notice_changed_copy(const PlaybackStatus& status);
  void tell_reads(const PlaybackStatus& status, const std::string& name, const OpenStore* store, WallTime now);
  void tell_disks(const PlaybackStatus& status, const OpenStore& store, WallTime now);
  void tell_missing(const WallSync::Nodes& missing);
  void tell_delay(const PlaybackStatus& status);
  void tell(Severity severity, std::string code, std::string text, std::optional<TileIndex> tile = {}) const;

  const Wall& wall_;
  const Tell tell_;
  std::uint64_t failures_noticed_ = 0;
  std::uint64_t copies_noticed_ = 0;
  std::uint64_t failures_told_ = 0;
  std::uint64_t late_told_ = 0;
  std::uint64_t jumps_told_ = 0;
  DiskSet avoided_told_;
  const OpenStore* avoided_of_ = nullptr;
  WallSync::Nodes missing_told_;
  std::optional<Nanoseconds> delay_told_;
  WallTime next_notice_{};  // about changed files
  WallTime next_tell_{};    // about failed reads
  WallTime next_disk_tell_{};
};

}  // namespace lw
