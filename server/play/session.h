// What the server plays: one visualization on the whole wall. Owns the playback and the flow senders, turns calls of
// the control plane into commands for them, and keeps the state that operators see. Called by the control thread only;
// nothing here blocks on the data path.
#pragma once

#include "common/base/result.h"
#include "common/clock/clock_keeper.h"
#include "common/clock/host_clock.h"
#include "common/concurrency/agent_threads.h"
#include "common/messages/play_state.h"
#include "common/messages/sound_level.h"
#include "common/metrics/flow_stats.h"
#include "common/metrics/frame_record.h"
#include "common/metrics/histograms.h"
#include "common/metrics/site_stats.h"
#include "common/wall/geometry.h"
#include "common/wall/wall_file.h"
#include "common/wire/fade.h"
#include "server/play/announced_line.h"
#include "server/play/library.h"
#include "server/play/line.h"
#include "server/play/play_event.h"
#include "server/play/playlist.h"
#include "server/play/transition.h"
#include "server/sync/playout_control.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lw {

class FlowSender;
class Playback;
class SoundSender;

// What plays next, once the wall is black.
struct ComingNext {
  std::string name;
  Nanoseconds fade{0};
  std::optional<PlaylistEntry> entry;  // its entry in the playlist, if any
};

struct PlayState {
  PlayStatus status = PlayStatus::stopped;
  std::string name;         // empty when stopped; then only the members that say so are valid
  std::uint32_t frame = 0;  // the newest frame handed to the senders
  std::uint32_t frame_count = 0;
  bool growing = false;  // there will be more frames
  FrameRate frame_rate;
  double rate = 1;
  bool loop = true;
  std::optional<FrameRange> range;  // to which playing is limited; empty: all frames
  Playlist playlist;
  std::optional<PlaylistEntry> entry;        // the playlist's entry that plays, if any
  std::optional<ComingNext> coming;          // while the wall fades to black
  Fades fades;                               // as the nodes must draw them
  SoundLevel sound;                          // as the nodes must play it
  std::optional<Nanoseconds> playout_delay;  // of the wall, also when stopped
  std::uint64_t revision = 0;                // grows with every change a person made or caused (not with every frame)
};

// Where a flow is sent from.
struct FlowCpu {
  unsigned flow = 0;
  std::optional<unsigned> cpu;      // empty: wherever the process may run
  std::optional<unsigned> planned;  // chosen by wall file or host when the server started
};

// Of a store that plays while it is being written.
struct Grown {
  std::uint32_t frames = 0;  // that are there
  bool complete = false;     // these are all
};

// What a session needs from its host.
struct SessionPorts {
  std::function<Result<std::unique_ptr<FlowSender>>(const Band& band)> flow;
  std::function<Result<std::unique_ptr<Playback>>(std::vector<FlowSender*> flows)> playback;
  std::shared_ptr<SoundSender> sound;  // null: no node of this server gets sound
  std::unique_ptr<HostClock> clock;
  ClockKeeping* kept_clock =
      nullptr;  // of the wall, which this server keeps; must outlive the session. Null: others do
  // Of the threads that step the flows; empty: the caller steps them.
  std::optional<AgentThreads::Options> threads = {};
  std::optional<WallStart> start = {};  // whose streams the flows have; empty: those that the ports name
  std::vector<int> cpus = {};           // of the flows, in the order of their numbers; < 0, or none: any
};

// Frames of a tile, since the start.
struct ReadTotals {
  std::uint64_t failures = 0;
  std::uint64_t late = 0;  // not in memory when they were due
};

class Session {
public:
  // A coordinator announces so much earlier than needed what follows an entry: for as long as this the others may not
  // know that it is silent, and read on. Only then do they begin what follows by themselves.
  static constexpr std::chrono::milliseconds noticed_silent{400};

  // Binds the flows' sockets, allocates every buffer and starts the threads. `on_event` is called on the control
  // thread, from within poll().
  // Of the tiles of `server`, which belongs to the wall.
  static Result<std::unique_ptr<Session>> start(const Wall& wall, const WallServer& server, const Library& library,
                                                std::function<void(const PlayEvent&)> on_event);
  // With flows and playback that the caller steps.
  static Result<std::unique_ptr<Session>> make(const Wall& wall, const WallServer& server, const Library& library,
                                               SessionPorts ports, std::function<void(const PlayEvent&)> on_event);
  virtual ~Session() = default;  // stops and joins the threads

