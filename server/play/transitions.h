// When the wall changes to the next visualization: the fades that the nodes draw, and the media time at which the
// visualization changes while the wall is black. Only decides; the session switches. Pure: the caller passes the
// time.
#pragma once

#include "common/base/units.h"
#include "common/wire/fade.h"
#include "server/play/transition.h"

#include <optional>

namespace lw {

class Transitions {
public:
  // A fade begins fade_notice after the decision, so that the nodes hear of it in time. The next visualization goes to
  // the playback thread switch_notice before it must be read, so that the control thread may be late.
  static constexpr std::chrono::milliseconds fade_notice{100};
  static constexpr std::chrono::milliseconds switch_notice{80};

  // `frame_interval`: of the wall.
  explicit Transitions(Nanoseconds frame_interval) : frame_interval_(frame_interval) {}

  // Plans a change. Returns the media time of its first frame; empty: at once. A change requested while the wall
  // darkens replaces the planned one; a cut then comes as soon as possible, without a fade in. What plays does not
  // darken before `ends`.
  std::optional<WallTime> plan(const Transition& transition, bool something_plays, WallTime now, WallTime ends = {});
  // The earliest media time at which something planned now can begin.
  [[nodiscard]] WallTime soonest(WallTime now) const;
  // Whether the next visualization must go to the playback thread now.
  [[nodiscard]] bool is_due(WallTime now) const;
  // The next visualization was sent to the playback thread.
  void switched() { change_.reset(); }
  // Cancels the change and all fades. Returns whether that is news to the nodes.
  bool forget();
  // Another server has planned these.
  void follow(const Fades& fades, std::optional<WallTime> change) {
    fades_ = fades;
    change_ = change;
  }
  // All planned times are void: the change comes at once, without a fade in.
  void clock_jumped();

  // The time by which the other servers need to know a change earlier.
  void set_announce_ahead(Nanoseconds time) { notice_ = switch_notice + time; }

  // The media time at which the visualization changes, if a change is planned.
  [[nodiscard]] const std::optional<WallTime>& change() const { return change_; }
  [[nodiscard]] const Fades& fades() const { return fades_; }

private:
  const Nanoseconds frame_interval_;
  Nanoseconds notice_ = switch_notice;
  Fades fades_;
  std::optional<WallTime> change_;
};

}  // namespace lw
