// Plays: steps the timeline, reads every tile's frame ahead of its time, and hands frames that are in memory to the
// flows of their tile. A slow or dead disk holds up only the frames that lie on it.
//
// An agent. Threads: start, commands and status are the control thread's; the rest is that of the thread that steps.
#pragma once

#include "common/base/result.h"
#include "common/clock/host_clock.h"
#include "common/concurrency/agent.h"
#include "common/concurrency/doorbell.h"
#include "common/concurrency/runner.h"
#include "common/concurrency/snapshot.h"
#include "common/concurrency/spsc_ring.h"
#include "common/metrics/frame_recorder.h"
#include "common/wall/wall_file.h"
#include "server/play/playback_command.h"
#include "server/play/timeline.h"
#include "server/read/frame_buffer.h"
#include "server/read/open_store.h"
#include "server/read/stripe_reader.h"
#include "server/send/flow_sender.h"
#include "server/sync/playout_control.h"
#include "server/sync/wall_sync.h"

#include <boost/circular_buffer.hpp>

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace lw {

struct PlaybackStatus {
  std::uint16_t generation = 0;  // grows with every load and seek that took effect
  std::uint32_t frame = 0;       // newest handed to the flows, or after a load or seek the first that will be
  bool playing = false;          // something is loaded and the ticks go on
  bool paused = false;
  bool ended = false;
  std::uint64_t read_failures = 0;       // frames of a tile that could not be read
  std::uint64_t frames_read_late = 0;    // frames of a tile that were not in memory when they were due
  std::uint64_t ticks_skipped = 0;       // the thread itself came too late
  std::uint64_t jumps = 0;               // times that more than a second was missing,
  Nanoseconds newest_jump{0};            // the newest of these,
  bool clock_was_set = false;            // and whether the clock was set then; else the thread did not run
  int last_error = 0;                    // errno of the newest read failure
  WallSync::Nodes missing{};             // nodes that were there and say nothing more ([sync] mode = "wall")
  Nanoseconds playout_delay{0};          // that the wall keeps to, or is on its way to,
  std::optional<unsigned> slowest_flow;  // and the flow that needs the longest, where it is adapted
  TileIndex last_error_tile;
  std::uint32_t last_error_frame = 0;
};

// What playing has of its host.
struct PlaybackPorts {
  // Made once the buffers are there. `reads_max` frames may be under way at once; `memory`: where the buffers lie.
  std::function<std::unique_ptr<StripeReader>(unsigned reads_max, std::span<const std::span<std::byte>> memory)> reader;
  std::unique_ptr<HostClock> clock;
  Doorbell* bell = nullptr;  // of who steps it, and outlives it; none: its own
};

class Playback final : public Agent {
public:
  // On a thread of its own. `flows` are indexed by flow and outlive this.
  static Result<std::unique_ptr<Playback>> start(const Wall& wall, std::vector<FlowSender*> flows,
                                                 const ReaderSettings& reading);
  // Without a thread: who makes it steps it.
  static Result<std::unique_ptr<Playback>> make(const Wall& wall, std::vector<FlowSender*> flows, PlaybackPorts ports);
  ~Playback() override;

  Wait step(const Moment& now) override;
  void end() override;

  // Ends the thread. Call before the flows go: the flows in turn read from this object's buffers until they are gone.
  void stop() { runner_.reset(); }

  // False when the thread does not keep up with commands.
  bool post(PlaybackCommand command);
  [[nodiscard]] PlaybackStatus status() const { return published_.read(); }
  // Any thread: wakes the playback thread, which counts a turn then.
  void nudge() { bell_->ring(); }
  [[nodiscard]] std::uint64_t turns() const { return runner_ ? runner_->turns() : 0; }
  // Of the reads: one other thread.
  FrameRecorder& records() { return records_; }
  [[nodiscard]] const FrameMemory& frame_memory() const { return frame_memory_; }
  [[nodiscard]] std::string reader_name() const { return reader_->name(); }  // before the first load

private:
  static constexpr std::size_t pending_max = 64;  // more ticks than read_ahead holds at 240 frame/s

  // A tile's frame that is being read or waits for its turn.
  struct Pending {
    FrameBuffer* buffer = nullptr;
    FrameStamp stamp;
    Nanoseconds interval{0};
    bool read = false;  // for this tick; else the frame is sent again
  };
  struct Tile {
    TileIndex index;
    std::unique_ptr<FramePool> pool;
    std::vector<FlowSender*> flows;
    boost::circular_buffer<Pending> pending{pending_max};  // in the order they are to be sent
    FrameBuffer* newest = nullptr;                         // kept for showing the frame again; one user is ours
    std::uint32_t newest_frame = 0;
  };

  Playback(const Wall& wall, std::vector<FlowSender*> flows);
  void take_commands();
  void apply(PlaybackCommand& command);
  void carry_out(playback_command::Load& load);
  void carry_out(playback_command::Reopen& reopen);
  void carry_out(const playback_command::Stop& stop);
  void carry_out(const playback_command::Seek& seek);
  void carry_out(const playback_command::SetRate& rate);
  void carry_out(const playback_command::SetLoop& loop);
  void carry_out(const playback_command::Pause& pause);
  [[nodiscard]] bool too_early(const playback_command::Load& load) const;
  void forget_frames();
  void follow_clock(const Moment& now);
  void start_reads(WallTime now);
  void read_tile(Tile& tile, const FrameStamp& stamp);
  FrameBuffer* start_read(Tile& tile, const FrameStamp& stamp);
  void collect_reads();
  void hear_receivers();
  [[nodiscard]] Wait next_wait(const Moment& now) const;
  void hand_over(Tile& tile, WallTime now);
  void give(Tile& tile, const Pending& frame, WallTime now);

  std::unique_ptr<HostClock> clock_;
  std::vector<Tile> tiles_;
  FrameMemory frame_memory_;
  std::unique_ptr<StripeReader> reader_;
  std::shared_ptr<const OpenStore> store_;
  std::vector<std::shared_ptr<const OpenStore>> retired_;  // until no read of theirs is under way
  Timeline timeline_;
  std::uint16_t tick_ = 0;
  Nanoseconds wall_less_local_{0};  // at the last step
  std::optional<WallSync> sync_;
  TickSet committed_;  // as the flows know it
  std::optional<PlayoutControl> delay_;
  std::vector<FlowSender*> flows_;
  std::vector<FlowFeedback> feedback_;  // as flows_
  PlaybackStatus counted_;

  FrameRecorder records_;
  SpscRing<PlaybackCommand> inbox_;
  std::optional<playback_command::Load> held_;  // until its time; those behind it wait
  Doorbell own_bell_;
  Doorbell* bell_ = &own_bell_;
  Snapshot<PlaybackStatus> published_;
  std::unique_ptr<Runner> runner_;  // last: joined before what it uses goes
};

}  // namespace lw
