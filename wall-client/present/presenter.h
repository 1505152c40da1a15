// The presenter of a node: joins the bands of its flows into frames, uploads a frame as soon as it is complete, and
// shows it at its presentation time. An agent; it draws all tiles of the node. Its steps may block in the display.
#pragma once

#include "common/clock/host_clock.h"
#include "common/concurrency/agent.h"
#include "common/concurrency/snapshot.h"
#include "common/concurrency/spsc_ring.h"
#include "common/metrics/flow_stats.h"
#include "common/metrics/frame_recorder.h"
#include "common/metrics/histograms.h"
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
  // Bounds how long events of windows and requests for previews wait, and frames after a change of the wall's clock.
  static constexpr std::chrono::milliseconds step_max{20};
  static constexpr std::size_t frames_waiting_min = 64;

  // `flows` are all flows of the node's tiles, which ring `bell`; `dump` may be null. All must outlive this object.
  Presenter(const Wall& wall, const WallNode& node, const std::vector<FlowReceiver*>& flows, Display& display,
            FrameDump* dump, Doorbell& bell, std::unique_ptr<HostClock> clock = std::make_unique<OwnHostClock>());

  // Runs on the calling thread (some window systems require the main thread) until `stop` is set or the user closes a
  // window. An error if a dump cannot be written or there is no descriptor for the bell.
  Result<void> run(const std::atomic<bool>& stop);
  Wait step(const Moment& now) override;

  // Any thread.
  void set_overlay(TileIndex tile, const TileOverlay& overlay);
  // One other thread.
  void set_fades(const Fades& fades) { fades_.publish(fades); }
  // Any thread.
  [[nodiscard]] std::vector<TileStats> tile_stats() const;
  // Any thread; valid as long as this object.
  [[nodiscard]] std::vector<std::pair<TileIndex, const TileHistograms*>> tile_histograms() const;
  // One other thread: previews of the tiles, made on request in their slots.
  std::vector<PreviewSlot*> previews();
  // One other thread: the swaps of each tile since the last call.
  std::vector<std::vector<SwapTime>> take_swaps();
  // Any thread: turns of the presenter's thread, some hundreds a second.
  [[nodiscard]] std::uint64_t turns() const { return turns_.load(std::memory_order_relaxed); }
  // One other thread: records of the frames of all tiles.
  FrameRecorder& records() { return records_; }

private:
  static constexpr std::size_t swaps_kept = 256;  // more than a second, in case nobody takes them for so long

  struct Tile {
    Tile(TileIndex of, const lw::Tile& tile)
        : index(of), of_wall(tile), preview(of, tile.place.width, tile.place.height) {
      counted.tile = of;
    }

    TileIndex index;
    lw::Tile of_wall;
    std::vector<FlowReceiver*> flows;
    std::unique_ptr<PlayoutBuffer> playout;
    std::optional<WallTime> uploaded_time;  // media time of the frame uploaded last, whether shown or not yet
    WallTime taken{}, uploaded{};           // when its upload began and ended
    std::uint64_t drawn = 0;                // swaps of the window, including those without a new frame
    bool animated = false;                  // shows a pattern that moves without a stream
    WallTime next_idle_draw{};
    TileStats counted;
    RecentDistribution<256> lateness_us;
    std::array<WallTime, 16>
        due_of_swap{};  // due times of the newest swaps, by count; until their screen times are reported
    RecentDistribution<256> scanout_us;
    StageTimes wait_times, upload_times, swap_times;
    TileHistograms histograms;
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
  const bool uploads_;  // false if headless
  Display& display_;
  FrameDump* dump_;
  Doorbell& bell_;
  const std::unique_ptr<HostClock> clock_;
  Result<void> dumped_;
  FrameRecorder records_;
  std::vector<std::unique_ptr<Tile>> tiles_;
  WallTime next_publish_{};
  bool changed_ = false;  // since the last publication
  unsigned publishes_ = 0;
  Snapshot<Fades> fades_;
  std::mutex overlays_mutex_;                                // control thread and presenter, a few times an hour
  std::vector<std::pair<TileIndex, TileOverlay>> overlays_;  // not yet applied
  std::atomic<bool> overlays_changed_{false};
  std::atomic<std::uint64_t> turns_{0};
};

}  // namespace lw
