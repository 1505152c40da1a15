// One flow on the render node, with one media socket. Receives coalesced runs, places their pixels in the band's
// buffer, and hands finished bands to the presenter. StreamLedger counts, ReceiverSignalling talks to the sender.
//
// The law: a band handed out as complete equals what was sent, byte for byte. So does each row of another band that is
// marked as present (tests/truth).
//
// An agent. Threads: take_band and give_back belong to the presenter, stats() to any thread, everything else to the
// thread that steps.
#pragma once

#include "common/base/result.h"
#include "common/concurrency/agent.h"
#include "common/concurrency/runner.h"
#include "common/concurrency/snapshot.h"
#include "common/concurrency/spsc_ring.h"
#include "common/memory/pages.h"
#include "common/metrics/flow_stats.h"
#include "common/metrics/varying_frames.h"
#include "common/net/datagram_receiver.h"
#include "common/srtp/packet_opener.h"
#include "common/wall/geometry.h"
#include "wall-client/assemble/band_assembler.h"
#include "wall-client/assemble/parity_decoder.h"
#include "wall-client/receive/arrival_recorder.h"
#include "wall-client/receive/forecast.h"
#include "wall-client/receive/newest_generation.h"
#include "wall-client/receive/receive_nap.h"
#include "wall-client/receive/receiver_ports.h"
#include "wall-client/receive/receiver_signalling.h"
#include "wall-client/receive/stream_ledger.h"
#include "wall-client/receive/stream_source.h"

#include <array>
#include <memory>
#include <vector>

namespace lw {

class FlowReceiver final : public Agent {
public:
  // Binds the flow's ports and starts a thread on `cpu` (< 0: not pinned). `presenter`: the board where the flow is
  // noted when there is something for the presenter, or null. `clock`: the node's clock, which this flow synchronizes
  // with its sender (one flow of a node does, if the wall file asks for it), or null. `recorder`: of a measurement, or
  // null. All must outlive this object.
  static Result<std::unique_ptr<FlowReceiver>> start(const Wall& wall, const Band& band, int cpu,
                                                     BellBoard* presenter = nullptr, ClockKeeper* clock = nullptr,
                                                     ArrivalRecorder* recorder = nullptr);
  // Starts no thread: the caller steps it. `cpu`: its buffers are allocated near it.
  static Result<std::unique_ptr<FlowReceiver>> make(const Wall& wall, const Band& band, int cpu, ReceiverPorts ports,
                                                    ClockKeeper* clock = nullptr, ArrivalRecorder* recorder = nullptr);
  // Of the flow's band buffers.
  static std::size_t memory_bytes(const Wall& wall, const Band& band);
  ~FlowReceiver() override = default;  // says BYE and joins, if it has a thread

  void begin(Nanoseconds shortest_sleep) override;
  void stand_alone(bool alone) override { waits_ = may_wait_ && alone ? Waits::while_they_come : Waits::never; }
  // Takes in what has arrived and does what is due. While packets come, a flow that is alone on its thread naps when it
  // has taken all, or waits for the next one in its receive call. After a wait without a packet, the thread's runner
  // waits.
  Wait step(const Moment& now) override;
  void end() override;

  // The next finished band, in order of finishing. Its buffer belongs to the presenter until give_back.
  bool take_band(ReceivedBand& out) { return finished_.try_pop(out); }
  void give_back(unsigned buffer);
  [[nodiscard]] ReceiverFlowStats stats() const { return published_.read(); }
  // The thread that steps: lost packets that are awaited because they can still arrive in time.
  [[nodiscard]] std::size_t awaited() const { return signalling_.awaited(port_->now().wall); }
  // One other thread: records of its bands.
  FrameRecorder& records() { return ledger_.records(); }
  // Any thread.
  [[nodiscard]] const ReceiverFlowHistograms& histograms() const { return ledger_.histograms(); }
  // The thread that steps: what it has copied after wrong forecasts.
  [[nodiscard]] const PixelCopies& copies() const { return copies_; }
  // Frames of the flow's stream that all tiles show, by the server's decision ([sync] mode = "wall").
  [[nodiscard]] TickSet committed() const { return signalling_.committed(); }
  // The playout delay, by the server's newest decision.
  [[nodiscard]] PlayoutRamp kept_delay() const { return signalling_.kept_delay(); }
  [[nodiscard]] unsigned flow() const { return geometry_.flow; }
  [[nodiscard]] const Pages& memory() const { return memory_; }
  [[nodiscard]] std::size_t receive_buffer_bytes() const { return receive_buffer_bytes_; }

private:
  FlowReceiver(const Wall& wall, const Band& band, ReceiverPorts&& ports, const std::optional<MediaKey>& key,
               ClockKeeper* clock, ArrivalRecorder* recorder);
  Result<void> allocate(const Wall& wall, Pages memory, int cpu);

