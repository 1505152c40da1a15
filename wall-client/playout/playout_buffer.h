// The frames of one tile that wait for their presentation: joins bands into frames by their media time, in the order of
// presentation. Decides which frame a tile shows when. [sync] mode "tile": the newest frame that is due; "wall": each
// frame that is due and that the server has committed in time. No clock and no drawing inside; one thread (the
// presenter's).
#pragma once

#include "common/base/units.h"
#include "common/wall/wall_file.h"
#include "common/wire/playout_ramp.h"
#include "common/wire/tick_set.h"
#include "wall-client/assemble/assembled_frame.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace lw {

// frames_due = shown_whole + shown_concealed + not_shown.
struct PlayoutCounts {
  // Frames whose first packets were sent before all flows of this node listened. Neither due nor shown.
  std::uint64_t cut_at_start = 0;
  std::uint64_t frames_due = 0;
  std::uint64_t shown_whole = 0;
  std::uint64_t shown_repaired = 0;  // of those shown complete
  std::uint64_t shown_concealed = 0;
  std::uint64_t not_shown = 0;
  std::uint64_t not_committed = 0;  // of those not shown: complete here, but not in all tiles

  bool operator==(const PlayoutCounts&) const = default;
};

class PlayoutBuffer {
public:
  // `give_back` returns a band's buffer to its flow; `left_out` is called for frames that are not shown. At most
  // `capacity` frames wait; one more drops the oldest.
  PlayoutBuffer(unsigned bands_per_tile, Nanoseconds playout_delay, std::size_t capacity,
                std::function<void(const ReceivedBand&)> give_back, SyncMode mode = SyncMode::tile,
                std::function<void(const AssembledFrame&)> left_out = {});
  ~PlayoutBuffer();
  PlayoutBuffer(const PlayoutBuffer&) = delete;
  PlayoutBuffer& operator=(const PlayoutBuffer&) = delete;

  void add(const ReceivedBand& band);
  // Whether its frame was due already, with or without it.
  [[nodiscard]] bool is_past(const ReceivedBand& band) const { return last_due_ && band.media_time <= *last_due_; }
  // Mode "wall": all tiles show these frames.
  void commit(const TickSet& ticks);

  // Sets the playout delay from now on.
  void keep_to(const PlayoutRamp& delay) { delay_ = delay; }

  [[nodiscard]] WallTime presentation_time(const AssembledFrame& frame) const {
    return frame.media_time + delay_.at(frame.media_time);
  }
  // The media time of the frame to be shown at `now`.
  [[nodiscard]] WallTime media_time(WallTime now) const { return now - delay_.at(now - delay_.to); }
  // The frame to show at `now`: the newest whose presentation time has come. Older frames that were not shown are
  // counted and dropped. nullptr if nothing new is due. Valid until the next call of a non-const member.
  const AssembledFrame* due(WallTime now);
  // The frame after that, if it is already complete: it may be uploaded ahead of its time.
  [[nodiscard]] const AssembledFrame* next_whole() const;
  // When to call due() next, as far as is known; none if there are no frames. Mode "wall": a frame that is not
  // committed by then expires; a commitment makes it due earlier.
  [[nodiscard]] std::optional<WallTime> next_time() const;

  // The frame returned by due() was shown: counts it and returns its buffers.
  void shown();

  [[nodiscard]] const PlayoutCounts& counts() const { return counts_; }
  [[nodiscard]] unsigned whole_waiting() const;

private:
  static bool set_back(WallTime time, std::optional<std::uint16_t> tick, const ReceivedBand& band);
  void note_joined(const ReceivedBand& band);
  [[nodiscard]] std::size_t place_of(unsigned flow) const;  // index in joined_ and streams_
  void follow_stream(const ReceivedBand& band);
  [[nodiscard]] std::optional<std::uint16_t> tick_of(const AssembledFrame& frame) const;
  [[nodiscard]] bool is_overtaken(const ReceivedBand& band) const;
  [[nodiscard]] bool is_cut(const AssembledFrame& frame) const;
  void drop_cut_frame();
  const AssembledFrame* due_in_step(WallTime now);
  void leave_out_front();
  static void name(AssembledFrame& frame, const ReceivedBand& band);
  void count_due(const AssembledFrame& frame);
  void drop_front();

  const unsigned bands_per_tile_;
  PlayoutRamp delay_;
  const std::size_t capacity_;
  std::function<void(const ReceivedBand&)> give_back_;
  const SyncMode mode_;
  const std::function<void(const AssembledFrame&)> left_out_;
  std::vector<AssembledFrame> frames_;  // by media time; frames_[0 .. used_) wait, the others keep their storage
  std::size_t used_ = 0;
  std::vector<unsigned> joined_;            // flows that have delivered a band
  std::vector<std::uint32_t> streams_;      // the newest stream of each flow in joined_
  std::optional<WallTime> first_band_;      // media time of the first band; reset when the server's clock is set back
  WallTime last_joined_{};                  // media time of the first band of the last flow to join
  std::optional<std::uint16_t> last_tick_;  // of the newest frame counted as due, if it belongs to the newest streams
  std::optional<WallTime> last_due_;        // its media time: bands of frames up to it are late
  PlayoutCounts counts_;
};

}  // namespace lw
