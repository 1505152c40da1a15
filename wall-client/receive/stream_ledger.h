// The ledger of a flow's stream at its receiver: counts packets by their numbers, and measures when frames arrive and
// how long bands take. Every packet ends up in exactly one count of docs/metrics.md. The caller passes the time; one
// thread; allocates nothing after construction.
#pragma once

#include "common/metrics/flow_stats.h"
#include "common/metrics/frame_recorder.h"
#include "common/metrics/histograms.h"
#include "common/metrics/jitter.h"
#include "common/metrics/recent_distribution.h"
#include "common/metrics/recent_maximum.h"
#include "common/metrics/sequence_tracker.h"
#include "common/metrics/stage_times.h"
#include "common/wire/media_packet.h"
#include "wall-client/assemble/assembled_frame.h"
#include "wall-client/receive/arrival_recorder.h"
#include "wall-client/receive/completion_times.h"
#include "wall-client/receive/kernel_drops.h"
#include "wall-client/receive/side_stream.h"

#include <cstdint>
#include <optional>

namespace lw {

class StreamLedger {
public:
  // `measures`: also arrival times and stages. `recorder`: of a measurement, or null; must outlive this object.
  // `keeps_out`: the kernel drops packets from other hosts than the sender's, and counts them like drops at a full
  // socket.
  StreamLedger(unsigned flow, bool measures, ArrivalRecorder* recorder, bool keeps_out = false)
      : measures_(measures), recorder_(recorder), keeps_out_(keeps_out) {
    counts_.flow = flow;
  }

  // Counts that need nothing but the event: the caller increments them.
  [[nodiscard]] ReceiverFlowStats& counts() { return counts_; }
  [[nodiscard]] SequenceTracker& sequences() { return sequences_; }
  [[nodiscard]] const SequenceTracker& sequences() const { return sequences_; }
  [[nodiscard]] SideStream& parity() { return parity_; }
  [[nodiscard]] SideStream& resends() { return resends_; }

  // Another stream begins; its totals continue those of the previous streams.
  void restart(std::uint32_t ssrc);
  // The host's clock was set: drops all state that compares times.
  void forget_times();
  // Call before and after the packets of a message are taken. The kernel dropped `dropped_before` messages just before
  // it: missing numbers show how many of them were ours, and of which stream; the others came from hosts that it
  // filters.
  void begin_message(std::uint32_t dropped_before, LocalTime now);
  void end_message(LocalTime now);
  // A packet of the stream arrived. If it has a stamp, so do all others.
  void note_stamp(const MediaPacket& packet) { has_stamps_ = has_stamps_ || packet.stamp; }
  // The packet that was sent first in a frame. Jitter and delay use only these (see common/metrics/jitter.h): if this
  // packet was lost, the one that arrived first was sent later.
  void begin_frame(const MediaPacket& packet, WallTime arrival);
  // A packet of a frame arrived, even if it was late; the last one counts.
  void complete(WallTime media_time, WallTime arrival) { completion_.add(media_time, arrival); }
  // A band is finished. `room`: the presenter has room for it.
  void finish(const ReceivedBand& band, bool room);

  // Whether the stream's packets carry our stamp.
  [[nodiscard]] bool has_stamps() const { return has_stamps_; }
  [[nodiscard]] std::uint32_t jitter_rtp_units() const { return jitter_.rtp_units(); }
  // The playout delay with which 99 % of the frames arrive in time; empty before the first frame.
  [[nodiscard]] std::optional<Nanoseconds> delay_needed() const;
  // The current figures. Percentiles, which cost a sort, are updated in every tenth call.
  [[nodiscard]] ReceiverFlowStats& figures(LocalTime now);
  [[nodiscard]] FrameRecorder& records() { return records_; }
  // Any thread.
  [[nodiscard]] const ReceiverFlowHistograms& histograms() const { return histograms_; }

private:
  KernelDrops::Streams streams() { return {&sequences_, &parity_.sequences(), &resends_.sequences()}; }
  void count_strangers(LocalTime now);

  const bool measures_;
  ArrivalRecorder* const recorder_;
  const bool keeps_out_;
  ReceiverFlowStats counts_;
  SequenceTracker sequences_;
  SideStream parity_;
  SideStream resends_;
  KernelDrops drops_;
  bool has_stamps_ = false;
  FrameJitter jitter_;
  RecentMaximum<double> jitter_max_us_;
  RecentDistribution<256> delays_us_;
  ReceiverFlowHistograms histograms_;
  CompletionTimes completion_{histograms_.completion};
  StageTimes assemble_times_;
  FrameRecorder records_;
  unsigned readings_ = 0;
};

}  // namespace lw
