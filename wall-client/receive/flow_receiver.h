// One flow on the render node: one socket. Receives coalesced runs, places their pixels in the
// band's buffer, hands finished bands to the presenter, and keeps the flow's figures. Answers RTCP once a second.
//
// The law: a band handed out as whole is what was sent, byte for byte; of another, each row that is said to be present
// (tests/truth).
//
// An agent. Threads: take_band, give_back are the presenter's; stats() anybody's; the rest is that of the thread that
// steps.
#pragma once

#include "common/base/result.h"
#include "common/concurrency/agent.h"
#include "common/concurrency/doorbell.h"
#include "common/concurrency/runner.h"
#include "common/concurrency/snapshot.h"
#include "common/concurrency/spsc_ring.h"
#include "common/memory/pages.h"
#include "common/metrics/flow_stats.h"
#include "common/metrics/frame_recorder.h"
#include "common/metrics/jitter.h"
#include "common/metrics/recent_distribution.h"
#include "common/metrics/sequence_tracker.h"
#include "common/metrics/stage_times.h"
#include "common/net/datagram_receiver.h"
#include "common/srtp/packet_opener.h"
#include "common/wall/geometry.h"
#include "wall-client/assemble/band_assembler.h"
#include "wall-client/assemble/parity_decoder.h"
#include "wall-client/receive/arrival_recorder.h"
#include "wall-client/receive/completion_times.h"
#include "wall-client/receive/forecast.h"
#include "wall-client/receive/receiver_ports.h"
#include "wall-client/receive/resend_requester.h"
#include "wall-client/receive/rtcp_responder.h"
#include "wall-client/receive/stream_source.h"

#include <atomic>
#include <memory>
#include <vector>

namespace lw {

class FlowReceiver final : public Agent {
public:
  // Binds the flow's ports and starts a thread of its own on `cpu` (< 0: not pinned). `clock`: that the flow keeps, by
  // exchanges with its sender; one flow of a node does where the wall file wants that. `recorder`: of who measures a
  // path, and outlives this.
  static Result<std::unique_ptr<FlowReceiver>> start(const Wall& wall, const Band& band, int cpu,
                                                     NodeClock* clock = nullptr, ArrivalRecorder* recorder = nullptr);
  // Without a thread: who makes it steps it.
  static Result<std::unique_ptr<FlowReceiver>> make(const Wall& wall, const Band& band, int cpu, ReceiverPorts ports,
                                                    NodeClock* clock = nullptr, ArrivalRecorder* recorder = nullptr);
  ~FlowReceiver() override = default;  // says BYE and joins, if it has a thread

  void begin(Nanoseconds shortest_sleep) override;
  // Takes what has come, or waits for it as long as the socket does, and does what is due.
  Wait step(const Moment& now) override;
  void end() override;

  // The next finished band, in the order they were finished. Its buffer is the presenter's until give_back.
  bool take_band(ReceivedBand& out) { return finished_.try_pop(out); }
  void give_back(unsigned buffer);
  [[nodiscard]] ReceiverFlowStats stats() const { return published_.read(); }
  // Of its bands: one other thread.
  FrameRecorder& records() { return records_; }
  // Frames of the flow's stream that the server says all tiles are to show ([sync] mode = "wall").
  [[nodiscard]] TickSet committed() const { return committed_.read(); }
  // When frames are shown, as the server said last.
  [[nodiscard]] PlayoutRamp kept_delay() const { return kept_delay_.read(); }
  // Any thread: of its own thread, some hundreds a second.
  [[nodiscard]] std::uint64_t turns() const { return runner_ ? runner_->turns() : 0; }
  // Another thread. The buffers stay where they are.
  Result<void> move_to(int cpu);
  [[nodiscard]] const Pages& memory() const { return memory_; }
  [[nodiscard]] std::size_t receive_buffer_bytes() const { return receive_buffer_bytes_; }

private:
  FlowReceiver(const Wall& wall, const Band& band, ReceiverPorts&& ports, const std::optional<MediaKey>& key,
               NodeClock* clock, ArrivalRecorder* recorder);
  Result<void> allocate(const Wall& wall, int cpu);

