// When the runs of a flow's frames leave, and when a frame is dropped: runs are paced evenly (pacer.h), a late sender
// catches up gently, and runs too late to be shown in time are skipped. Pure; the flow sender waits and sends.
#pragma once

#include "common/base/units.h"
#include "common/wall/wall_file.h"
#include "common/wire/playout_ramp.h"
#include "server/send/pacer.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>

namespace lw {

class SendSchedule {
public:
  // Frames are handed over at most this long before their packets are due; more means that the clock was set back.
  static constexpr std::chrono::seconds due_within{1};

  // `ahead`: how long before they are due runs are handed to a queueing discipline that keeps their times.
  explicit SendSchedule(const Wall& wall, Nanoseconds ahead = Nanoseconds{0}) : pacer_(wall), ahead_(ahead) {}
  void hand_over_ahead(Nanoseconds ahead) { ahead_ = ahead; }

  // When to drop the rest of a frame: when it can no longer arrive before its presentation, so that a core, disk or
  // network card may stall for almost the playout delay. At least two intervals, for receivers that keep late
  // frames.
  [[nodiscard]] static WallTime give_up_time(WallTime media_time, Nanoseconds interval, const PlayoutRamp& delay,
                                             std::optional<Nanoseconds> round_trip);

  // A frame of `total` packets begins.
  void begin(WallTime media_time, Nanoseconds interval, std::size_t total, WallTime give_up);

  enum class Verdict : std::uint8_t { wait, send, give_up };
  struct Turn {
    Verdict verdict = Verdict::wait;
    WallTime at{};   // when to call again
    WallTime due{};  // of the run, by its pace
  };
  // For the run of `count` packets from `number` on. If the verdict is `send`, it counts as sent at `now`. `early`: the
  // run goes out up to this long before its time, because nobody can sleep for less.
  Turn turn(std::size_t number, std::size_t count, WallTime now, Nanoseconds early);
  // Until when the run from `number` on must wait; empty: it may go.
  [[nodiscard]] std::optional<WallTime> waits_until(std::size_t number, WallTime now, Nanoseconds early) const {
    return waits_until(pace_.due(media_time_, number), now, early);
  }

  // The greatest delay of a run since the last call.
  Nanoseconds take_late_max() { return std::exchange(late_max_, Nanoseconds{0}); }
  // Of the current frame.
  [[nodiscard]] const FramePace& pace() const { return pace_; }

private:
  [[nodiscard]] std::optional<WallTime> waits_until(WallTime due, WallTime now, Nanoseconds early) const;

  const Pacer pacer_;
  Nanoseconds ahead_;
  WallTime media_time_{};
  FramePace pace_;
  WallTime give_up_{};
  WallTime not_before_{};  // for the next run: see FramePace::not_before
  Nanoseconds late_max_{0};
};

}  // namespace lw
