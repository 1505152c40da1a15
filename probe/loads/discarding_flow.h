// A UDP flow that receives and counts packets and discards them: the capacity of a path without placing every byte.
// Uses some 256 KiB of memory, which stay in the cache. Sequence numbers, loss and jitter are kept as in FlowReceiver.
//
// Threads: stats() from any thread; one other thread empties the recorder; all else belongs to the flow's thread.
#pragma once

#include "common/base/result.h"
#include "common/concurrency/snapshot.h"
#include "common/metrics/flow_stats.h"
#include "common/metrics/jitter.h"
#include "common/metrics/recent_maximum.h"
#include "common/metrics/sequence_tracker.h"
#include "common/net/datagram_receiver.h"
#include "common/wall/geometry.h"
#include "wall-client/receive/arrival_recorder.h"
#include "wall-client/receive/stream_source.h"

#include <memory>
#include <thread>
#include <vector>

namespace lw {

class DiscardingFlow {
public:
  // As FlowReceiver::start. Does not answer RTCP, so the sender has no round-trip time.
  static Result<std::unique_ptr<DiscardingFlow>> start(const Wall& wall, const Band& band, int cpu,
                                                       ArrivalRecorder& recorder);
  ~DiscardingFlow();
  DiscardingFlow(const DiscardingFlow&) = delete;
  DiscardingFlow& operator=(const DiscardingFlow&) = delete;

  [[nodiscard]] ReceiverFlowStats stats() const { return published_.read(); }
  [[nodiscard]] std::size_t receive_buffer_bytes() const { return receive_buffer_bytes_; }

private:
  DiscardingFlow(const Wall& wall, const Band& band, UdpSocket socket, std::vector<Address> servers,
                 ArrivalRecorder& recorder);
  void run(const std::stop_token& stop);
  void take(std::span<const std::byte> datagram, const ReceivedRun& run, LocalTime now);
  void open_frame(const MediaPacket& packet);
  void begin_frame(const MediaPacket& packet, WallTime arrival);
  void publish(LocalTime now);

  UdpSocket socket_;
  const std::size_t receive_buffer_bytes_;
  DatagramReceiver receiver_;
  std::vector<std::byte> scratch_;
  StreamSource source_;
  SequenceTracker sequences_;
  InterarrivalJitter jitter_;
  RecentMaximum<double> jitter_max_us_;
  ArrivalRecorder& recorder_;
  std::uint32_t timestamp_ = 0;  // of the newest frame
  bool first_came_ = false;      // first packet of the newest frame arrived
  ReceiverFlowStats counted_;
  LocalTime next_publish_{};
  Snapshot<ReceiverFlowStats> published_;
  std::jthread thread_;  // last: joined before the members it uses are destroyed
};

}  // namespace lw
