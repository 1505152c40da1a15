// The presenter of a node: joins the bands of its flows to frames, uploads a frame as soon as it is complete, and shows
// it at its presentation time. An agent; it draws all tiles of the node. The display may block in it.
#pragma once

#include "common/clock/host_clock.h"
#include "common/concurrency/agent.h"
#include "common/concurrency/snapshot.h"
#include "common/concurrency/spsc_ring.h"
#include "common/metrics/flow_stats.h"
#include "common/metrics/frame_recorder.h"
#include "common/metrics/recent_distribution.h"
#include "common/metrics/stage_times.h"
#include "common/wall/wall_file.h"
#include "common/wire/fade.h"
#include "wall-client/display/capture/dump.h"
#include "wall-client/display/capture/preview.h"
#include "wall-client/display/display.h"
#include "wall-client/playout/playout_buffer.h"
#include "wall-client/receive/flow_receiver.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace lw {

class Presenter final : public Agent {
public:
  // Events of windows and requests for previews wait at most this long, and frames for the wall's clock.
  static constexpr std::chrono::milliseconds step_max{20};
  static constexpr std::size_t frames_waiting_min = 64;

  // `flows` are all flows of the node's tiles, which ring `bell`; `dump` may be null. All outlive this.
  Presenter(const Wall& wall, const WallNode& node, const std::vector<FlowReceiver*>& flows, Display& display,
            FrameDump* dump, Doorbell& bell, std::unique_ptr<HostClock> clock = std::make_unique<OwnHostClock>());

  // On the calling thread, which the window system may want to be the program's first: shows until `stop` is set or the
  // user closes a window. Error when a dump cannot be written, or the bell cannot be had.
  Result<void> run(const std::atomic<bool>& stop);
  Wait step(const Moment& now) override;

  // Any thread.
  void set_overlay(TileIndex tile, const TileOverlay& overlay);
  // One other thread.
  void set_fades(const Fades& fades) { fades_.publish(fades); }
  // Any thread.
  [[nodiscard]] std::vector<TileStats> tile_stats() const;
  // Previews of the tiles, made on request in their slots: one other thread.
  std::vector<PreviewSlot*> previews();
  // One other thread: the swaps of each tile since the last call.
  std::vector<std::vector<SwapTime>> take_swaps();
  // Any thread: of the presenter's own, some hundreds a second.
  [[nodiscard]] std::uint64_t turns() const { return turns_.load(std::memory_order_relaxed); }
  // Of the frames of all tiles: one other thread.
  FrameRecorder& records() { return records_; }

private:
  static constexpr std::size_t swaps_kept = 256;  // of more than a second, should nobody take them for so long

  struct Tile {
    Tile(TileIndex of, const lw::Tile& tile)
        : index(of), of_wall(tile), preview(of, tile.place.width, tile.place.height) {
      counted.tile = of;
    }

    TileIndex index;
    lw::Tile of_wall;
    std::vector<FlowReceiver*> flows;
    std::unique_ptr<PlayoutBuffer> playout;
    std::optional<WallTime> uploaded_time;  // media time of the frame in the display, shown or ahead of its time
    WallTime taken{}, uploaded{};           // when its upload began and ended
    std::uint64_t drawn = 0;                // swaps of the window, those without a new frame included
    bool animated = false;                  // a pattern that moves without a stream
    WallTime next_idle_draw{};
    TileStats counted;
    RecentDistribution<256> lateness_us;
    std::array<WallTime, 16>
        due_of_swap{};  // of the newest, by their count, until the time at which they were seen is reported
    RecentDistribution<256> scanout_us;
    StageTimes wait_times, upload_times, swap_times;
    Snapshot<TileStats> published;
    SpscRing<SwapTime> swaps{swaps_kept};
    PreviewSlot preview;
    bool preview_begun = false;
  };

  void keep_delay();
  void take_bands(Tile& tile);
  void show_due(Tile& tile, WallTime now);
  void dump(const Tile& tile, const AssembledFrame& frame, WallTime due, WallTime swapped);
  void upload(Tile& tile, const AssembledFrame& frame);
  void record_shown(Tile& tile, const AssembledFrame& frame, WallTime swapped);
  void draw_idle(Tile& tile);
  void redraw(Tile& tile, WallTime now);
  void make_preview(WallTime now);
  void hear_of_screen(Tile& tile);
  void keep_count();
  void apply_overlays();
  void publish(Tile& tile);
  [[nodiscard]] WallTime now() const { return clock_->now().wall; }
  [[nodiscard]] LocalTime next_wake(const Moment& now) const;

  const Nanoseconds frame_interval_;
  const SyncMode mode_;
  const bool adapts_delay_;
  const bool locked_;   // the windows swap together
  const bool uploads_;  // headless there is nothing to upload to
  Display& display_;
  FrameDump* dump_;
  Doorbell& bell_;
  const std::unique_ptr<HostClock> clock_;
  Result<void> dumped_;
  FrameRecorder records_;
  std::vector<std::unique_ptr<Tile>> tiles_;
  WallTime next_publish_{};
  bool changed_ = false;  // what is published, since it was
  unsigned publishes_ = 0;
  Snapshot<Fades> fades_;
  std::mutex overlays_mutex_;                                // control thread and presenter, a few times an hour
  std::vector<std::pair<TileIndex, TileOverlay>> overlays_;  // not yet applied
  std::atomic<bool> overlays_changed_{false};
  std::atomic<std::uint64_t> turns_{0};
};

}  // namespace lw
