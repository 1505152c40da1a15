// One flow on the render node: one socket. Receives coalesced runs, places their pixels in the band's buffer, and hands
// finished bands to the presenter. StreamLedger keeps the flow's figures, ReceiverSignalling talks to its sender.
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
#include "common/net/datagram_receiver.h"
#include "common/srtp/packet_opener.h"
#include "common/wall/geometry.h"
#include "wall-client/assemble/band_assembler.h"
#include "wall-client/assemble/parity_decoder.h"
#include "wall-client/receive/arrival_recorder.h"
#include "wall-client/receive/forecast.h"
#include "wall-client/receive/receiver_ports.h"
#include "wall-client/receive/receiver_signalling.h"
#include "wall-client/receive/stream_ledger.h"
#include "wall-client/receive/stream_source.h"

#include <atomic>
#include <memory>
#include <vector>

namespace lw {

class FlowReceiver final : public Agent {
public:
  // Binds the flow's ports and starts a thread of its own on `cpu` (< 0: not pinned). `presenter`: rung when there is
  // something for it. `clock`: that the flow keeps, by exchanges with its sender; one flow of a node does where the
  // wall file wants that. `recorder`: of who measures a path. All outlive this.
  static Result<std::unique_ptr<FlowReceiver>> start(const Wall& wall, const Band& band, int cpu,
                                                     Doorbell* presenter = nullptr, NodeClock* clock = nullptr,
                                                     ArrivalRecorder* recorder = nullptr);
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
  // The thread that steps: lost packets that are waited for, since they can still arrive in time.
  [[nodiscard]] std::size_t awaited() const { return signalling_.awaited(port_->now().wall); }
  // Of its bands: one other thread.
  FrameRecorder& records() { return ledger_.records(); }
  // Frames of the flow's stream that the server says all tiles are to show ([sync] mode = "wall").
  [[nodiscard]] TickSet committed() const { return signalling_.committed(); }
  // When frames are shown, as the server said last.
  [[nodiscard]] PlayoutRamp kept_delay() const { return signalling_.kept_delay(); }
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
  void take_packet(std::span<std::byte> datagram, const ReceivedRun& run);
  bool open(std::span<std::byte>& datagram, const ReceivedRun& run);
  void refuse_unauthentic(const ReceivedRun& run);
  bool take_media(const MediaPacket& packet, const ReceivedRun& run);
  void take_resent(MediaPacket packet, const ReceivedRun& run);
  void take_parity(std::span<const std::byte> datagram, const ReceivedRun& run);
  void take_rebuilt(std::int64_t sequence);
  PacketFate place(const MediaPacket& packet, WallTime arrival);
  bool is_ours(std::uint32_t ssrc, const ReceivedRun& run);
  [[nodiscard]] bool lacks_stamp(const MediaPacket& packet) const;
  void restart(std::uint32_t ssrc);
  void refuse(const ReceivedRun& run, std::optional<std::uint32_t> ssrc = std::nullopt);
  void record_packet(const MediaPacket& packet, std::size_t bytes, const ReceivedRun& run);
  void record_stretch(const Forecast::Stretch& stretch, std::size_t index, const ReceivedRun& run);
  void hand_out(WallTime received_up_to, WallTime now);
  [[nodiscard]] bool is_far_ahead(WallTime media_time, WallTime now);
  void publish(LocalTime now);
  void ring_presenter() {
    if (presenter_ != nullptr) presenter_->ring();
  }
  [[nodiscard]] Wait next_wait(const Moment& now);

  const BandGeometry geometry_;
  const std::unique_ptr<DatagramPort> port_;
  const std::unique_ptr<HostClock> host_;
  const bool waits_;           // in its receive call
  Doorbell* const presenter_;  // or null
  const std::size_t receive_buffer_bytes_;
  const bool keeps_out_;
  DatagramReceiver receiver_;
  Forecast forecast_;
  StreamSource source_;
  std::optional<PacketOpener> opener_;  // where the wall file names a key
  LocalTime batch_time_{};              // when the packets that are being taken were received, roughly
  ReceiverSignalling signalling_;
  StreamLedger ledger_;
  ReceiverFlowStats& counted_;       // of the ledger
  ArrivalRecorder* const recorder_;  // of all packets, for a measurement; or null
  std::uint32_t clock_steps_ = 0;
  bool told_far_ahead_ = false;           // of this stream
  std::optional<Address> second_source_;  // whose packets came by the second path
  Pages memory_;
  std::unique_ptr<BandAssembler> assembler_;
  std::optional<ParityDecoder> parity_;  // where the wall file has forward error correction
  std::vector<int> descriptors_;         // of the media, and behind them of the signalling
  bool changed_ = true;                  // what is published, since it was
  LocalTime next_publish_{};

  SpscRing<ReceivedBand> finished_;
  SpscRing<unsigned> returned_;
  std::atomic<bool> was_moved_{false};  // the flow's thread looks where it is
  Snapshot<ReceiverFlowStats> published_;
  Doorbell bell_;
  std::unique_ptr<Runner> runner_;  // last: joined before what it uses goes
};

}  // namespace lw
