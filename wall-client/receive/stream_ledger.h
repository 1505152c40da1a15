// The ledger of a flow's stream at its receiver: counts packets by their numbers, and measures when frames arrive and
// how long bands take. Every packet ends in exactly one count of docs/metrics.md. Time is passed in; one thread;
// allocates nothing after construction.
#pragma once

#include "common/metrics/flow_stats.h"
#include "common/metrics/frame_recorder.h"
#include "common/metrics/jitter.h"
#include "common/metrics/recent_distribution.h"
#include "common/metrics/recent_maximum.h"
#include "common/metrics/sequence_tracker.h"
#include "common/metrics/stage_times.h"
#include "common/wire/media_packet.h"
#include "wall-client/assemble/assembled_frame.h"
#include "wall-client/receive/arrival_recorder.h"
#include "wall-client/receive/completion_times.h"

#include <cstdint>
#include <optional>

namespace lw {

class StreamLedger {
public:
  // `measures`: also arrival times and stages. `recorder`: of a measurement, or null; outlives this.
  StreamLedger(unsigned flow, bool measures, ArrivalRecorder* recorder) : measures_(measures), recorder_(recorder) {
    counts_.flow = flow;
  }

  // Counts that need nothing but the event: the caller adds to them.
  [[nodiscard]] ReceiverFlowStats& counts() { return counts_; }
  [[nodiscard]] SequenceTracker& sequences() { return sequences_; }
  [[nodiscard]] const SequenceTracker& sequences() const { return sequences_; }

  // Another stream begins; its totals continue those of the streams before.
  void restart(std::uint32_t ssrc);
  // The host's clock was set: forgets what compares times.
  void forget_times();
  // The kernel dropped so many messages just before one that arrived. The sequence numbers show how many of them were
  // ours (`lost_before`: lost packets before that message); the others came from hosts that it keeps out, if it does.
  void kernel_dropped(std::uint32_t messages, std::uint64_t lost_before, bool keeps_out);
  // The first packet that arrived of a frame.
  void open_frame(const MediaPacket& packet) { has_stamps_ = has_stamps_ || packet.stamp; }
  // The first packet that was sent of a frame. Jitter and delay are of these only: see common/metrics/jitter.h. Another
  // one that arrived first, because this one was lost, left later.
  void begin_frame(const MediaPacket& packet, WallTime arrival);
  // The last packet of a frame arrived, also one that came too late.
  void complete(WallTime media_time, WallTime arrival) { completion_.add(media_time, arrival); }
  // A band is finished. `room`: the presenter can take it.
  void finish(const ReceivedBand& band, bool room);

  // Whether the stream's packets carry our stamp.
  [[nodiscard]] bool has_stamps() const { return has_stamps_; }
  [[nodiscard]] std::uint32_t jitter_rtp_units() const { return jitter_.rtp_units(); }
  // The playout delay that lets 99 % of the frames arrive in time; empty before the first.
  [[nodiscard]] std::optional<Nanoseconds> delay_needed() const;
  // The figures now. Percentiles, which cost a sort, are renewed by each tenth call.
  [[nodiscard]] ReceiverFlowStats& figures(LocalTime now);
  [[nodiscard]] FrameRecorder& records() { return records_; }

private:
  const bool measures_;
  ArrivalRecorder* const recorder_;
  ReceiverFlowStats counts_;
  SequenceTracker sequences_;
  bool has_stamps_ = false;
  std::optional<std::uint16_t> last_tick_;
  InterarrivalJitter jitter_;
  RecentMaximum<double> jitter_max_us_;
  RecentDistribution<256> delays_us_;
  CompletionTimes completion_;
  StageTimes assemble_times_;
  FrameRecorder records_;
  unsigned readings_ = 0;
};

}  // namespace lw
