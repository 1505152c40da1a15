// A line says what is playing: which frame of a visualization each tick of the wall shows, from one tick on until
// another line takes over. A tick is one frame interval. Ticks continue while paused (the same frame is sent again), so
// that a node that joins late receives the frame.
//
// A line is a value. Frame, media time and end follow from the line and the tick alone, in whole numbers: all threads
// and hosts that know the line compute the same values.
#pragma once

#include "common/base/units.h"
#include "server/send/frame_counts.h"

#include <cstdint>
#include <optional>

namespace lw {

struct FrameRange {
  std::uint32_t first = 0, last = 0;  // both included
  [[nodiscard]] bool has(std::uint32_t frame) const { return frame >= first && frame <= last; }
  bool operator==(const FrameRange&) const = default;
};

// A position in the frames; also used for its step per tick. A millionth of a frame is exact enough for a rate, and a
// wall can play for a thousand years before a product overflows.
struct FramePosition {
  static constexpr unsigned fraction_bits = 20;
  std::int64_t units = 0;

  static constexpr FramePosition of(std::uint32_t frame) { return {std::int64_t{frame} << fraction_bits}; }
  [[nodiscard]] constexpr std::uint32_t frame() const { return static_cast<std::uint32_t>(units >> fraction_bits); }
  bool operator==(const FramePosition&) const = default;
};

class Line {
public:
  // What a line consists of, for messages between servers. common/messages/line_message.h has their bounds.
  struct Parts {
    bool plays = false;
    std::uint16_t generation = 0;
    std::int64_t first_tick = 0;
    WallTime start{};  // media time of the first tick
    FrameRate frame_rate;
    std::int64_t ticks_before = 0;  // that media times count from, to the first tick; below frame_rate.numerator
    FrameRange range;
    FramePosition position;                                               // at the first tick
    std::uint32_t rounds = 0;                                             // at the first tick
    std::int64_t step = std::int64_t{1} << FramePosition::fraction_bits;  // change of the position in a tick
    bool loop = true;
    std::optional<std::uint32_t> times;
    Nanoseconds played{0};  // at the first tick: how long its visualization has played, pauses not counted
    bool paused = false;
    bool ended = false;
    bool growing = false;                    // more frames will follow the last one, which is shown until then
    PixelFormat format = PixelFormat::rgb8;  // of its frames
    FrameCounts frames_before;               // due before the first tick
    bool operator==(const Parts&) const = default;
  };
  // What a tick shows.
  struct Place {
    FramePosition position;
    std::uint32_t rounds = 0;  // complete repeats
    bool ended = false;        // the last frame was reached without a loop, and stays
    bool waits = false;        // likewise, until more frames come
  };

  Line() = default;  // nothing plays
  explicit Line(const Parts& parts) : parts_(parts) {}
  [[nodiscard]] const Parts& parts() const { return parts_; }
  // The first tick of a server that starts now: the number it would have if ticks had begun in 1970 at the highest
  // rate. Thus ticks of a restarted server are always later, also for the servers that follow it.
  static std::int64_t first_tick_of_start(WallTime now);
  // Nothing plays from this tick on; from the first tick of this line on.
  static Line nothing(std::int64_t first_tick);
  static Line nothing(const Line& instead);
  // All frames of a visualization, from `frame` on.
  static Line over(std::int64_t first_tick, WallTime start, FrameRate rate, std::uint32_t frame_count,
                   std::uint32_t frame);

  [[nodiscard]] bool plays() const { return parts_.plays; }
  [[nodiscard]] std::uint16_t generation() const { return parts_.generation; }
  [[nodiscard]] std::int64_t first_tick() const { return parts_.first_tick; }
  [[nodiscard]] FrameRate frame_rate() const { return parts_.frame_rate; }
  [[nodiscard]] FrameRange range() const { return parts_.range; }
  [[nodiscard]] bool paused() const { return parts_.paused; }
  // Frames due before this tick since the wall started: those of this line, and of all lines before it.
  [[nodiscard]] FrameCounts frames_before(std::int64_t tick) const;
  [[nodiscard]] double rate() const;

  // `tick` must not be before the first tick.
  [[nodiscard]] Place at(std::int64_t tick) const;
  [[nodiscard]] std::uint32_t frame(std::int64_t tick) const { return at(tick).position.frame(); }
  [[nodiscard]] WallTime media_time(std::int64_t tick) const;
  [[nodiscard]] Nanoseconds interval(std::int64_t tick) const { return media_time(tick + 1) - media_time(tick); }
  // The first tick with this media time or a later one; the first tick of the line at the earliest.
  [[nodiscard]] std::int64_t tick_at(WallTime media_time) const;
  // The first tick at which its frames have ended, or have played for `time`. Empty if that is not before `until`, or
  // while it is paused.
  [[nodiscard]] std::optional<std::int64_t> end_before(std::int64_t until, std::optional<Nanoseconds> time) const;

  // The same line, beginning at this tick. Changes apply from there: make them to the returned line.
  [[nodiscard]] Line from(std::int64_t tick) const;
  void set_generation(std::uint16_t generation) { parts_.generation = generation; }
  void seek(std::uint32_t frame);
  void set_rate(double frames_per_tick);
  void set_loop(bool loop) { parts_.loop = loop; }
  // Plays the frames this many times before it ends, whatever `loop` says. Empty: `loop` decides.
  void set_times(std::optional<std::uint32_t> times);
  // Stays within these frames. A position outside moves to the beginning of the range.
  void set_range(FrameRange range);
  // Whether the end of the range will move on.
  void set_growing(bool growing) { parts_.growing = growing; }
  void set_paused(bool paused) { parts_.paused = paused; }
  void count_time_anew() { parts_.played = {}; }
  // Its frames, of this format, are numbered after those of the line that it replaces at its first tick.
  void number_after(const Line& before, PixelFormat format);
  // The clock was set: all ticks happen later by this time.
  void shift(Nanoseconds by) { parts_.start += by; }

  bool operator==(const Line&) const = default;

private:
  [[nodiscard]] bool allows(std::int64_t more_rounds) const;
  [[nodiscard]] Nanoseconds played(std::int64_t tick) const;

  Parts parts_;
};

}  // namespace lw
