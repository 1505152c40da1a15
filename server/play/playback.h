// Playback: follows the lines that the session posts, reads every tile's frame ahead of its time, and hands frames in
// memory to the flows of their tile. A slow or dead disk delays only the frames on it.
//
// An agent. Threads: start, commands and status belong to the control thread; everything else to the thread that steps.
#pragma once

#include "common/base/result.h"
#include "common/clock/host_clock.h"
#include "common/concurrency/agent.h"
#include "common/concurrency/runner.h"
#include "common/concurrency/snapshot.h"
#include "common/concurrency/spsc_ring.h"
#include "common/memory/shared_pages.h"
#include "common/metrics/frame_recorder.h"
#include "common/plan/reader_placement.h"
#include "common/wall/wall_file.h"
#include "server/play/line.h"
#include "server/play/playback_command.h"
#include "server/read/disk_watch.h"
#include "server/read/frame_buffer.h"
#include "server/read/open_store.h"
#include "server/read/stripe_reader.h"
#include "server/send/flow_sender.h"
#include "server/sync/playout_control.h"
#include "server/sync/wall_sync.h"

#include <boost/circular_buffer.hpp>

#include <atomic>
#include <bitset>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace lw {

using DiskSet = std::bitset<stripes_max>;

struct PlaybackStatus {
  std::uint16_t generation = 0;             // of the line that plays
  std::uint32_t frame = 0;                  // the newest one being read; after a new line, its first
  bool ended = false;                       // the line reached its end
  std::int64_t next_tick = 0;               // the first tick that has not been read
  std::uint64_t read_failures = 0;          // tile frames that could not be read
  std::uint64_t frames_read_late = 0;       // tile frames that were not in memory when due
  std::uint64_t frames_from_copies = 0;     // tile frames that came from the second of their disks
  std::uint64_t reads_of_changed = 0;       // that failed since the file has changed; the other disk answered
  std::uint64_t ticks_skipped = 0;          // because the thread itself was late
  std::uint64_t jumps = 0;                  // times that more than a second was missing
  Nanoseconds newest_jump{0};               // the newest of these jumps
  bool clock_was_set = false;               // at the newest jump; false: the thread did not run
  Nanoseconds shifted{0};                   // sum of all jumps: lines begin later by this time
  std::uint64_t holds = 0;                  // times that it has stopped until go_on()
  int last_error = 0;                       // errno of the newest read failure
  WallSync::Nodes missing{};                // nodes that were connected and are silent now ([sync] mode = "wall")
  PlayoutRamp delay;                        // the playout delay that the wall uses, or is changing to
  std::optional<NeededDelay> delay_needed;  // by this server's flows, if the delay is adapted
  std::optional<unsigned> slowest_flow;     // of the wall: needs the longest playout delay
  DiskSet avoided;                          // disks of the store, if it has copies: they fail, or are late
  TileIndex last_error_tile;
  std::uint32_t last_error_frame = 0;

  bool operator==(const PlaybackStatus&) const = default;
};

// What playback needs from its host.
struct PlaybackPorts {
  // Called once the buffers are allocated. `reads_max`: frames that may be in flight at once; `memory`: the buffers of
  // each tile; `bell`: for readers that have no descriptors.
  std::function<std::unique_ptr<StripeReader>(unsigned reads_max, std::span<const std::span<std::byte>> memory,
                                              Doorbell& bell)>
      reader;
  std::unique_ptr<HostClock> clock;
  std::vector<int> cpus = {};  // of the flows, so that frames lie near them; empty: anywhere
};

class Playback final : public Agent {
public:
  // Starts a thread. `flows`: those of `server`, in the order of their numbers; they must outlive the playback. `cpus`:
  // as `flows`, from which they are sent. `own_cpu`: of the thread; < 0: any. `readers`: of separate threads that read;
  // none: this one does.
  static Result<std::unique_ptr<Playback>> start(const Wall& wall, const WallServer& server,
                                                 std::vector<FlowSender*> flows, std::vector<int> cpus,
                                                 const ReaderSettings& reading, int own_cpu,
                                                 const std::vector<ReaderPlace>& readers);
  // Starts no thread: the caller steps it.
  static Result<std::unique_ptr<Playback>> make(const Wall& wall, const WallServer& server,
                                                std::vector<FlowSender*> flows, PlaybackPorts ports);
  ~Playback() override;

  Wait step(const Moment& now) override;
  void end() override;

