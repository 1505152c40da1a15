// One flow: takes frames from memory, cuts out its band and sends it in paced runs of RTP packets. Headers come from
// templates; the kernel gathers the pixels from the frame's buffer (frame_packets). The schedule decides when a run
// leaves (send_schedule). Between runs it resends what the receiver requests, from frames it keeps (sender_signalling);
// after the last run it sends parity, if configured.
//
// An agent: one step sends one run. Threads: offer(), commit() and the playout delay belong to the playback thread, the
// parity switch to the control thread, stats(), site_stats(), feedback() and wants_parity() to any thread, everything
// else to the thread that steps.
#pragma once

#include "common/base/result.h"
#include "common/concurrency/agent.h"
#include "common/concurrency/runner.h"
#include "common/concurrency/snapshot.h"
#include "common/concurrency/spsc_ring.h"
#include "common/metrics/flow_stats.h"
#include "common/metrics/frame_recorder.h"
#include "common/metrics/histograms.h"
#include "common/metrics/recent_maximum.h"
#include "common/metrics/site_stats.h"
#include "common/metrics/stage_times.h"
#include "common/srtp/packet_sealer.h"
#include "common/wall/geometry.h"
#include "common/wall/wall_file.h"
#include "common/wire/media_packet.h"
#include "server/read/frame_buffer.h"
#include "server/send/flow_path.h"
#include "server/send/frame_counts.h"
#include "server/send/frame_packets.h"
#include "server/send/parity_switch.h"
#include "server/send/send_schedule.h"
#include "server/send/sender_ports.h"
#include "server/send/sender_signalling.h"
#include "server/send/stream_numbers.h"
#include "server/send/zero_copy_trial.h"

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lw {

// A tile's frame for a flow. The flow releases the buffer once its band is sent or dropped.
struct FrameToSend {
  FrameBuffer* buffer = nullptr;
  FrameStamp stamp;
  PixelFormat format = PixelFormat::rgb8;
  Nanoseconds interval{0};  // to the next frame
  WallTime read_asked{};    // zero if it was not read for this stamp
  WallTime in_memory{};
  // Where it is in the streams of this start of the wall: the frames that were due before it. Null: it follows the
  // frame before, in the streams that the flow has. Must outlive the flow.
  const WallStart* start = nullptr;
  FrameCounts before{};
};

class FlowSender final : public Agent {
public:
  // Binds the flow's ports and starts a thread on `cpu` (< 0: not pinned).
  static Result<std::unique_ptr<FlowSender>> start(const Wall& wall, const Band& band, int cpu);
  // Starts no thread: the caller steps it.
  static Result<std::unique_ptr<FlowSender>> make(const Wall& wall, const Band& band, SenderPorts ports);
  ~FlowSender() override = default;  // sends BYE and joins, if it has a thread

  void begin(Nanoseconds shortest_sleep) override;
  void stand_alone(bool alone) override { alone_ = alone; }
  Wait step(const Moment& now) override;
  void end() override;

  // False if the flow is so far behind that its queue is full; the buffer then still belongs to the caller.
  bool offer(const FrameToSend& frame);
  // As offer(), but the flow may look at the frame only when its bell is rung.
  bool queue(const FrameToSend& frame);
  [[nodiscard]] const SenderFlowHistograms& histograms() const { return histograms_; }  // any thread
  [[nodiscard]] SenderFlowStats stats() const { return published_.read(); }
  [[nodiscard]] SiteStats site_stats(std::size_t site) const { return sites_[site]->read(); }  // as in Wall::sites
  [[nodiscard]] TileIndex tile() const { return band_.tile; }
  // Records of the frames; for one other thread.
  FrameRecorder& records() { return records_; }
  // Of the receiver at a place: the wall (0) or one of its sites (from 1 on, as in Wall::sites).
  [[nodiscard]] FlowFeedback feedback(std::size_t place = 0) const { return signalling_.feedback(place); }
  // Notes `number` on `board` whenever feedback() of a place has changed.
  void note_feedback_on(BellBoard& board, unsigned number) { signalling_.note_feedback_on(board, number); }
  // The frames that all tiles of a place show, when that has changed: sent to its receiver at once, even within a slow
  // frame.
  void commit(const TickSet& committed, std::size_t place = 0);
  void keep_to(const PlayoutRamp& delay) { signalling_.keep_to(delay); }
  // With several servers: whether this flow would send parity ([streaming] fec = "auto"), and whether all do.
  [[nodiscard]] bool wants_parity() const { return wants_parity_.load(std::memory_order_relaxed); }
  void keep_to(const ParitySwitch& parity) { parity_.publish(parity); }

private:
  enum class Phase : std::uint8_t {
    idle,     // no frame
    held,     // waits: the kernel still reads the packets that the frame would overwrite
    sending,  // sends the frame's runs
  };

  FlowSender(const Wall& wall, const Band& band, SenderPorts ports, const std::optional<MediaKey>& key);

  Wait go_on(const Moment& now);
  Wait rest(const Moment& now);
  void take(const Moment& now);
  void begin_streams(const WallStart& start, WallTime now);
  void number_frame(WallTime now);
  [[nodiscard]] std::uint32_t not_sent_between(std::uint32_t numbers) const;
  bool begin_frame(const Moment& now);
  Wait send_next(const Moment& now);
  Wait wait_until(WallTime at, const Moment& now);
  Wait after_frame();
  void send_run(const Moment& now, WallTime due, std::size_t count);
  void finish(bool sent);
  void record(bool sent, WallTime now);
  ZeroCopyTrial& trial() { return (*trials_)[frame_.buffer->in_slots ? 1 : 0]; }  // of the current frame
  void let_go() { packets_.let_go(sender_.zero_copy().done()); }
  void report(WallTime now) { signalling_.report(now, packets_of_streams(), payload_of_streams()); }
  [[nodiscard]] std::uint64_t packets_of_streams() const { return counted_.packets - packets_before_; }
  [[nodiscard]] std::uint64_t payload_of_streams() const { return counted_.payload_bytes - payload_bytes_before_; }
  [[nodiscard]] std::size_t run_length() const;
  [[nodiscard]] bool resends_too_late(WallTime now) const;
  FramePackets::Parity parity_of_frame(WallTime now);
  void limit_rate(Nanoseconds interval, std::size_t total);
  unsigned send_by_all_paths(std::span<const DatagramPieces> run, WallTime departure);
  void publish(const Moment& now);

  const Band band_;
  const unsigned burst_packets_;
  const unsigned resend_percent_;
  const FecUse fec_;
  const bool of_several_;   // servers of the wall
  const bool measures_;     // how long frames take
  Nanoseconds early_{0};    // a run this close to its time goes out now, because a sleep would last longer
  const Nanoseconds spin_;  // the end of a wait that is spent spinning
  std::optional<clockid_t> departure_clock_;
  const std::string server_;  // its name
  StreamNumbers numbers_;
  const WallStart* start_ = nullptr;  // that they follow from; null: drawn by the host
  std::vector<std::unique_ptr<FlowPath>> paths_;
  std::optional<PacketSealer> sealer_;  // if the wall file names a key
  const std::size_t growth_;            // bytes by which encryption lengthens a packet
  DatagramSender& sender_;              // of the first path, which decides run lengths and zero copy
  const std::unique_ptr<HostClock> host_;
  SendSchedule schedule_;
  FramePackets packets_;
  SenderSignalling signalling_;
  // If the wall file allows zero copy: of frames in rows, and of frames in slots.
  std::optional<std::array<ZeroCopyTrial, 2>> trials_;

  Phase phase_ = Phase::idle;
  bool waits_ = false;      // for the time of the next run
  bool served_ = false;     // receivers, at the end of the frame just sent
  FrameToSend frame_;       // being sent
  LocalTime patience_{};    // until then it waits for packets that the kernel still reads
  std::size_t next_ = 0;    // index of the next packet to send
  std::uint32_t sequence_;  // of the frame's first packet; while idle, after the last packet that was sent
  bool begun_ = false;      // a frame of these streams
  std::uint32_t packets_before_frame_ = 0;  // of the streams: sent, or should have been, before the current frame
  std::atomic<bool> wants_parity_{false};
  Snapshot<ParitySwitch> parity_;
  std::optional<WallTime> gap_;             // when packets were last not sent
  std::uint64_t packets_before_ = 0;        // sent in earlier streams
  std::uint64_t payload_bytes_before_ = 0;  // of those
  bool alone_ = false;                      // on its thread
  double cpu_before_ = 0;  // the thread's CPU time when the current frame began, without that of other flows
  double cpu_left_ = 0;    // the same at the end of the last step
  std::uint64_t bytes_before_ = 0;
  WallTime first_sent_{};          // when the first packet of the current frame was sent
  std::uint32_t bytes_sent_ = 0;   // pixels of the current frame that were sent
  Nanoseconds limited_for_{0};     // the frame interval for which the rate limits were computed
  std::size_t limited_total_ = 0;  // the packets per frame for which they were computed
  SenderFlowStats counted_;
  WallTime next_publish_{};
  bool changed_ = false;  // since the last publication: frames or packets
  unsigned publishes_ = 0;
  RecentMaximum<Nanoseconds> late_max_;
  StageTimes read_times_, queue_times_, send_times_;
  SenderFlowHistograms histograms_;

  FrameRecorder records_;
  SpscRing<FrameToSend> inbox_;
  Snapshot<SenderFlowStats> published_;
  std::vector<std::unique_ptr<Snapshot<SiteStats>>> sites_;
  std::unique_ptr<Runner> runner_;  // last: joined before the members it uses are destroyed
};

// Of each site of the wall, and of each of its nodes, over these flows.
std::vector<std::vector<SiteStats>> site_totals(const Wall& wall, std::span<const std::unique_ptr<FlowSender>> flows);

}  // namespace lw
