// What the server plays: one visualization on the whole wall. Owns the reader and the flow senders, turns the control
// plane's wishes into commands for them, and keeps the state that operators see. Called by the control thread only;
// nothing here blocks on the data path.
#pragma once

#include "common/base/result.h"
#include "common/clock/host_clock.h"
#include "common/messages/play_state.h"
#include "common/metrics/flow_stats.h"
#include "common/metrics/frame_record.h"
#include "common/wall/geometry.h"
#include "common/wall/wall_file.h"
#include "common/wire/fade.h"
#include "server/play/library.h"
#include "server/play/play_event.h"
#include "server/play/playlist.h"
#include "server/play/timeline.h"
#include "server/play/transition.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lw {

class FlowSender;
class Playback;

// What will be on the wall when it is black.
struct ComingNext {
  std::string name;
  Nanoseconds fade{0};
  std::optional<PlaylistEntry> entry;  // of the playlist, where it is one
};

struct PlayState {
  PlayStatus status = PlayStatus::stopped;
  std::string name;         // empty when stopped; the rest then means nothing
  std::uint32_t frame = 0;  // the newest frame handed to the senders
  std::uint32_t frame_count = 0;
  FrameRate frame_rate;
  double rate = 1;
  bool loop = true;
  std::optional<FrameRange> range;  // that playing keeps within; none: all frames
  Playlist playlist;
  std::optional<PlaylistEntry> entry;        // of the playlist, that is on the wall
  std::optional<ComingNext> coming;          // while the wall darkens
  Fades fades;                               // that the nodes are to keep to
  std::optional<Nanoseconds> playout_delay;  // of the wall, also when stopped
  std::uint64_t revision = 0;                // grows at every change a person made or caused (not at every frame)
};

// Where a flow's thread runs; absent: wherever the process may.
struct FlowCpu {
  unsigned flow = 0;
  std::optional<unsigned> cpu;
  std::optional<unsigned> planned;  // by wall file or host, when the server started
};

// What a session has of its host.
struct SessionPorts {
  std::function<Result<std::unique_ptr<FlowSender>>(const Band& band)> flow;
  std::function<Result<std::unique_ptr<Playback>>(std::vector<FlowSender*> flows)> playback;
  std::unique_ptr<HostClock> clock;
};

class Session {
public:
  // Binds the flows' sockets, allocates every buffer and starts the threads. `on_event` is called on the control
  // thread, from within poll().
  static Result<std::unique_ptr<Session>> start(const Wall& wall, const Library& library,
                                                std::function<void(const PlayEvent&)> on_event);
  // Of flows and playback that somebody else steps.
  static Result<std::unique_ptr<Session>> make(const Wall& wall, const Library& library, SessionPorts ports,
                                               std::function<void(const PlayEvent&)> on_event);
  virtual ~Session() = default;  // stops and joins the threads

  // With a fade, what plays goes on until the wall is black.
  virtual Result<void> load(const std::string& name, std::uint32_t frame, bool paused,
                            const Transition& transition) = 0;
  virtual Result<void> play() = 0;
  virtual Result<void> pause() = 0;
  virtual Result<void> stop() = 0;
  virtual Result<void> seek(std::uint32_t frame) = 0;
  virtual Result<void> set_rate(double rate) = 0;  // -8..8, not 0
  // Without a first or last frame it is that of the visualization. Frames need something loaded.
  virtual Result<void> set_loop(bool loop, std::optional<std::uint32_t> first, std::optional<std::uint32_t> last) = 0;
  // Every name must be in the library and fit. Entries keep ids that were given, and get one else.
  virtual Result<void> set_playlist(Playlist playlist) = 0;
  // Of the playlist, now; nothing: as the entry says.
  virtual Result<void> next(const std::optional<Transition>& transition) = 0;

  // Moves a flow's thread while it plays; its frames stay in the memory they are in. Nothing: wherever the process may.
  virtual Result<void> move_flow(unsigned flow, std::optional<unsigned> cpu) = 0;
  [[nodiscard]] virtual std::vector<FlowCpu> placement() const = 0;  // by flow

  // Wakes the threads of the data path; the turns that each has taken since it began.
  virtual std::vector<std::uint64_t> turns() = 0;

  // Call about every 20 ms: takes in what the reader and the senders report (end reached -> next of the playlist,
  // failed reads -> events).
  virtual void poll() = 0;
  [[nodiscard]] virtual PlayState state() const = 0;
  // Its frame memory and how it reads, in words, for the log.
  [[nodiscard]] virtual std::string resources() const = 0;
  // Totals of every flow since start, indexed by flow.
  [[nodiscard]] virtual std::vector<SenderFlowStats> sender_stats() const = 0;
  // What reader and senders noted of frames since the last call; and how often there was no room for it, in all.
  virtual void take_records(const std::function<void(const FrameRecord&)>& take) = 0;
  [[nodiscard]] virtual std::uint64_t records_dropped() const = 0;
};

}  // namespace lw
