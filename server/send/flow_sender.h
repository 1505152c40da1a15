// One flow: takes frames that are in memory, cuts out its band and sends it as paced runs of RTP packets whose headers
// come from templates and whose pixels are gathered from the frame's buffer by the kernel (frame_packets). A run leaves
// when the schedule says (send_schedule). Between the runs it sends again what the receiver asks for, from the frames
// it keeps (sender_signalling); behind them, where that is wanted, their parity.
//
// An agent: one step sends one run. Threads: offer(), commit() and keep_to() are the playback thread's, stats() and
// feedback() anybody's, everything else that of the thread that steps.
#pragma once

#include "common/base/result.h"
#include "common/concurrency/agent.h"
#include "common/concurrency/doorbell.h"
#include "common/concurrency/runner.h"
#include "common/concurrency/snapshot.h"
#include "common/concurrency/spsc_ring.h"
#include "common/metrics/flow_stats.h"
#include "common/metrics/frame_recorder.h"
#include "common/metrics/recent_maximum.h"
#include "common/metrics/stage_times.h"
#include "common/srtp/packet_sealer.h"
#include "common/wall/geometry.h"
#include "common/wall/wall_file.h"
#include "common/wire/media_packet.h"
#include "server/read/frame_buffer.h"
#include "server/send/flow_path.h"
#include "server/send/frame_packets.h"
#include "server/send/send_schedule.h"
#include "server/send/sender_ports.h"
#include "server/send/sender_signalling.h"
#include "server/send/zero_copy_trial.h"

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lw {

// A tile's frame on its way to a flow. The flow releases the buffer when its band is sent or dropped.
struct FrameToSend {
  FrameBuffer* buffer = nullptr;
  FrameStamp stamp;
  PixelFormat format = PixelFormat::rgb8;
  Nanoseconds interval{0};  // to the next frame
  WallTime read_asked{};    // nothing where it was not read for this stamp
  WallTime in_memory{};
};

class FlowSender final : public Agent {
public:
  // Binds the flow's ports and starts a thread of its own on `cpu` (< 0: not pinned).
  // `departure_clock`: of the interface's queueing discipline, where that is to pace (Pacing::kernel).
  static Result<std::unique_ptr<FlowSender>> start(const Wall& wall, const Band& band, int cpu,
                                                   std::optional<clockid_t> departure_clock = {});
  // Without a thread: who makes it steps it.
  static Result<std::unique_ptr<FlowSender>> make(const Wall& wall, const Band& band, SenderPorts ports);
  ~FlowSender() override = default;  // says BYE and joins, if it has a thread

  void begin(Nanoseconds shortest_sleep) override;
  Wait step(const Moment& now) override;
  void end() override;

  // False when the flow is so far behind that its queue is full; the buffer is then still the caller's.
  bool offer(const FrameToSend& frame);
  // The control thread: the CPU that its thread is on; < 0: not pinned. Where it is moved to, its buffers do not
  // follow.
  [[nodiscard]] int cpu() const { return runner_ ? runner_->cpu() : -1; }
  Result<void> move_to(int cpu);
  [[nodiscard]] SenderFlowStats stats() const { return published_.read(); }
  // Of the frames: one other thread.
  FrameRecorder& records() { return records_; }
  [[nodiscard]] FlowFeedback feedback() const { return signalling_.feedback(); }
  // What all tiles show, when it changed: the receiver hears of it at once, also between the runs of a slow frame.
  void commit(const TickSet& committed);
  void keep_to(const PlayoutRamp& delay) { signalling_.keep_to(delay); }
  // Any thread: wakes the flow's, which counts a turn then.
  void nudge() { bell_.ring(); }
  [[nodiscard]] std::uint64_t turns() const { return runner_ ? runner_->turns() : 0; }

private:
  enum class Phase : std::uint8_t {
    idle,     // no frame
    held,     // the kernel still reads the packets that the frame would change
    sending,  // a frame's runs
  };

  FlowSender(const Wall& wall, const Band& band, SenderPorts ports, const std::optional<MediaKey>& key);

  Wait rest(const Moment& now);
  void take(const Moment& now);
  bool begin_frame(const Moment& now);
  Wait send_next(const Moment& now);
  Wait wait_until(WallTime at, const Moment& now);
  void send_run(const Moment& now, WallTime due, std::size_t count);
  void finish(bool sent);
  void record(bool sent, WallTime now);
  void let_go() { packets_.let_go(sender_.zero_copy().done()); }
  [[nodiscard]] std::size_t run_length() const;
  [[nodiscard]] bool parity_wanted(WallTime now) const;
  void limit_rate(Nanoseconds interval, std::size_t total);
  unsigned send_by_all_paths(std::span<const DatagramPieces> run, WallTime due);
  void publish(const Moment& now);

  const Band band_;
  const unsigned burst_packets_;
  const unsigned resend_percent_;
  const FecUse fec_;
  const bool measures_;     // what times frames take
  Nanoseconds early_{0};    // a run goes out so much before its time rather than after a shorter sleep
  const Nanoseconds spin_;  // but where the end of a wait is spent spinning
  std::optional<clockid_t> departure_clock_;
  const StreamNumbers numbers_;
  std::vector<std::unique_ptr<FlowPath>> paths_;
  std::optional<PacketSealer> sealer_;  // where the wall file names a key
  const std::size_t growth_;            // bytes of a packet by that
  DatagramSender& sender_;              // of the first path: the lengths of runs and zero copy are its
  const std::unique_ptr<HostClock> host_;
  SendSchedule schedule_;
  FramePackets packets_;
  SenderSignalling signalling_;
  std::optional<ZeroCopyTrial> trial_;  // where the wall file allows zero copy

  Phase phase_ = Phase::idle;
  bool waits_ = false;      // for the turn of the run that is next
  FrameToSend frame_;       // on its way
  LocalTime patience_{};    // until then its packets may be held
  std::size_t next_ = 0;    // of its packets
  std::uint32_t sequence_;  // of its first packet, or while idle of the next frame's
  double cpu_before_ = 0;
  std::uint64_t bytes_before_ = 0;
  Nanoseconds clock_offset_{0};  // to the clock of departures
  WallTime first_sent_{};        // packet of the present frame, and its pixels that were sent
  std::uint32_t bytes_sent_ = 0;
  Nanoseconds limited_for_{0};     // the frame interval
  std::size_t limited_total_ = 0;  // and packets of a frame that the rate limits are for
  SenderFlowStats counted_;
  WallTime next_publish_{};
  unsigned publishes_ = 0;
  RecentMaximum<Nanoseconds> late_max_;
  StageTimes read_times_, queue_times_, send_times_;
  std::atomic<bool> was_moved_{false};  // the flow's thread looks where it is

  FrameRecorder records_;
  SpscRing<FrameToSend> inbox_;
  Doorbell own_bell_;
  Doorbell& bell_;
  Snapshot<SenderFlowStats> published_;
  std::unique_ptr<Runner> runner_;  // last: joined before what it uses goes
};

}  // namespace lw
