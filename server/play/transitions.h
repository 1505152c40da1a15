// When the wall changes to the next visualization: the fades that the nodes draw, and the media time at which the
// visualization changes while the wall is black. Only decides; the session switches. Pure: the caller passes the time
// in.
#pragma once

#include "common/base/units.h"
#include "common/wire/fade.h"
#include "server/play/transition.h"

#include <optional>

namespace lw {

class Transitions {
public:
  // A fade begins so long after it is decided, and what follows it goes to the playback thread so long before it is to
  // be read: time for the nodes to hear of the one, and for the control thread to be late with the other.
  static constexpr std::chrono::milliseconds fade_notice{100};
  static constexpr std::chrono::milliseconds switch_notice{80};

  // `frame_interval`: of the wall.
  explicit Transitions(Nanoseconds frame_interval) : frame_interval_(frame_interval) {}

  // Something is to come. The media time of its first frame; nothing: at once. What is asked for while the wall darkens
  // already takes the place of what was to come; a cut then comes at once, and bright.
  std::optional<WallTime> plan(const Transition& transition, bool something_plays, WallTime now);
  // Whether what is to come must go to the playback thread now.
  [[nodiscard]] bool is_due(WallTime now) const;
  // It went there.
  void switched() { change_.reset(); }
  // Nothing comes, and the nodes show what they have as it is. Whether that is news to them.
  bool forget();
  // The times of before mean nothing now: what is to come comes at once, and bright.
  void clock_jumped();

  // The media time at which the visualization changes, while one is to come.
  [[nodiscard]] const std::optional<WallTime>& change() const { return change_; }
  [[nodiscard]] const Fades& fades() const { return fades_; }

private:
  const Nanoseconds frame_interval_;
  Fades fades_;
  std::optional<WallTime> change_;
};

}  // namespace lw
