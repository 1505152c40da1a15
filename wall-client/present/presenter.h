// The presenter of a node: joins the bands of its flows into frames, uploads a frame as soon as it is complete, and
// shows it at its presentation time. An agent; it draws all tiles of the node. A step looks only at the tiles for which
// something arrived or is due. Its steps may block in the display.
#pragma once

#include "common/clock/host_clock.h"
#include "common/concurrency/agent.h"
#include "common/concurrency/due_heap.h"
#include "common/concurrency/sleeper.h"
#include "common/concurrency/snapshot.h"
#include "common/concurrency/spsc_ring.h"
#include "common/metrics/flow_stats.h"
#include "common/metrics/frame_recorder.h"
#include "common/metrics/histograms.h"
#include "common/metrics/recent_distribution.h"
#include "common/metrics/stage_times.h"
#include "common/wall/wall_file.h"
#include "common/wire/fade.h"
#include "wall-client/decode/tile_decoder.h"
#include "wall-client/display/capture/dump.h"
#include "wall-client/display/capture/preview.h"
#include "wall-client/display/display.h"
#include "wall-client/playout/playout_buffer.h"
#include "wall-client/present/band_returns.h"
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
  // Bounds how long events of windows wait, and frames while the wall's clock is unknown.
  static constexpr std::chrono::milliseconds step_max{20};
  static constexpr std::size_t frames_waiting_min = 64;

  // `flows` are all flows of the node's tiles, which are noted on `finished`; the board's bell becomes this agent's.
  // `dump` may be null. All must outlive this object. `decoding`: of formats that vary in length.
  Presenter(const Wall& wall, const WallNode& node, const std::vector<FlowReceiver*>& flows, Display& display,
            FrameDump* dump, PassingBoard& finished,
            std::unique_ptr<HostClock> clock = std::make_unique<OwnHostClock>(), Decoding decoding = {});

  // Runs on the calling thread (some window systems require the main thread) until `stop` is set or the user closes a
  // window. Ring the bell after setting `stop`. The thread sleeps in `sleeper`, which must outlive everything that
  // rings. An error if a dump cannot be written.
  Result<void> run(const std::atomic<bool>& stop, Sleeper& sleeper);
  Wait step(const Moment& now) override;

  // Any thread.
  void set_overlay(TileIndex tile, const TileOverlay& overlay);
  // One other thread.
  void set_fades(const Fades& fades) { fades_.publish(fades); }
  // Any thread.
  [[nodiscard]] std::vector<TileStats> tile_stats() const;
  // Any thread; valid as long as this object.
  [[nodiscard]] std::vector<std::pair<TileIndex, const TileHistograms*>> tile_histograms() const;
  // One other thread: previews of the tiles, made on request in their slots. Call look_for_previews() after requests.
  std::vector<PreviewSlot*> previews();
  void look_for_previews();
  // One other thread: the swaps of each tile since the last call.
  std::vector<std::vector<SwapTime>> take_swaps();
  // Any thread: turns of the presenter's thread. Each ring causes one.
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
    std::vector<TileDecoder::Flow> bands;  // of these flows
    std::unique_ptr<TileDecoder> decoder;  // from the first band on that needs it
    BandReturns returns;
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
    bool touched = false;  // looked at in this step
    bool changed = false;  // what is published, since it was
    LocalTime next_percentiles{};
  };

  void gather(const Moment& now);
  void gather_all();
  void touch(std::uint32_t tile);
  void hear_flow(std::uint32_t flow);
  void look_at(Tile& tile, WallTime time);
  void return_bands(Tile& tile);
  void give_back(Tile& tile, const ReceivedBand& band);
  void take_bands(Tile& tile);
  void decode(Tile& tile, const ReceivedBand& band);
  bool begin_decoding(Tile& tile);
  void take_decoded(Tile& tile);
  static void give_back_to_flow(Tile& tile, unsigned flow, unsigned buffer);
  void show_due(Tile& tile, WallTime time);
  void dump(const Tile& tile, const AssembledFrame& frame, WallTime due, WallTime swapped);
  void upload(Tile& tile, const AssembledFrame& frame);
  void record_shown(Tile& tile, const AssembledFrame& frame, WallTime swapped);
  void finish(Tile& tile, const AssembledFrame& frame, WallTime due, WallTime swapped);
  void present();
  void draw_idle(Tile& tile, Nanoseconds ahead = Nanoseconds{0});
  void redraw(Tile& tile, WallTime now);
  void make_preview(const Moment& now);
  void hear_of_screen(Tile& tile);
  void keep_count();
  void apply_overlays();
  void change(Tile& tile);
  void publish_changed(const Moment& now);
  void publish(Tile& tile, LocalTime now);
  [[nodiscard]] WallTime now() const { return clock_->now().wall; }
  [[nodiscard]] LocalTime next_wake(const Tile& tile, const Moment& now) const;
  [[nodiscard]] LocalTime next_wake(const Moment& now) const;
  [[nodiscard]] LocalTime nap_end(const Moment& now) const;

  const Nanoseconds frame_interval_;
  const Nanoseconds nap_;  // from taking bands until those that arrive meanwhile are taken together; 0: none
  const SyncMode mode_;
  const bool adapts_delay_;
  const bool one_window_;  // for all tiles
  const bool locked_;      // the windows swap together
  const bool uploads_;     // false if headless
  Display& display_;
  FrameDump* dump_;
  PassingBoard& finished_;
  const std::unique_ptr<HostClock> clock_;
  Result<void> dumped_;
  FrameRecorder records_;
  std::vector<std::unique_ptr<Tile>> tiles_;
  struct Flow {
    FlowReceiver* receiver = nullptr;
    std::uint32_t tile = 0;  // its place in tiles_
    PlayoutRamp delay;       // that it heard last
    TickSet committed;       // the same
  };
  void hear_committed(Flow& flow);
  std::vector<Flow> flows_;  // by their number, from first_flow_ on
  unsigned first_flow_ = 0;
  DueHeap due_;                         // tiles, by their places
  std::vector<std::uint32_t> touched_;  // tiles that this step looks at
  struct Chosen {
    Tile* tile = nullptr;
    const AssembledFrame* frame = nullptr;  // valid until its tile's next band
    WallTime due{};
  };
  std::vector<Chosen> chosen_;      // with one window: the frames that its next swap shows
  bool changes_ = false;            // with one window: it is to be drawn
  Nanoseconds wall_less_local_{0};  // by which due_ was filled
  bool clock_known_ = false;
  TickSet committed_;           // that any flow heard
  bool heard_ = false;          // that bands arrived, in this step
  WallTime newest_due_{};       // of the frames shown
  std::vector<Tile*> changed_;  // since they were published
  WallTime next_publish_{};
  Snapshot<Fades> fades_;
  std::mutex overlays_mutex_;                                // control thread and presenter, a few times an hour
  std::vector<std::pair<TileIndex, TileOverlay>> overlays_;  // not yet applied
  std::atomic<bool> overlays_changed_{false};
  std::atomic<bool> previews_wanted_{false};
  std::atomic<std::uint64_t> turns_{0};
  const Decoding decoding_;
  const std::size_t buffers_per_flow_;
  bool cannot_decode_ = false;              // there is no memory, or no thread, for it
  std::unique_ptr<DecodeWorkers> workers_;  // last: joined before the tiles' decoders are destroyed
};

}  // namespace lw
