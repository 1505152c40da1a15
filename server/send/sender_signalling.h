// What a flow's sender and its receivers exchange in addition to the frames: reports (RTCP), requests for lost packets
// and their resends, the time, the frames that all tiles show, and the playout delay. Nodes of sites take no part in
// the last, and what they report changes nothing for the wall's own node. Stepped by the flow's thread; commit(),
// keep_to() and feedback() are for other threads.
#pragma once

#include "common/base/moment.h"
#include "common/concurrency/doorbell.h"
#include "common/concurrency/snapshot.h"
#include "common/metrics/flow_stats.h"
#include "common/metrics/site_stats.h"
#include "common/net/readable_ports.h"
#include "common/srtp/packet_sealer.h"
#include "common/wall/wall_file.h"
#include "common/wire/playout_ramp.h"
#include "common/wire/tick_set.h"
#include "server/send/commit_exchange.h"
#include "server/send/flow_feedback.h"
#include "server/send/flow_path.h"
#include "server/send/frame_packets.h"
#include "server/send/resender.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lw {

class SenderSignalling {
public:
  // How often it checks for requests while the flow is too busy to wait for them.
  static constexpr std::chrono::milliseconds serve_interval{1};

  // `paths` and `sealer` (may be null) must outlive this object.
  SenderSignalling(const Wall& wall, std::span<const std::unique_ptr<FlowPath>> paths, const StreamNumbers& numbers,
                   PacketSealer* sealer);

  // Places are numbered: the wall is 0, its first site 1.
  // One other thread: the frames that all tiles of a place show ([sync] mode = "wall"), and the wall's playout delay.
  void commit(std::size_t place, const TickSet& committed) { places_[place]->commit(committed); }
  void keep_to(const PlayoutRamp& delay) { delay_.publish({delay, true}); }
  // Any thread: the newest report of the receiver at a place. When one changes, `number` is noted on `board`.
  [[nodiscard]] FlowFeedback feedback(std::size_t place) const { return places_[place]->feedback(); }
  void note_feedback_on(BellBoard& board, unsigned number) { heard_.hang(board, number); }

  // From now on in other streams.
  void begin_streams(const StreamNumbers& numbers);
  // A frame begins, or a new format; its packets may be requested again.
  void begin_frame(FrameBuffer* buffer, const FrameStamp& stamp, std::uint32_t first_sequence);
  void sent(std::size_t packets);
  void forget_frames();
  // `rate`: of the flow; each receiver may use its share.
  void set_resend_budget(BitRate rate, std::size_t packet_bytes);

  // Takes in what has arrived, if it is time for that or `at_once`, and resends what may go now. `may_read`: false if
  // certainly nothing has arrived.
  void serve(const Moment& now, const FramePackets& packets, bool at_once, bool may_read);
  void report(WallTime now, std::uint64_t packets, std::uint64_t payload_bytes);
  void say_goodbye(WallTime now, std::uint64_t packets, std::uint64_t payload_bytes);

  // Whether to listen to the receiver between the runs of a frame; and also while there is no frame.
  [[nodiscard]] bool listens() const { return resender_.has_value() || listens_; }
  [[nodiscard]] bool always_listens() const { return listens_; }
  struct Listening {
    std::span<const int> descriptors;  // readable when the receiver sends something; empty during a flood
    LocalTime until =
        LocalTime::max();  // when to serve again at the latest, because of the budget, a flood, or something to send
  };
  [[nodiscard]] Listening listen(LocalTime now);
  // While there is no frame to send: when a report is due or a kept frame is no longer needed. `packets`: sent so far.
  [[nodiscard]] LocalTime next_upkeep(const Moment& now, std::uint64_t packets);
  [[nodiscard]] bool resends() const { return resender_.has_value(); }
  [[nodiscard]] bool keeps_frames() { return resender_ && !resender_->sent().empty(); }

  [[nodiscard]] PlayoutRamp delay() const { return delay_.read().ramp; }
  // To the wall's node, of the slower path; empty before it has reported.
  [[nodiscard]] std::optional<Nanoseconds> round_trip() const;
  [[nodiscard]] std::optional<WallTime> loss_seen() const;
  void fill_in(SenderFlowStats& stats, LocalTime now);
  // `sites`: as in Wall::sites.
  void publish_sites(LocalTime now, std::span<const std::unique_ptr<Snapshot<SiteStats>>> sites) const;

private:
  void receive_from(FlowPath& path, std::size_t receiver, const FramePackets& packets, const Moment& now,
                    bool may_read);
  void hear_feedback();
  void tell_delay(const Moment& now);

  const std::span<const std::unique_ptr<FlowPath>> paths_;
  const std::span<const std::unique_ptr<FlowPath>> to_node_;  // the first of them
  std::vector<std::unique_ptr<CommitExchange>> places_;
  std::vector<std::size_t> receivers_;  // by path: the resender's receiver at its end; 0: the wall's node
  ReadablePorts members_;               // nodes that have joined a group
  const bool in_step_;                  // [sync] mode = "wall"
  const bool adapts_;                   // [streaming] adapts the playout delay
  const bool listens_;                  // to its receiver, even with nothing to resend
  std::vector<int> descriptors_;
  std::optional<Resender> resender_;  // if the wall file enables resends
  WallTime next_serve_{};
  PlayoutRamp told_delay_;
  LocalTime next_tell_delay_{};
  LocalTime next_refused_{};

  std::optional<BitRate> rate_;  // of the flow, of which each receiver's resends may use a share
  Doorbell heard_;
  // Nodes hear of it once it was decided: a server that has just started does not know what the others have decided.
  struct Delay {
    PlayoutRamp ramp;
    bool decided = false;
  };
  Snapshot<Delay> delay_;
};

}  // namespace lw
