// A UDP flow that receives and counts packets and discards them: the capacity of a path without placing every byte.
// Uses some 256 KiB of memory, which stay in the cache. Sequence numbers, loss and jitter are kept as in FlowReceiver.
//
// An agent. Threads: stats() from any thread; one other thread empties the recorder; all else belongs to the thread
// that steps it.
#pragma once

#include "common/base/result.h"
#include "common/concurrency/agent.h"
#include "common/concurrency/runner.h"
#include "common/concurrency/snapshot.h"
#include "common/metrics/flow_stats.h"
#include "common/metrics/jitter.h"
#include "common/metrics/recent_maximum.h"
#include "common/metrics/sequence_tracker.h"
#include "common/net/datagram_receiver.h"
#include "common/wall/geometry.h"
#include "wall-client/receive/arrival_recorder.h"
#include "wall-client/receive/kernel_drops.h"
#include "wall-client/receive/receiver_ports.h"
#include "wall-client/receive/stream_source.h"

#include <array>
#include <memory>
#include <vector>

namespace lw {

class DiscardingFlow final : public Agent {
public:
  // As FlowReceiver::start and make. Does not answer RTCP, so the sender has no round-trip time.
  static Result<std::unique_ptr<DiscardingFlow>> start(const Wall& wall, const Band& band, int cpu,
                                                       ArrivalRecorder& recorder);
  static std::unique_ptr<DiscardingFlow> make(const Wall& wall, const Band& band, ReceiverPorts ports,
                                              ArrivalRecorder& recorder);

  void begin(Nanoseconds shortest_sleep) override;
  Wait step(const Moment& called) override;

  [[nodiscard]] ReceiverFlowStats stats() const { return published_.read(); }
  [[nodiscard]] std::size_t receive_buffer_bytes() const { return receive_buffer_bytes_; }

private:
  DiscardingFlow(const Wall& wall, const Band& band, ReceiverPorts&& ports, ArrivalRecorder& recorder);
  void take_message(std::size_t message, const ReceivedRun& run, LocalTime now);
  void take(std::span<const std::byte> datagram, const ReceivedRun& run, LocalTime now);
  void open_frame(const MediaPacket& packet);
  void begin_frame(const MediaPacket& packet, WallTime arrival);
  void publish(LocalTime now);

  const std::unique_ptr<DatagramPort> port_;
  const std::unique_ptr<HostClock> host_;
  const std::size_t receive_buffer_bytes_;
  DatagramReceiver receiver_;
  std::vector<std::byte> scratch_;  // of which each message of a batch has its part
  std::array<iovec, DatagramReceiver::batch_max> pieces_{};
  std::array<std::span<iovec>, DatagramReceiver::batch_max> targets_;
  const unsigned dscp_;  // with which the flow is sent
  StreamSource source_;
  SequenceTracker sequences_;
  KernelDrops drops_;
  FrameJitter jitter_;
  RecentMaximum<double> jitter_max_us_;
  ArrivalRecorder& recorder_;
  std::uint32_t timestamp_ = 0;  // of the newest frame
  bool first_came_ = false;      // first packet of the newest frame arrived
  ReceiverFlowStats counted_;
  LocalTime next_publish_{};
  Snapshot<ReceiverFlowStats> published_;
  std::unique_ptr<Runner> runner_;  // last: joined before the members it uses are destroyed
};

}  // namespace lw