  void take_batch(std::span<const ReceivedRun> runs);
  std::size_t take_as_forecast(unsigned message, const ReceivedRun& run);
  bool take_first_packet(unsigned message, std::size_t index, const ReceivedRun& run);
  std::size_t take_stretch(unsigned message, std::size_t index, const ReceivedRun& run);
  void put_in_place();
  void take_packet(std::span<std::byte> datagram, const ReceivedRun& run);
  bool open(std::span<std::byte>& datagram, const ReceivedRun& run);
  void refuse_unauthentic(const ReceivedRun& run);
  bool take_media(const MediaPacket& packet, const ReceivedRun& run);
  void take_resent(MediaPacket packet, const ReceivedRun& run);
  void take_parity(std::span<const std::byte> datagram, const ReceivedRun& run);
  void take_rebuilt(std::int64_t sequence);
  SequenceTracker::Verdict count_parity(const ParityPacket& packet);
  PacketFate place(const MediaPacket& packet, WallTime arrival);
  bool is_ours(std::uint32_t ssrc, const ReceivedRun& run);
  [[nodiscard]] bool lacks_stamp(const MediaPacket& packet) const;
  bool begins_without_stamps(const MediaPacket& packet);
  void restart(std::uint32_t ssrc);
  void refuse(const ReceivedRun& run, std::optional<std::uint32_t> ssrc = std::nullopt);
  void record_packet(const MediaPacket& packet, std::size_t bytes, const ReceivedRun& run);
  void record_stretch(const Forecast::Stretch& stretch, std::size_t index, const ReceivedRun& run);
  void hand_out(WallTime received_up_to, WallTime now);
  [[nodiscard]] bool is_far_ahead(WallTime media_time, WallTime now);
  void publish(LocalTime now);
  [[nodiscard]] bool waits_here() const { return waits_ == Waits::always || (waits_ != Waits::never && comes_); }
  std::span<const ReceivedRun> receive();
  [[nodiscard]] Wait next_wait(const Moment& now);

  const BandGeometry geometry_;
  const PacketCut cut_;
  const std::unique_ptr<DatagramPort> port_;
  const std::unique_ptr<HostClock> host_;
  const bool may_wait_;
  enum class Waits : std::uint8_t { never, while_they_come, always } waits_;  // for packets, in its receive call
  bool comes_ = false;                                                        // packets, as of the last receive call
  bool blocks_ = true;                                                        // the next one may wait
  DrainNap nap_;
  const std::size_t receive_buffer_bytes_;
  const unsigned dscp_;  // with which the flow is sent
  DatagramReceiver receiver_;
  Forecast forecast_;
  PixelCopies copies_;                 // of this batch
  std::span<const ReceivedRun> runs_;  // of this batch
  unsigned message_ = 0;               // of these, the one that is looked at
  StreamSource source_;
  std::optional<PacketOpener> opener_;  // if the wall file names a key
  Nanoseconds naps_{0};                 // until the next receive call
  LocalTime batch_time_{};              // approximately when the current batch of packets was received
  ReceiverSignalling signalling_;
  StreamLedger ledger_;
  VaryingFrames varying_;            // which numbers of the stream belong to packets
  WallTime missed_of_{};             // the latest media time of those that its frames turn out to miss
  const bool numbers_parity_;        // by frame, because several servers send it
  ReceiverFlowStats& counted_;       // in ledger_
  ArrivalRecorder* const recorder_;  // records all packets for a measurement; or null
  std::uint32_t clock_steps_ = 0;
  NewestGeneration newest_generation_;    // of the stream
  bool told_far_ahead_ = false;           // once for each stream
  std::optional<Address> second_source_;  // the source of packets that came by the second path
  Pages memory_;
  std::unique_ptr<BandAssembler> assembler_;
  std::optional<ParityDecoder> parity_;  // if the wall file has forward error correction
  std::vector<int> descriptors_;         // of the media port, then those of the signalling
  bool changed_ = true;                  // since the last publication
  LocalTime next_publish_{};
  LocalTime next_refused_{};

  SpscRing<ReceivedBand> finished_;
  SpscRing<unsigned> returned_;
  Doorbell presenter_;  // noted on the presenter's board
  Snapshot<ReceiverFlowStats> published_;
  std::unique_ptr<Runner> runner_;  // last: joined before the members it uses are destroyed
};

}  // namespace lw