  // Ends the thread. Call before the flows are destroyed: they read from the playback's buffers until then, and ring
  // its bells.
  void stop() {
    if (runner_) runner_->stop();
  }

  // Call before a store is posted: a store with copies needs more buffers, which are allocated once.
  Result<void> make_room_for(const OpenStore& store);
  // False if the thread's queue of commands is full.
  bool post(PlaybackCommand command);
  [[nodiscard]] PlaybackStatus status() const { return published_.read(); }
  // Any thread. Whether this server coordinates the others: it shifts lines when the clock was set, and decides the
  // playout delay.
  void coordinate(bool coordinates) { coordinates_ = coordinates; }
  // Control thread, for a coordinator: the delay that the other servers' flows need, and how long before it begins a
  // change must be announced to them.
  void others_need(const std::optional<NeededDelay>& need, Nanoseconds ahead) { others_.publish({need, ahead}); }
  // Any thread. Whether frames are sent; they are read in any case, so that sending begins with the next one.
  void send(bool sends) { sends_ = sends; }
  // Any thread. A server of several that did not run for a while may have missed a line: it holds, and goes on when
  // the newest line is certain. `holds`: of the status.
  void go_on(std::uint64_t holds) {
    released_ = holds;
    bell().ring();
  }
  // Any thread: wakes the playback thread, which then counts a turn.
  void nudge() { bell().ring(); }
  [[nodiscard]] std::uint64_t turns() const { return runner_ ? runner_->turns() : 0; }
  // Records of the reads; for one other thread.
  FrameRecorder& records() { return records_; }
  [[nodiscard]] const FrameMemory& frame_memory() const { return frame_memory_; }
  [[nodiscard]] std::string reader_name() const { return reader_->name(); }  // call before the first load

private:
  static constexpr std::size_t pending_max = 64;  // more ticks than read_ahead holds at 240 frame/s

  // A line and the store that it plays.
  struct Cue {
    Line line;
    std::shared_ptr<const OpenStore> store;  // null if nothing plays
    const WallStart* start = nullptr;        // whose streams its frames belong to; null: those that the flows have
  };
  // A tile's frame that is being read or waits to be sent.
  struct Pending {
    FrameBuffer* buffer = nullptr;
    FrameStamp stamp;
    Nanoseconds interval{0};
    bool read = false;  // for this tick; false: the frame is sent again
    const WallStart* start = nullptr;
    FrameCounts before{};
  };
  struct Tile {
    TileIndex index;
    std::unique_ptr<FramePool> pool;
    std::unique_ptr<FramePool> spares;  // once a store with copies is played
    std::vector<FlowSender*> flows;
    std::size_t slot_bytes = 0;                            // of the flows' packets; 0: they have none
    boost::circular_buffer<Pending> pending{pending_max};  // in the order of sending
    FrameBuffer* newest = nullptr;                         // kept so that it can be sent again; holds one user of it
    std::uint32_t newest_frame = 0;
    bool touched = false;
  };

  Playback(const Wall& wall, const WallServer& server, std::vector<FlowSender*> flows);
  void take_commands();
  void carry_out(playback_command::Play& play);
  void carry_out(playback_command::Reopen& reopen);
  void carry_out(playback_command::MakeRoom& room);
  void carry_out(playback_command::KeepTo& keep);
  void follow_lines();
  void begin_line(Cue cue);
  [[nodiscard]] bool hears(LocalTime now) const;
  void forget_frames();
  void forget_read_ahead();
  void hold();
  void go_on_from(WallTime now);
  void follow_clock(const Moment& now);
  void start_reads(const Moment& now);
  // `frame`: what the frames of all tiles have in common at this tick.
  void read_tile(Tile& tile, Pending frame);
  FrameBuffer* start_read(Tile& tile, const FrameStamp& stamp);
  FrameBuffer* ask(Tile& tile, const OpenStore& store, const FrameRecord& read, unsigned copy);
  void watch(FrameBuffer& buffer, const OpenStore& store, unsigned copy);
  FrameBuffer* ask_other(Tile& tile, FrameBuffer& buffer);
  void ask_beside(Tile& tile, FrameBuffer& buffer);
  void ask_for_late();
  void begin_to_watch();
  [[nodiscard]] bool is_of_these_disks(const FrameBuffer& buffer) const {
    return buffer.watched.number > watched_after_;
  }
  void note_end(const FrameBuffer& buffer, int error, LocalTime now);
  static bool awaits(const Tile& tile, const FrameBuffer& buffer);
  static void replace(Tile& tile, FrameBuffer& by, FrameBuffer& buffer);
  Tile& tile_of(const FrameBuffer& buffer) { return tiles_[place_of_tile_[buffer.tile.value]]; }
  void collect_reads();
  void finish_read(FrameBuffer& buffer, int error, const Moment& now);
  void count_failure(FrameBuffer& buffer, int error);
  void hear_receivers();
  void decide_delay(const Moment& now);
  void keep_to(const PlayoutRamp& delay);
  [[nodiscard]] unsigned number_of(unsigned flow) const;
  [[nodiscard]] Wait next_wait(const Moment& now) const;
  void touch(Tile& tile);
  void hand_over_touched(WallTime now);
  void hand_over(Tile& tile, WallTime now);
  void ring_flows();
  void give(Tile& tile, const Pending& frame, WallTime now);