  // With a fade, the current visualization plays on until the wall is black.
  virtual Result<void> load(const std::string& name, std::uint32_t frame, bool paused,
                            const Transition& transition) = 0;
  virtual Result<void> play() = 0;
  virtual Result<void> pause() = 0;
  virtual Result<void> stop() = 0;
  virtual Result<void> seek(std::uint32_t frame) = 0;
  virtual Result<void> set_rate(double rate) = 0;  // -8..8, not 0
  // A missing first or last frame means that of the visualization. An error if nothing is loaded and a frame is given.
  virtual Result<void> set_loop(bool loop, std::optional<std::uint32_t> first, std::optional<std::uint32_t> last) = 0;
  // Every name must be in the library and fit the wall. Entries without an id get one.
  virtual Result<void> set_playlist(Playlist playlist) = 0;
  virtual Result<void> set_sound(const SoundLevel& level) = 0;
  // Begins the next entry of the playlist now; without a transition, with the entry's own.
  virtual Result<void> next(const std::optional<Transition>& transition) = 0;

  // With several servers. The coordinator announces its newest line to the others, and plays its own lines so much
  // later that they arrive in time. The others play the lines that they receive.
  [[nodiscard]] virtual AnnouncedLine line() const = 0;
  [[nodiscard]] virtual std::uint64_t line_number() const = 0;
  // The lines with a higher number that have ticks which are still to be read, oldest first; the last one is the
  // newest. What a server needs that has followed up to that number.
  [[nodiscard]] virtual std::vector<AnnouncedLine> lines_after(std::uint64_t number) const = 0;
  [[nodiscard]] virtual bool plays() const = 0;
  [[nodiscard]] virtual std::int64_t next_tick() const = 0;  // the first that has not been read
  virtual void announce_ahead(Nanoseconds time) = 0;
  // The wall's clock, if the servers keep it ([clock] source = "wall"); null: others do. It is the coordinator's; the
  // other servers follow that.
  virtual ClockKeeper* clock() = 0;
  // If the playout delay is adapted: what this server's flows need, and, for a coordinator, what the others' need.
  [[nodiscard]] virtual std::optional<NeededDelay> delay_needed() const = 0;
  virtual void others_need(const std::optional<NeededDelay>& need) = 0;
  // With [streaming] fec = "auto": the flows of this server that want parity, and, for a coordinator, those of the
  // others.
  [[nodiscard]] virtual std::vector<unsigned> wants_parity() const = 0;
  virtual void others_want_parity(std::vector<unsigned> flows) = 0;
  // If what plays is still being written: how far this server's store is, and, for a coordinator, how far all others
  // are that say so.
  [[nodiscard]] virtual std::optional<Grown> grown() const = 0;
  virtual void others_grown(const std::optional<Grown>& least) = 0;
  virtual Result<void> follow(const AnnouncedLine& line) = 0;
  // Whether this server decides what follows.
  virtual void coordinate(bool coordinates) = 0;
  // Whether nobody decides: then it plays on along the announced playlist, as each server that knows it does.
  virtual void play_on(bool alone) = 0;
  // Until when the newest line is certainly the wall's. A server that did not run for a while may have missed one: it
  // sends no new frames before it is certain again.
  virtual void trust_line(LocalTime until) = 0;
  // Whether its flows send; a standby that waits reads the frames, and can begin with the next one.
  virtual void send(bool sends) = 0;
  [[nodiscard]] virtual ReadTotals read_totals() const = 0;

  // Moves a flow to the thread of another CPU while it plays; its frames stay where they are in memory. Empty: to a
  // separate thread on any allowed CPU.
  virtual Result<void> move_flow(unsigned flow, std::optional<unsigned> cpu) = 0;
  [[nodiscard]] virtual std::vector<FlowCpu> placement() const = 0;  // by flow

  // Wakes the threads of the data path and returns how many turns each has taken since it started: the playback
  // thread's, then those of each flow's thread.
  virtual std::vector<std::uint64_t> turns() = 0;

  // Call about every 20 ms: acts on the reports of playback and senders (end reached -> next entry of the playlist,
  // failed reads -> events).
  virtual void poll() = 0;
  [[nodiscard]] virtual PlayState state() const = 0;
  // A text for the log: the frame memory and the kind of reader.
  [[nodiscard]] virtual std::string resources() const = 0;
  // Totals of every flow since start, indexed by flow.
  [[nodiscard]] virtual std::vector<SenderFlowStats> sender_stats() const = 0;
  // Totals since start, over the flows that this server sends, of every site and each of its nodes, as in Wall::sites.
  [[nodiscard]] virtual std::vector<std::vector<SiteStats>> site_stats() const = 0;
  // Of each flow that this server sends, with its number; valid as long as this object. Any thread may read them.
  [[nodiscard]] virtual std::vector<std::pair<unsigned, const SenderFlowHistograms*>> sender_histograms() const = 0;
  // Passes on the records of reader and senders since the last call.
  virtual void take_records(const std::function<void(const FrameRecord&)>& take) = 0;
  [[nodiscard]] virtual std::uint64_t records_dropped() const = 0;
};

}  // namespace lw
