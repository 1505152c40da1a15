// One flow: one pinned thread, one socket. Takes frames that are in memory, cuts out its band and sends it as paced
// runs of RTP packets whose headers come from templates and whose pixels are gathered from the frame's buffer by the
// kernel.
//
// Between the packets of its frames it sends again what the receiver asks for, from the frames it keeps; behind them,
// where that is wanted, their parity.
//
// Threads: offer(), commit() and keep_to() are the playback thread's, stats() and feedback() anybody's, everything else
// the flow's own.
#pragma once

#include "common/base/result.h"
#include "common/concurrency/doorbell.h"
#include "common/concurrency/snapshot.h"
#include "common/concurrency/spsc_ring.h"
#include "common/metrics/flow_stats.h"
#include "common/metrics/frame_recorder.h"
#include "common/metrics/stage_times.h"
#include "common/net/datagram_sender.h"
#include "common/srtp/packet_sealer.h"
#include "common/wall/geometry.h"
#include "common/wall/wall_file.h"
#include "common/wire/media_packet.h"
#include "server/read/frame_buffer.h"
#include "server/send/flow_path.h"
#include "server/send/pacer.h"
#include "server/send/parity_encoder.h"
#include "server/send/resender.h"
#include "server/send/zero_copy_trial.h"

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace lw {

// A tile's frame on its way to a flow. The flow releases the buffer when its band is sent or given up.
struct FrameToSend {
  FrameBuffer* buffer = nullptr;
  FrameStamp stamp;
  PixelFormat format = PixelFormat::rgb8;
  Nanoseconds interval{0};  // to the next frame
  WallTime read_asked{};    // nothing where it was not read for this stamp
  WallTime in_memory{};
};

class FlowSender {
public:
  // Binds the flow's ports and starts its thread on `cpu` (< 0: not pinned).
  // `departure_clock`: of the interface's queueing discipline, where that is to pace (Pacing::kernel).
  static Result<std::unique_ptr<FlowSender>> start(const Wall& wall, const Band& band, int cpu,
                                                   std::optional<clockid_t> departure_clock = {});
  ~FlowSender();  // says BYE and joins
  FlowSender(const FlowSender&) = delete;
  FlowSender& operator=(const FlowSender&) = delete;

  // False when the flow is so far behind that its queue is full; the buffer is then still the caller's.
  bool offer(const FrameToSend& frame);
  // The control thread: the CPU that it is on; < 0: not pinned. Where it is moved to, its buffers do not follow.
  [[nodiscard]] int cpu() const { return cpu_; }
  Result<void> move_to(int cpu);
  [[nodiscard]] SenderFlowStats stats() const { return published_.read(); }
  // Of the frames: one other thread.
  FrameRecorder& records() { return records_; }
  // What the flow's receiver said last; what it is to be told that all tiles show ([sync] mode = "wall"), and when.
  [[nodiscard]] FlowFeedback feedback() const { return feedback_.read(); }
  void commit(const TickSet& committed) { committed_.publish(committed); }
  void keep_to(const PlayoutRamp& delay) { delay_.publish(delay); }
  // Any thread: wakes the flow's, which counts a turn then.
  void nudge() { bell_.ring(); }
  [[nodiscard]] std::uint64_t turns() const { return turns_.load(std::memory_order_relaxed); }

private:
  FlowSender(const Wall& wall, const Band& band, std::vector<std::unique_ptr<FlowPath>> paths, std::uint32_t ssrc,
             const std::optional<MediaKey>& key);

  // The packets of a frame on its way. Without zero copy one set is enough; with it the kernel still reads headers and
  // pixels of the frame before.
  struct Packets {
    PacketTemplates templates;
    FrameBuffer* held = nullptr;   // that the kernel may still read,
    std::uint64_t held_until = 0;  // until so many zero-copy sends are done
  };

  void run(const std::stop_token& stop);
  void take(const FrameToSend& frame);
  Packets* free_packets(Nanoseconds patience);
  bool let_go(Packets& packets);
  bool let_go_within(Packets& packets, Nanoseconds patience);
  void send_frame(const FrameToSend& frame);
  bool send_packets(const FrameToSend& frame);
  void record(const FrameToSend& frame, bool sent);
  bool send_media(const FrameToSend& frame, std::size_t run_packets, std::size_t total);
  bool send_parity(const FrameToSend& frame, std::size_t run_packets, std::size_t total);
  [[nodiscard]] WallTime give_up_time(const FrameToSend& frame) const;
  [[nodiscard]] std::optional<Nanoseconds> round_trip() const;
  [[nodiscard]] bool parity_wanted(const FrameToSend& frame) const;
  bool wait_for_turn(const FrameToSend& frame, std::size_t number, std::size_t count, std::size_t total);
  void limit_rate(Nanoseconds interval, std::size_t total);
  WallTime wait_for(WallTime due);
  void wait_for_frame(std::uint32_t bell_seen);
  void listen_until(WallTime until);
  bool wait_for_report(Nanoseconds at_most);
  void serve(WallTime now);
  void hear_feedback();
  void tell_committed(LocalTime now);
  void tell_delay(WallTime now, LocalTime local_now);
  void step_rtcp(WallTime now);
  unsigned send_by_all_paths(std::span<const DatagramPieces> run);
  bool lay_out(PixelFormat format);
  void send_run(const FrameToSend& frame, std::size_t first, std::size_t count);
  void publish(WallTime now);

  std::atomic<std::uint64_t> turns_{0};
  int cpu_ = -1;                        // the control thread's
  std::atomic<bool> was_moved_{false};  // the flow's thread looks where it is
  const Band band_;
  const unsigned width_;
  const unsigned burst_packets_;
  const std::size_t udp_payload_bytes_;
  const Nanoseconds pace_spin_;
  Nanoseconds sleep_min_{0};  // a run goes out so much before its time rather than after a shorter sleep
  const Pacer pacer_;
  const unsigned resend_percent_;
  const FecUse fec_;
  const bool tells_time_;  // the nodes keep their clocks by ours
  const bool in_step_;     // [sync] mode = "wall"
  const bool adapts_;      // the playout delay
  const bool listens_;     // to its receiver while it has nothing to send again
  const bool measures_;    // what times frames take
  std::optional<clockid_t> departure_clock_;
  Nanoseconds limited_for_{0};     // the frame interval
  std::size_t limited_total_ = 0;  // and packets of a frame that the rate limits are for

  // SSRC and first sequence number are random (RFC 3550 section 5.1): a restarted server is seen as a new stream.
  const std::uint32_t ssrc_;
  const std::vector<std::unique_ptr<FlowPath>> paths_;
  std::optional<PacketSealer> sealer_;  // where the wall file names a key
  const std::size_t growth_;            // bytes of a packet by that
  DatagramSender& sender_;              // of the first path: the lengths of runs and zero copy are its
  std::optional<PixelFormat> format_;   // that packets_ are laid out for
  std::array<Packets, 2> packets_;
  std::array<DatagramPieces, DatagramSender::run_packets_max> run_;  // that is being sent
  Packets* sending_ = &packets_[0];
  std::optional<Resender> resender_;  // where the wall file has lost packets sent again
  WallTime next_serve_{};
  TickSet told_;  // as committed, last
  unsigned tell_again_ = 0;
  LocalTime next_tell_{};
  PlayoutRamp told_delay_;
  LocalTime next_tell_delay_{};
  std::optional<ParityEncoder> parity_;  // where the wall file has forward error correction
  bool parity_laid_out_ = false;         // for the present format
  bool parity_on_ = false;               // of the present frame
  std::optional<ZeroCopyTrial> trial_;   // where the wall file allows zero copy
  std::uint32_t sequence_;
  WallTime not_before_{};        // the next run: see Pacer::not_before
  WallTime give_up_{};           // what is left of the present frame
  Nanoseconds clock_offset_{0};  // to the clock of departures, for the present frame
  Nanoseconds departure_{0};     // of the run that is next, on that clock
  SenderFlowStats counted_;
  WallTime next_publish_{};
  unsigned publishes_ = 0;
  WallTime first_sent_{};  // packet of the present frame, and its pixels that were sent
  std::uint32_t bytes_sent_ = 0;
  StageTimes read_times_, queue_times_, send_times_;

  FrameRecorder records_;
  SpscRing<FrameToSend> inbox_;
  Doorbell bell_;
  Snapshot<SenderFlowStats> published_;
  Snapshot<FlowFeedback> feedback_;
  Snapshot<PlayoutRamp> delay_;
  Snapshot<TickSet> committed_;
  std::jthread thread_;  // last: joined before what it uses goes
};

}  // namespace lw