  void take_batch(std::span<const ReceivedRun> runs);
  std::size_t take_as_forecast(unsigned message, const ReceivedRun& run);
  bool take_first_packet(unsigned message, std::size_t index, const ReceivedRun& run);
  std::size_t take_stretch(unsigned message, std::size_t index, const ReceivedRun& run);
  void count_kernel_drops(std::uint32_t messages, std::uint64_t lost_before);
  void take_packet(std::span<std::byte> datagram, const ReceivedRun& run);
  bool open(std::span<std::byte>& datagram, const ReceivedRun& run);
  void refuse_unauthentic(const ReceivedRun& run);
  bool take_media(const MediaPacket& packet, const ReceivedRun& run);
  void take_resent(MediaPacket packet, const ReceivedRun& run);
  void take_parity(std::span<const std::byte> datagram, const ReceivedRun& run);
  void take_rebuilt(std::int64_t sequence);
  PacketFate place(const MediaPacket& packet, WallTime arrival);
  void note_gap(std::int64_t sequence, WallTime media_time, WallTime now);
  void ask_for_missing(const Moment& now);
  bool is_ours(std::uint32_t ssrc, const ReceivedRun& run);
  [[nodiscard]] bool lacks_stamp(const MediaPacket& packet) const;
  void restart(std::uint32_t ssrc);
  void count_new_frame(const MediaPacket& packet, WallTime arrival);
  void refuse(const ReceivedRun& run, std::optional<std::uint32_t> ssrc = std::nullopt);
  void record_packet(const MediaPacket& packet, std::size_t bytes, const ReceivedRun& run);
  void record_stretch(const Forecast::Stretch& stretch, std::size_t index, const ReceivedRun& run);
  void hand_out(WallTime received_up_to, WallTime now);
  void record(const ReceivedBand& band, bool room);
  void keep_clock(LocalTime now);
  void keep_step(LocalTime now);
  void keep_delay(LocalTime now);
  [[nodiscard]] WallTime given_up_at(WallTime media_time) const;
  [[nodiscard]] bool is_far_ahead(WallTime media_time, WallTime now);
  void publish(LocalTime now);

  const BandGeometry geometry_;
  const Nanoseconds least_delay_;
  const Nanoseconds most_delay_;
  PlayoutRamp delay_;  // from media time to presentation
  const std::unique_ptr<DatagramPort> port_;
  const std::unique_ptr<HostClock> host_;
  const bool waits_;              // in its receive call
  const std::vector<int> media_;  // else that there is something to receive
  const std::size_t receive_buffer_bytes_;
  const bool keeps_out_;
  DatagramReceiver receiver_;
  Forecast forecast_;
  StreamSource source_;
  std::optional<PacketOpener> opener_;  // where the wall file names a key
  RtcpResponder rtcp_;
  LocalTime batch_time_{};  // when the packets that are being taken were received, roughly
  NodeClock* clock_;
  ArrivalRecorder* recorder_;  // of who measures a path
  LocalTime next_clock_{};
  std::uint32_t clock_steps_ = 0;
  const bool in_step_;     // with the other flows: [sync] mode = "wall"
  const bool measures_;    // when packets and frames come
  const bool keeps_late_;  // bands, until their place is needed
  TickSet held_;
  LocalTime next_tell_{};
  LocalTime next_hear_delay_{};
  LocalTime next_tell_delay_{};
  std::optional<Address> second_source_;  // whose packets came by the second path
  Pages memory_;
  std::unique_ptr<BandAssembler> assembler_;

  SequenceTracker sequences_;                 // of the stream being received
  std::optional<ResendRequester> requester_;  // where the wall file has lost packets sent again
  std::optional<ParityDecoder> parity_;       // where the wall file has forward error correction
  WallTime newest_media_time_{};              // of the packet with the highest number; of our own sender's frames
  bool told_far_ahead_ = false;               // of this stream
  ReceiverFlowStats counted_;
  std::uint64_t lost_before_ = 0;  // by streams that were replaced; the same for the others
  std::uint64_t runs_before_ = 0;
  std::uint64_t reordered_before_ = 0;
  InterarrivalJitter jitter_;
  RecentDistribution<256> delays_us_;
  CompletionTimes completion_;
  StageTimes assemble_times_;
  std::optional<std::uint16_t> last_tick_;
  LocalTime next_publish_{};
  unsigned publishes_ = 0;

  FrameRecorder records_;
  SpscRing<ReceivedBand> finished_;
  SpscRing<unsigned> returned_;
  std::atomic<bool> was_moved_{false};  // the flow's thread looks where it is
  Snapshot<ReceiverFlowStats> published_;
  Snapshot<TickSet> committed_;
  Snapshot<PlayoutRamp> kept_delay_;
  Doorbell bell_;
  std::unique_ptr<Runner> runner_;  // last: joined before what it uses goes
};

}  // namespace lw
