#include "server/play/narrator.h"

#include "common/base/counted.h"
#include "common/plan/rate_verdict.h"
#include "common/wall/geometry.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

namespace lw {
namespace {

constexpr std::chrono::seconds reads_told_interval{1};
// Files that are still being written to cannot be opened: until they can, the wall shows nothing new.
constexpr std::chrono::milliseconds change_noticed_interval{250};

double ms(Nanoseconds time) { return std::chrono::duration<double, std::milli>(time).count(); }

}  // namespace

void Narrator::tell(Severity severity, std::string code, std::string text, std::optional<TileIndex> tile) const {
  if (tell_) tell_({severity, std::move(code), std::move(text), tile, std::nullopt});
}

Narrator::Noticed Narrator::look(const PlaybackStatus& status, const std::string& name, const OpenStore* store,
                                 WallTime now) {
  Noticed noticed;
  noticed.files_changed = notice_change(status, now);
  noticed.copies_changed = notice_changed_copy(status);
  tell_reads(status, name, store, now);
  if (store != nullptr && store->copies() > 1) tell_disks(status, *store, now);
  if (store != nullptr) tell_missing(status.missing);
  tell_delay(status);
  noticed.clock_jumped = tell_jump(status);
  return noticed;
}

void Narrator::loaded(const std::string& name, const OpenStore& store) const {
  const auto& manifest = store.manifest();
  tell(Severity::info, "loaded",
       fmt::format("{}: {} at {:.4g} frame/s{}", name, counted(manifest.frame_count, "frame"),
                   manifest.frame_rate.hertz(),
                   store.direct() ? "" : ", read through the page cache (no O_DIRECT on this filesystem)"));
  for (const auto& missing : store.missing())
    tell(Severity::warning, "disk-missing",
         fmt::format(
             "{} is not complete, and the other disks' copies are played: {}; once it is repaired, load {} again",
             missing.path.string(), missing.error.text(), name));
  bool as_sent = true;
  for (TileIndex tile; tile.value < wall_.tile_count(); ++tile.value)
    as_sent = as_sent && lies_as_sent(manifest, packet_cut(wall_, tile).slot_bytes(), wall_.streaming.flows_per_tile);
  if (store.has_slots() && !as_sent)
    tell(Severity::warning, "packets",
         fmt::format(
             "{}: its frames lie in packets of {} bytes of {} flows per tile, and are copied out of them; to send "
             "them as they are, set [streaming] packet_layout = \"slots\" and the mtu that they were made for",
             name, manifest.packets, manifest.bands));
  if (const auto warning = rate_warning(wall_, manifest.frame_rate); !warning.empty())
    tell(Severity::warning, "frame-rate", fmt::format("{}: {}", name, warning));
}

void Narrator::opened_anew(const std::string& name) const {
  tell(Severity::info, "loaded", name + " was changed on its disk; its files were opened again");
}

void Narrator::ended(const std::string& name) const { tell(Severity::info, "ended", name + " has ended"); }

void Narrator::passed_over(const std::string& name, bool stays, const Error& error) const {
  tell(stays ? Severity::warning : Severity::error, "playlist",
       name + (stays ? " is skipped: " : " is removed from the playlist: ") + error.text());
}

void Narrator::cannot_follow(const Error& error) const { tell(Severity::error, "playlist", error.text()); }

bool Narrator::tell_jump(const PlaybackStatus& status) {
  if (status.jumps == std::exchange(jumps_told_, status.jumps)) return false;
  const auto seconds = std::chrono::duration<double>(status.newest_jump).count();
  if (status.clock_was_set)
    tell(Severity::warning, "clock-set",
         fmt::format("the server's clock was set by {:.3f} s; playing continues", seconds));
  else
    tell(Severity::warning, "stalled", fmt::format("the server did not run for {:.1f} s; playing continues", seconds));
  return true;
}

bool Narrator::notice_change(const PlaybackStatus& status, WallTime now) {
  const bool failed = status.read_failures != failures_noticed_ && status.last_error == file_changed;
  if (!failed || !is_due(next_notice_, now, change_noticed_interval)) return false;
  next_notice_ = now + change_noticed_interval;
  failures_noticed_ = status.read_failures;
  return true;
}

// A disk that is avoided is tried now and then: not more often are its files looked at.
bool Narrator::notice_changed_copy(const PlaybackStatus& status) {
  return std::exchange(copies_noticed_, status.reads_of_changed) != status.reads_of_changed;
}

void Narrator::tell_reads(const PlaybackStatus& status, const std::string& name, const OpenStore* store, WallTime now) {
  const auto failed = status.read_failures - failures_told_;
  const auto late = status.frames_read_late - late_told_;
  if ((failed == 0 && late == 0) || !is_due(next_tell_, now, reads_told_interval)) return;
  next_tell_ = now + reads_told_interval;
  failures_told_ = status.read_failures;
  late_told_ = status.frames_read_late;
  if (failed > 0)
    tell(Severity::error, "read-failed",
         fmt::format("{} could not be read, the last from {}: {}", counted(failed, "frame"),
                     store != nullptr ? store->file_of(status.last_error_frame, status.last_error_tile).string() : name,
                     status.last_error == file_changed ? "it has changed since it was opened"
                                                       : std::strerror(status.last_error)),
         status.last_error_tile);
  if (late > 0)
    tell(Severity::warning, "read-late", fmt::format("{} not in memory when due", counted(late, "tile frame")));
}

// Reports at most once a second, for a disk that fails now and then.
void Narrator::tell_disks(const PlaybackStatus& status, const OpenStore& store, WallTime now) {
  if (std::exchange(avoided_of_, &store) != &store) avoided_told_.reset();
  if (status.avoided == avoided_told_ || !is_due(next_disk_tell_, now, reads_told_interval)) return;
  next_disk_tell_ = now + reads_told_interval;
  for (unsigned disk = 0; disk < store.stripes(); ++disk) {
    if (status.avoided[disk] == avoided_told_[disk]) continue;
    const auto directory = store.directory_of(disk).string();
    if (status.avoided[disk])
      tell(Severity::warning, "disk-avoided",
           directory + " fails or is late; its frames are read from their copies on another disk");
    else
      tell(Severity::info, "disk-used",
           fmt::format("{} answers in time again; since the server started, {} frames of tiles came from copies",
                       directory, status.frames_from_copies));
  }
  avoided_told_ = status.avoided;
}

void Narrator::tell_missing(const WallSync::Nodes& missing) {
  if (missing == missing_told_) return;
  const bool waits = wall_.sync.lost_node == LostNode::hold;
  for (std::size_t i = 0; i < wall_.nodes.size() && i < missing.size(); ++i) {
    if (missing[i] == missing_told_[i]) continue;
    const auto& name = wall_.nodes[i].name;
    if (missing[i])
      tell(Severity::warning, "node-out-of-step",
           fmt::format("node {} no longer reports its frames; {}", name,
                       waits ? "the wall waits for it" : "the others continue without it"));
    else
      tell(Severity::info, "node-in-step", fmt::format("node {} is synchronized again", name));
  }
  missing_told_ = missing;
}

void Narrator::tell_delay(const PlaybackStatus& status) {
  const auto before = std::exchange(delay_told_, status.delay.to);
  if (!before || before == status.delay.to) return;
  const bool most = status.delay.to == wall_.streaming.longest_playout_delay();
  const auto tile = status.slowest_flow ? std::optional(wall_.tile_of_flow(*status.slowest_flow)) : std::nullopt;
  tell(most ? Severity::warning : Severity::info, "playout-delay",
       fmt::format("the playout delay changes from {:.0f} to {:.0f} ms{}{}", ms(*before), ms(status.delay.to),
                   tile ? fmt::format("; the frames of tile {} on node {} take the longest", wall_.tile(*tile).number(),
                                      wall_.node_of(*tile).name)
                        : "",
                   most ? "; this is playout_delay_max_ms" : ""),
       tile);
}

}  // namespace lw