  const bool alone_;  // the only server of the wall: may shift lines whenever time is missing
  const SyncMode mode_;
  const Nanoseconds sites_delay_;  // the longest playout delay of a site
  std::atomic<bool> coordinates_;  // shifts them when the clock was set
  std::atomic<bool> sends_{true};  // hands frames to the flows
  bool held_ = false;
  std::atomic<std::uint64_t> released_{0};  // of holds
  std::unique_ptr<HostClock> clock_;
  SharedPages pages_, spare_pages_;  // of the tiles' pools
  std::vector<Tile> tiles_;
  std::vector<unsigned> place_of_tile_;  // in tiles_, by the tile's index on the wall
  std::vector<FlowSender*> to_ring_;     // frames were queued for them
  std::vector<Tile*> touched_;           // since frames were handed over: a read ended, or none is needed
  boost::circular_buffer<WallTime> overdue_{pending_max};  // of each tick: when a frame that is still read is dropped
  FrameMemory frame_memory_;
  const std::size_t spares_per_tile_;
  std::vector<int> tile_cpus_;  // control thread: near which a tile's frames are
  bool has_room_ = false;       // control thread: for stores with copies
  std::unique_ptr<StripeReader> reader_;
  DiskWatch disks_;  // of the store that plays, if it has copies
  struct LateRead {
    LocalTime at;
    FrameBuffer* buffer = nullptr;
    std::uint64_t number = 0;

    [[nodiscard]] bool has_ended() const {
      return buffer->watched.number != number || buffer->state != BufferState::reading;
    }
  };
  std::vector<LateRead> late_reads_;  // a heap, the earliest first; with reads that have ended
  std::uint64_t reads_watched_ = 0;
  std::uint64_t watched_after_ = 0;       // reads with higher numbers are of the disks that are watched now
  Cue cue_;                               // of the next tick
  std::deque<WallStart> starts_;          // that lines had: as long as the flows
  boost::circular_buffer<Cue> upcoming_;  // later ones, in the order of their first ticks
  std::vector<std::shared_ptr<const OpenStore>> retired_;  // until their last read has ended
  std::int64_t tick_ = 0;                                  // the first tick that has not been read
  LocalTime newest_read_{};                                // when the newest read began
  std::optional<Nanoseconds> wall_less_local_;             // wall time minus local time at the last step
  // Of the wall, and of each of its sites, which decide for themselves; empty: [sync] mode = "tile".
  std::vector<WallSync> syncs_;
  std::vector<std::vector<TickSet>> committed_;  // of these, as last sent to each flow
  std::optional<PlayoutControl> delay_;
  struct OthersNeed {
    std::optional<NeededDelay> need;
    Nanoseconds ahead{0};
  };
  Snapshot<OthersNeed> others_;
  PlayoutRamp kept_;  // as the flows know it
  std::vector<FlowSender*> flows_;
  std::vector<std::vector<FlowFeedback>> feedback_;  // of the wall and, with syncs_, of its sites; indexed like flows_
  PassingBoard heard_{bell()};                       // flows whose feedback changed
  LocalTime next_look_{};                            // at the feedback of all flows
  PlaybackStatus counted_;
  PlaybackStatus told_;  // as published

  FrameRecorder records_;
  SpscRing<PlaybackCommand> inbox_;
  Snapshot<PlaybackStatus> published_;
  std::unique_ptr<Runner> runner_;  // last: joined before the members it uses are destroyed
};

}  // namespace lw
