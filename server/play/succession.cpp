#include "common/plan/buffers.h"
#include "server/play/wall_session.h"

#include <algorithm>

namespace lw {
namespace {

// Entries that passed while this process was frozen: playback has room for the lines of so many.
constexpr unsigned begun_at_once_max = 16;

}  // namespace

void WallSession::poll() {
  if (clock_) clock_->step();
  const auto moment = host_->now();
  const auto now = moment.wall;
  const auto status = playback_->status();
  follow_shifts(status);
  const auto noticed = narrator_.look(status, state_.name, store_.get(), now);
  state_.playout_delay = status.delay.to;
  if (noticed.files_changed) reopen(Reopening::at_once);
  if (noticed.copies_changed && !noticed.files_changed) reopen(Reopening::when_complete);
  if (noticed.clock_jumped) {
    transitions_.clock_jumped();
    ++state_.revision;
  }
  if (coordinates_ || alone_) switch_when_black();
  look_at_growth(moment.local);
  if (coordinates_) {
    look_for_content();
    learn_digests();
    if (wall_.servers.size() > 1 && std::exchange(delay_told_, status.delay) != status.delay) ++line_number_;
    decide_parity(moment.local);
  }
  // A status from before the last load or seek does not apply.
  if (state_.status != PlayStatus::stopped && status.generation == line_.generation()) state_.frame = status.frame;
  if (sound_) tell_sound(status, moment.local);
  unsigned begun = 0;
  while (begun < begun_at_once_max && state_.status == PlayStatus::playing && look_at_end(status, now)) ++begun;
  if (status.holds == released_ || begun == begun_at_once_max || moment.local >= trusted_until_) return;
  released_ = status.holds;
  playback_->go_on(released_);
}

// Its own hold ends with the second look: what came meanwhile has been heard by then.
void WallSession::tell_sound(const PlaybackStatus& status, LocalTime now) {
  sound_->fade(transitions_.fades());
  sound_->hold(status.holds != released_);
  const auto holds = sound_->stats().holds;
  if (std::exchange(sound_holds_, holds) == holds && now < trusted_until_) sound_->go_on(holds);
}

// For all servers, from the first frame on that they can all hear of in time.
void WallSession::decide_parity(LocalTime now) {
  if (wall_.servers.size() == 1 || wall_.streaming.fec != FecUse::needed || !line_.plays()) return;
  auto flows = wants_parity();
  flows.insert(flows.end(), others_want_parity_.begin(), others_want_parity_.end());
  const auto next = line_from_now();
  if (!parity_.step({flows.begin(), flows.end()}, next.frames_before(next.first_tick()), now)) return;
  tell_flows_of_parity();
  ++line_number_;
}

void WallSession::switch_when_black() {
  if (!coming_ || !transitions_.is_due(host_->now().wall)) return;
  if (const auto switched = switch_to(*coming_, transitions_.change()); !switched) {
    narrator_.passed_over(coming_->name, false, switched.error());
    forget_fade();
    end_seen_ = false;
  }
}

void WallSession::forget_fade() {
  if (std::exchange(coming_, {})) ++line_number_;
  state_.coming.reset();
  if (transitions_.forget()) ++state_.revision;
}

// What follows is planned as soon as the end is near, so that it begins at the end: at a tick that each server knows by
// itself. The tick that is read next says how far playing is, also while somebody sets the clock. Returns whether the
// next entry has begun.
bool WallSession::look_at_end(const PlaybackStatus& status, WallTime now) {
  if (coming_ || !(coordinates_ || alone_)) return false;
  const Nanoseconds earlier = wall_.servers.size() > 1 && !alone_ ? noticed_silent : Nanoseconds{0};
  const auto soon = line_.tick_at(transitions_.soonest(now) + earlier);
  const auto ahead =
      (Transitions::switch_notice + playback_behind + notice_ + earlier) / line_.interval(line_.first_tick());
  const bool held = status.holds != released_;
  const auto end = line_.end_before((held ? soon : std::min(soon, status.next_tick + ahead)) + 1, programme_.time());
  if (!end) return false;
  if (!end_seen_ && !programme_.playlist().entries.empty()) {
    end_seen_ = true;
    narrator_.ended(state_.name);
    if (begin_next(line_.media_time(*end))) return true;
  }
  const bool is_read = status.generation == line_.generation() && *end < status.next_tick;
  if (coordinates_ && is_read) pause_at_end();
  return false;
}

void WallSession::pause_at_end() {
  if (!end_seen_) narrator_.ended(state_.name);
  if (!programme_.waits_for_content() && begin_next()) return;  // what was added meanwhile
  auto line = line_to_change();
  line.set_paused(true);
  line.count_time_anew();
  if (auto posted = play_line(line, store_); !posted) narrator_.cannot_follow(posted.error());
  state_.status = PlayStatus::paused;
  ++state_.revision;
}

bool WallSession::begin_next(std::optional<WallTime> ends) {
  return begin_next({}, ends, [this](const PlaylistEntry& entry, bool stays, const Error& error) {
    narrator_.passed_over(entry.name, stays, error);
  });
}

bool WallSession::begin_next(const std::optional<Transition>& transition, std::optional<WallTime> ends,
                             const Programme::Stage::PassedOver& passed_over) {
  return programme_.begin_next({.begin = [&](const PlaylistEntry& entry) -> Result<void> {
                                  if (alone_ && ends) return begin_alone(entry, *ends);
                                  return begin(entry.name, 0, false, entry, transition.value_or(entry.transition),
                                               ends);
                                },
                                .is_missing = [this](const PlaylistEntry& entry) { return is_missing(entry.name); },
                                .passed_over = passed_over});
}

// As the coordinator would have. A fade is a cut in its middle: nodes hear of fades from the coordinator.
Result<void> WallSession::begin_alone(const PlaylistEntry& entry, WallTime ends) {
  const auto edition = editions_.find(entry.name);
  if (edition == editions_.end() || edition->second.digest.empty())
    return Error{"the coordinator did not say which edition of " + entry.name + " to play", "start the coordinator"};
  auto store = open_announced(entry.name, edition->second.digest);
  const auto at = ends + entry.transition.fade / 2;
  const auto begun = store ? switch_to({entry.name, *store, 0, false, entry}, at) : Result<void>(store.error());
  // The other servers play it now: one that cannot waits for a line, and does not go on to the entry after it.
  if (!begun) narrator_.cannot_follow(begun.error());
  return {};
}

void WallSession::look_for_content() {
  const auto is_there = [this](const PlaylistEntry& entry) { return library_.find(entry.name) != nullptr; };
  if (programme_.waits_for_content() && std::ranges::any_of(programme_.playlist().entries, is_there)) begin_next();
}

// The other servers need the digests to play on alone. One in each turn: it reads a file of checksums.
void WallSession::learn_digests() {
  if (wall_.servers.size() == 1) return;
  for (const auto& entry : programme_.playlist().entries) {
    const auto* found = library_.find(entry.name);
    const auto known = editions_.find(entry.name);
    if (found == nullptr || (known != editions_.end() && known->second.made == found->made)) continue;
    auto files = library_.open(*found);
    editions_[entry.name] = {found->made, files ? OpenStore::of(std::move(*files))->digest() : std::string()};
    editions_changed_ = true;
    return;
  }
  if (std::exchange(editions_changed_, false)) ++line_number_;
}

}  // namespace lw
