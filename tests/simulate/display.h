// The screen of a simulated node: takes time for an upload and a swap, misses a vertical retrace now and then, and
// checks each row against the law: a row that is shown as present belongs to the visualization, at its place, and all
// of a frame's rows are of one version of one visualization, which was complete on the disks; until something is
// loaded, all frames are of versions with the same frames. For every other tile the GPU reads the band buffers some
// time after the upload, and no packet may be written there until then.
#pragma once

#include "tests/simulate/content.h"
#include "tests/simulate/host.h"
#include "wall-client/display/display.h"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lw::simulate {

struct DisplayState {
  Nanoseconds upload{std::chrono::microseconds{200}};
  Nanoseconds reading{std::chrono::milliseconds{5}};  // of band buffers by the GPU, after the upload
  Nanoseconds swap{std::chrono::microseconds{100}};
  Nanoseconds missed{0};  // this much longer, now and then
  // The screens' retraces: every `refresh` from `phase` on. The swap of the node's last tile waits for one, as with
  // --vsync, and now and then misses it. 0: swaps do not wait.
  Nanoseconds refresh{0};
  Nanoseconds phase{0};
  std::size_t misses_once_in = 0;  // swaps; 0: never
  bool one_window = false;         // for all tiles of the node

  void heal() { missed = Nanoseconds{0}; }
};

// Each screen has its own phase. They miss retraces where two intervals are shorter than a frame.
DisplayState draw_screen(Nanoseconds refresh, const Wall& wall, Random& random);

// What a tile shows, for laws about all tiles together.
struct Shown {
  WallTime media_time{};
  bool whole = false;
  std::uint32_t frame = 0;
  const StoreVersion* version = nullptr;
};

class SimDisplay final : public Display {
public:
  using Break = std::function<void(const std::string& law)>;

  SimDisplay(Timeline& timeline, Host& host, Random& random, const Wall& wall, const WallNode& node,
             const DisplayState& state, const Content& content, Break on_break)
      : timeline_(timeline),
        host_(host),
        random_(random),
        wall_(wall),
        last_tile_(node.tiles.back().tile),
        state_(state),
        content_(content),
        on_break_(std::move(on_break)) {}

  void upload(TileIndex tile, const AssembledFrame& frame) override;
  std::size_t unread(TileIndex tile) override;
  WallTime swap(TileIndex tile) override;
  WallTime redraw(TileIndex tile) override {
    if (!state_.one_window) wait_for_retrace(tile);
    return host_.now().wall;
  }
  [[nodiscard]] bool one_window() const override { return state_.one_window; }
  WallTime present() override;
  std::optional<ScreenTime> newest_on_screen(TileIndex) override { return std::nullopt; }
  void set_brightness(TileIndex, double brightness) override {
    if (brightness < 0 || brightness > 1) on_break_("a frame's brightness is above 1 or below 0");
  }
  void set_overlay(TileIndex, const TileOverlay&) override {}
  bool poll_events() override { return true; }
  Picture read_back(TileIndex) override { return {}; }
  void begin_preview(TileIndex) override {}
  bool take_preview(TileIndex, SmallPicture&) override { return true; }
  [[nodiscard]] SwapGroup swap_group() const override { return {}; }
  [[nodiscard]] std::string renderer() const override { return "simulated"; }

  [[nodiscard]] const std::map<TileIndex, Shown>& shown() const { return shown_; }
  // Media times that a tile showed since `forget_times`, in order.
  [[nodiscard]] const std::map<TileIndex, std::vector<WallTime>>& times() const { return times_; }
  // The complete frames among those of the node's last tile.
  [[nodiscard]] const std::vector<Shown>& frames() const { return frames_shown_; }
  // When each of them was on the screen, on the timeline.
  [[nodiscard]] const std::map<TileIndex, std::vector<WallTime>>& screen_times() const { return screen_times_; }
  // Retraces that swaps missed meanwhile.
  [[nodiscard]] std::uint64_t missed() const { return missed_; }
  void forget_times() {
    for (auto& [tile, times] : times_) times.clear();
    for (auto& [tile, times] : screen_times_) times.clear();
    frames_shown_.clear();
    missed_ = 0;
  }
  // The server's clock was set, or another server sends: times may start again once frames in flight were shown, or
  // later with the first frame that is shown at all.
  static constexpr std::chrono::seconds begins_anew_for{2};
  void begin_anew() {
    anew_until_ = timeline_.now().wall + begins_anew_for;
    frames_.clear();
    shown_anew_.clear();
  }

private:
  // A swap or redraw; returns when its image is on the screen, on the timeline.
  WallTime wait_for_retrace(TileIndex tile);
  [[nodiscard]] bool is_of(const StoreVersion& version, TileIndex tile, const AssembledFrame& frame) const;
  [[nodiscard]] bool holds(const StoreVersion& version, std::uint32_t number, TileIndex tile,
                           const AssembledFrame& frame) const;
  void check(TileIndex tile, const AssembledFrame& frame, const StoreVersion& version);

  // An upload whose buffers the GPU reads.
  struct Reading {
    WallTime until{};
    AssembledFrame frame;
    const StoreVersion* version = nullptr;
  };

  Timeline& timeline_;
  Host& host_;
  Random& random_;
  const Wall& wall_;
  const TileIndex last_tile_;  // of the node
  const DisplayState& state_;
  const Content& content_;
  mutable std::vector<std::byte> row_;  // being looked at
  const Break on_break_;
  std::map<TileIndex, std::deque<Reading>> reading_;
  std::map<TileIndex, Shown> uploaded_;
  std::vector<TileIndex> chosen_;  // with one window: swapped, and shown by the next present()
  std::map<TileIndex, Shown> shown_;
  WallTime anew_until_{};
  std::set<TileIndex> shown_anew_;                 // tiles that have shown a frame since begin_anew()
  std::map<std::uint32_t, std::uint32_t> frames_;  // of what was loaded, by generation
  std::map<TileIndex, WallTime> last_;             // media time that was swapped in
  std::map<TileIndex, std::vector<WallTime>> times_;
  std::map<TileIndex, std::vector<WallTime>> screen_times_;
  std::vector<Shown> frames_shown_;
  std::uint64_t missed_ = 0;
};

}  // namespace lw::simulate
