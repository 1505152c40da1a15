// What a flow's receiver and sender exchange in addition to the frames: reports (RTCP), requests for lost packets, the
// time, the frames that all tiles show, and the playout delay. Stepped by the flow's thread; committed() and
// kept_delay() are for other threads. The sender's side: server/send/sender_signalling.h.
#pragma once

#include "common/base/moment.h"
#include "common/concurrency/snapshot.h"
#include "common/wall/wall_file.h"
#include "common/wire/playout_ramp.h"
#include "common/wire/tick_set.h"
#include "wall-client/receive/node_holdings.h"
#include "wall-client/receive/resend_requester.h"
#include "wall-client/receive/rtcp_responder.h"
#include "wall-client/receive/stream_ledger.h"
#include "wall-client/receive/stream_source.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lw {

class ReceiverSignalling {
public:
  // `control`: a port at each address of the node. `ssrc`: of what it sends. `clock`: the clock that this flow
  // synchronizes, or null. `holdings`: of the node, or null. All that is not moved must outlive this object.
  ReceiverSignalling(const Wall& wall, TileIndex tile, std::vector<std::unique_ptr<DatagramPort>> control,
                     std::uint32_t ssrc, const std::optional<MediaKey>& key, ClockKeeper* clock,
                     const StreamSource& source, NodeHoldings* holdings = nullptr);

  // Any thread: the frames of the stream that all tiles show ([sync] mode = "wall") and the playout delay, by the
  // server's newest decision.
  [[nodiscard]] TickSet committed() const { return committed_.read(); }
  [[nodiscard]] PlayoutRamp kept_delay() const { return kept_delay_.read(); }

  // Synchronizes the node's clock, if that is this flow's task.
  void keep_clock(LocalTime now);
  // Sends what is due and takes in what has arrived, if it is time for that or `at_once`. `watched`: what arrives also
  // wakes the flow. True if committed() or kept_delay() changed.
  bool step(const Moment& now, StreamLedger& ledger, bool watched, bool at_once);
  // What the caller of step() should wait for, besides packets of the stream. Nothing until a stream is known.
  struct Listening {
    bool hears = false;                  // whether to wait for descriptors(); false during a flood
    LocalTime until = LocalTime::max();  // when something is due
  };
  [[nodiscard]] Listening listen(const Moment& now);
  [[nodiscard]] std::vector<int> descriptors() const { return rtcp_.descriptors(); }
  void say_goodbye(WallTime now, const StreamLedger& ledger);
  // Another stream begins, also in `sequences`.
  void restart(const SequenceTracker& sequences);

  // Packets that were or will be requested and can still arrive in time.
  [[nodiscard]] std::size_t awaited(WallTime now) const { return requester_ ? requester_->awaited(now) : 0; }
  // Whether lost packets are requested; if not, the functions up to forget() do nothing.
  [[nodiscard]] bool requests() const { return requester_.has_value(); }
  // Packets before this one are missing. `media_time`: the latest that their frame can have; without it, that of the
  // newest packet. Not for a refused frame: its packets would be awaited as long as it is ahead.
  void miss_before(std::int64_t sequence, const SequenceTracker& sequences, WallTime media_time, WallTime now);
  void miss_before(std::int64_t sequence, const SequenceTracker& sequences, WallTime now) {
    miss_before(sequence, sequences, newest_.media_time, now);
  }
  // The media time of the first frame that may lack packets, when one of the frame `next` arrives after the newest.
  [[nodiscard]] WallTime first_missed(const FrameStamp& next) const;
  // The newest packet belongs to this frame.
  void reach(const FrameStamp& frame) { newest_ = frame; }
  // No packet of this frame is missing.
  void complete(WallTime media_time) { completed_ = media_time; }
  // A missing packet arrived, as the original or `resent`. True if it is still needed.
  bool found(std::int64_t sequence, bool resent, WallTime now) {
    return requester_ && requester_->found(sequence, resent, now);
  }
  // A missing packet was recovered by other means.
  void forget(std::int64_t sequence) {
    if (requester_) requester_->forget(sequence);
  }

  // A complete frame waits for the other tiles ([sync] mode = "wall").
  void hold(std::uint16_t tick);
  // Whether a frame is stamped so far ahead of this host's clock that it is refused: its sender's clock is far off, or
  // the packet is not from that sender. False where late bands are kept.
  [[nodiscard]] bool is_far_ahead(WallTime media_time, WallTime now) const;
  // When a band with missing packets is dropped.
  [[nodiscard]] WallTime deadline_of(WallTime media_time) const;
  // RTCP packets that were refused, here or by the kernel. Asks the kernel.
  [[nodiscard]] std::uint64_t refused() const { return rtcp_.refused(); }

private:
  // Before the first sender report nobody can be asked, and a request that is not sent must not count as unanswered.
  [[nodiscard]] bool asks() const { return requester_ && !requester_->empty() && rtcp_.knows_sender(); }
  void request_missing(std::uint32_t ssrc, const Moment& now, StreamLedger& ledger);
  bool exchange_held(std::uint32_t ssrc, LocalTime now);
  void report_held(std::uint32_t ssrc, LocalTime now);
  bool exchange_delay(std::uint32_t ssrc, LocalTime now, const StreamLedger& ledger);

  const StreamSource& source_;
  RtcpResponder rtcp_;
  ClockKeeper* const clock_;
  const Nanoseconds least_delay_;
  const Nanoseconds most_delay_;
  const bool in_step_;     // [sync] mode = "wall"
  const bool keeps_late_;  // keeps late bands until their place is needed
  const Nanoseconds hear_interval_;
  PlayoutRamp delay_;                         // from media time to presentation
  LocalTime delay_told_{};                    // when the server last sent it
  std::optional<ResendRequester> requester_;  // if the wall file enables resends
  FrameStamp newest_;                         // of the packet with the highest number, from our own sender
  WallTime completed_{};                      // media time of the frame that was complete last
  TickSet held_;
  TickSet held_seen_;  // as of the last look
  TickSet told_held_;  // by this flow, for itself or its node
  LocalTime told_at_{};
  NodeHoldings* const holdings_;
  const std::size_t place_;   // of this flow, in holdings_
  bool may_be_last_ = false;  // to hold a frame
  LocalTime next_hear_{};
  LocalTime next_clock_{};
  LocalTime next_held_{};
  LocalTime next_tell_delay_{};
  Snapshot<TickSet> committed_;
  Snapshot<PlayoutRamp> kept_delay_;
};

}  // namespace lw
