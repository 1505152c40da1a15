// Pins on virtual time what a presenter does with the bands that its flow received: which frames it shows, in which
// order and when, and what it draws without one.
#include "wall-client/present/presenter.h"
#include "tests/support/stand_in_socket.h"
#include "tests/support/stream.h"
#include "tests/support/temporary_folder.h"

#include "common/wire/rtcp.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <deque>
#include <fstream>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

using namespace lw;
using namespace lw::truth;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t scene_ssrc = 77;
constexpr unsigned scene_width = 320;
constexpr Nanoseconds scene_interval = 50ms;
constexpr Nanoseconds no_time{0};
const auto scene_server = Address::parse("10.0.0.1", 40000).value();

void pass(Timeline& timeline, Nanoseconds time) {
  timeline.run(timeline.now().wall + time, [] { return false; });
}

class SceneClock final : public HostClock {
public:
  SceneClock(Timeline& timeline, const bool& known, const Nanoseconds& read_takes)
      : timeline_(timeline), known_(known), read_takes_(read_takes) {}
  [[nodiscard]] Moment now() const override {
    if (read_takes_ > Nanoseconds{0}) pass(timeline_, read_takes_);
    return timeline_.now();
  }
  [[nodiscard]] bool wall_clock_known() const override { return known_; }
  [[nodiscard]] std::uint32_t wall_clock_steps() const override { return 0; }
  [[nodiscard]] double thread_cpu_seconds() const override { return 0; }

private:
  Timeline& timeline_;
  const bool& known_;
  const Nanoseconds& read_takes_;
};

// Never waits: several agents share the time line.
class SceneSocket final : public StandInSocket {
public:
  using StandInSocket::StandInSocket;
  int receive(std::span<mmsghdr> messages, int flags) override {
    return StandInSocket::receive(messages, flags | MSG_DONTWAIT);
  }
};

class SceneDisplay final : public Display {
public:
  struct Swap {
    std::uint32_t frame = 0;
    WallTime at{};
    double brightness = 1;
  };

  SceneDisplay(Timeline& timeline, bool one_window)
      : timeline_(timeline), first_retrace_(timeline.now().wall), one_window_(one_window) {}

  void upload(TileIndex, const AssembledFrame& frame) override {
    uploaded_ = frame.frame;
    uploads.push_back(frame.frame);
    auto& reading = reading_.emplace_back(timeline_.now().wall + reads);
    for (const auto& band : frame.bands) {
      const std::span<const std::byte> pixels(band.pixels.at(0), row_bytes(band.format, scene_width) * band.rows);
      reading.bands.emplace_back(pixels, std::vector(pixels.begin(), pixels.end()));
      uploaded_from.insert(band.pixels.at(0));
    }
  }
  std::size_t unread(TileIndex) override {
    for (; !reading_.empty() && reading_.front().until <= timeline_.now().wall; reading_.pop_front())
      for (const auto& [pixels, at_upload] : reading_.front().bands)
        written_while_read += !std::ranges::equal(pixels, at_upload);
    return reading_.size();
  }
  WallTime swap(TileIndex tile) override {
    if (!one_window_) wait_for_retrace();
    ++swaps_of[tile];
    swaps.push_back({uploaded_, timeline_.now().wall, brightness_});
    return timeline_.now().wall;
  }
  WallTime redraw(TileIndex) override {
    if (!one_window_) wait_for_retrace();
    redraws.push_back(timeline_.now().wall);
    return timeline_.now().wall;
  }
  [[nodiscard]] bool one_window() const override { return one_window_; }
  WallTime present() override {
    wait_for_retrace();
    presents.push_back({timeline_.now().wall, swaps.size()});
    return timeline_.now().wall;
  }
  std::optional<ScreenTime> newest_on_screen(TileIndex) override { return std::nullopt; }
  void set_brightness(TileIndex, double brightness) override { brightness_ = brightness; }
  void set_overlay(TileIndex, const TileOverlay& overlay) override { overlays.push_back(overlay); }
  bool poll_events() override { return polled ? polled() : true; }
  Picture read_back(TileIndex) override { return {1, 1, false, std::vector<std::byte>(3)}; }
  void begin_preview(TileIndex) override {}
  bool take_preview(TileIndex, SmallPicture&) override { return true; }
  [[nodiscard]] SwapGroup swap_group() const override { return {}; }
  [[nodiscard]] std::string renderer() const override { return "a scene"; }

  Nanoseconds retrace{0};  // between two, to which swaps wait; 0: they do not
  Nanoseconds missed{0};   // the next swap takes this much longer
  Nanoseconds reads{0};    // the band buffers, for so long after an upload
  unsigned written_while_read = 0;
  std::set<const std::byte*> uploaded_from;
  std::function<bool()> polled;  // before each turn
  std::vector<std::uint32_t> uploads;
  std::vector<Swap> swaps;
  std::map<TileIndex, unsigned> swaps_of;
  struct Present {
    WallTime at{};
    std::size_t swaps = 0;  // of tiles, so far
  };
  std::vector<Present> presents;
  std::vector<WallTime> redraws;
  std::vector<TileOverlay> overlays;

private:
  void wait_for_retrace() {
    pass(timeline_, std::exchange(missed, Nanoseconds{0}));
    if (retrace == Nanoseconds{0}) return;
    const auto since = (timeline_.now().wall - first_retrace_) % retrace;
    if (since > Nanoseconds{0}) pass(timeline_, retrace - since);
  }

  struct Reading {
    explicit Reading(WallTime time) : until(time) {}
    WallTime until;
    std::vector<std::pair<std::span<const std::byte>, std::vector<std::byte>>> bands;
  };

  Timeline& timeline_;
  const WallTime first_retrace_;
  const bool one_window_;
  std::deque<Reading> reading_;
  std::uint32_t uploaded_ = 0;
  double brightness_ = 1;
};

// A node of one tile, or several in a row, with one flow each.
struct Scene {
  Wall wall;
  Timeline timeline;
  bool clock_known = true;
  Nanoseconds clock_read_takes{0};
  struct Flow {
    SceneSocket* media = nullptr;
    SceneSocket* control = nullptr;
    std::unique_ptr<FlowReceiver> receiver;
    Stream stream;
  };
  NodeHoldings holdings{LostNode::go_on};
  unsigned held_told = 0, held_told_for_node = 0;  // reports of frames that are held
  std::vector<Pages> memories;                     // of the flows, as a display provides it
  std::vector<Flow> flows;
  SceneDisplay display;
  const std::unique_ptr<Sleeper> sleeper = Sleeper::make().value();
  Doorbell bell;
  PassingBoard finished{bell};
  std::unique_ptr<Presenter> presenter;
  std::vector<WallTime> due;  // of the frames sent
  Wait next_step{.until = {}};
  std::uint32_t heard = 0;
  unsigned steps = 0;

  explicit Scene(SyncMode mode = SyncMode::tile, FrameDump* dump = nullptr, unsigned tiles = 1, bool one_window = false)
      : display(timeline, one_window) {
    wall.set_grid({.columns = tiles, .rows = 1, .tile_width = scene_width, .tile_height = 20});
    wall.frame_rate = {20, 1};
    wall.nodes = {{"node", "10.0.0.2", {}}};
    for (TileIndex tile; tile.value < tiles; ++tile.value) wall.nodes[0].tiles.push_back({tile, {}, 0, 0});
    wall.coordinator().interfaces = {"10.0.0.1"};
    wall.streaming.mtu = 1500;
    wall.streaming.fec = FecUse::never;
    wall.streaming.flows_per_tile = 1;
    wall.sync.mode = mode;
    std::vector<FlowReceiver*> receivers;
    for (const auto& band : all_bands(wall)) receivers.push_back(add(band).receiver.get());
    presenter = std::make_unique<Presenter>(wall, wall.nodes[0], receivers, display, dump, finished, clock());
  }
  std::unique_ptr<HostClock> clock() { return std::make_unique<SceneClock>(timeline, clock_known, clock_read_takes); }
  Flow& add(const Band& band) {
    auto media = std::make_unique<SceneSocket>(timeline, true);
    auto control = std::make_unique<SceneSocket>(timeline, false, [this](const Address&, const auto& datagram) {
      RtcpContents contents;
      REQUIRE(parse_rtcp(datagram, std::nullopt, contents).empty());
      if (contents.held) ++(contents.held->for_node ? held_told_for_node : held_told);
    });
    Flow flow{media.get(), control.get(), nullptr, Stream(wall, band, std::nullopt, scene_ssrc + band.flow, 1000)};
    ReceiverPorts ports;
    ports.media = std::move(media);
    ports.control.push_back(std::move(control));
    ports.clock = std::make_unique<SceneClock>(timeline, clock_known, no_time);
    ports.presenter = &finished;
    ports.holdings = &holdings;
    ports.memory = memories.emplace_back(Pages::allocate(FlowReceiver::memory_bytes(wall, band)).value()).view();
    flow.receiver = FlowReceiver::make(wall, band, -1, std::move(ports)).value();
    return flows.emplace_back(std::move(flow));
  }

  void run(Nanoseconds time) {
    for (const auto until = timeline.now().wall + time; timeline.now().wall < until;) {
      for (const auto& flow : flows) flow.receiver->step(timeline.now());
      if (timeline.now().local >= next_step.until || (next_step.hears_bell && bell.count() != heard)) {
        heard = bell.count();
        next_step = presenter->step(timeline.now());
        ++steps;
      }
      pass(timeline, std::clamp<Nanoseconds>(next_step.until - timeline.now().local, 1us, 1ms));
    }
  }
  // The next frame of all tiles, of which `lost` packets in the middle are missing.
  void arrive(std::size_t lost = 0) {
    const auto media_time = timeline.now().wall;
    for (auto& flow : flows) arrive(flow, media_time, static_cast<std::uint16_t>(due.size()), lost);
    due.push_back(media_time + wall.streaming.playout_delay);
  }
  static void arrive(Flow& flow, WallTime media_time, std::uint16_t tick, std::size_t lost = 0) {
    const auto packets = flow.stream.cut({media_time, tick, 1, tick}, PixelFormat::rgb8, false);
    for (std::size_t i = 0; i < packets.size(); ++i)
      if (i < 2 || i >= 2 + lost) flow.media->arrive(packets[i].bytes, scene_server, i > 0);
  }
  // Frames whose bands, one after the other, take a whole interval to arrive.
  void play_spread(unsigned frames) {
    const auto begin = timeline.now().wall;
    for (unsigned tick = 0; tick < frames; ++tick) {
      const auto media_time = begin + tick * scene_interval;
      for (std::size_t i = 0; i < flows.size(); ++i)
        timeline.at(media_time + i * scene_interval / flows.size(),
                    [this, i, media_time, tick] { arrive(flows[i], media_time, static_cast<std::uint16_t>(tick)); });
      due.push_back(media_time + wall.streaming.playout_delay);
    }
    run(frames * scene_interval);
  }
  void play(unsigned frames) {
    // On the time line: they come while a window blocks.
    for (unsigned i = 0; i < frames; ++i) timeline.at(timeline.now().wall + i * scene_interval, [this] { arrive(); });
    run(frames * scene_interval);
  }
  // A sender report for each flow.
  void report() {
    std::array<std::byte, rtcp_bytes_max> room{};
    for (std::uint32_t i = 0; i < flows.size(); ++i) {
      const auto bytes = encode(SenderReport{scene_ssrc + i, timeline.now().wall, 1, 1, 1}, "server@host", false, room);
      flows[i].control->arrive(std::span(room).first(bytes), scene_server.with_port(40001), false);
    }
  }
  // To the first flow.
  void commit(std::uint16_t tick, bool for_node = true) {
    std::array<std::byte, rtcp_bytes_max> room{};
    TickSet ticks;
    ticks.add(tick);
    const auto bytes = encode(scene_ssrc, SyncSubject::committed, {scene_ssrc, ticks, for_node}, "server@host", room);
    flows[0].control->arrive(std::span(room).first(bytes), scene_server.with_port(40001), false);
  }
  [[nodiscard]] TileStats stats() const { return presenter->tile_stats().front(); }
  [[nodiscard]] std::vector<std::uint32_t> shown() const {
    std::vector<std::uint32_t> frames;
    for (const auto& swap : display.swaps) frames.push_back(swap.frame);
    return frames;
  }
};

}  // namespace

TEST_CASE("each frame is uploaded ahead of its time, and shown once, in order and at its time") {
  Scene scene;
  scene.play(6);
  scene.run(200ms);
  CHECK(scene.shown() == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5});
  CHECK(scene.display.uploads == scene.shown());
  REQUIRE(scene.display.swaps.size() == scene.due.size());
  for (std::size_t i = 0; i < scene.due.size(); ++i) {
    const auto late = scene.display.swaps[i].at - scene.due[i];
    CHECK(late >= 0ns);
    CHECK(late <= 1us);
  }
  CHECK(scene.stats().shown_whole == 6);
  CHECK(scene.stats().late == 0);
  CHECK(scene.flows[0].receiver->stats().bands_dropped == 0);
}

TEST_CASE("flows receive into the memory that they are given") {
  Scene scene(SyncMode::tile, nullptr, 2);
  scene.play(6);
  scene.run(200ms);
  REQUIRE(scene.display.uploaded_from.size() >= 2);
  for (const auto* pixels : scene.display.uploaded_from)
    CHECK(std::ranges::count_if(scene.memories, [&](const Pages& memory) {
            return pixels >= memory.data() && pixels < memory.data() + memory.bytes();
          }) == 1);
}

TEST_CASE("with one window all tiles change with one swap") {
  Scene scene(SyncMode::tile, nullptr, 3, true);
  scene.display.retrace = 16ms;
  scene.play(6);
  scene.run(200ms);
  CHECK(scene.shown() == std::vector<std::uint32_t>{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5});
  std::vector<std::size_t> swaps;  // of each present that shows a frame
  for (const auto& present : scene.display.presents)
    if (present.swaps > (swaps.empty() ? 0 : swaps.back())) swaps.push_back(present.swaps);
  CHECK(swaps == std::vector<std::size_t>{3, 6, 9, 12, 15, 18});
  for (const auto& tile : scene.presenter->tile_stats()) {
    CHECK(tile.shown_whole == 6);
    CHECK(tile.swaps == 6);
    CHECK(tile.lateness_us_max <= 16'001);
  }
}

TEST_CASE("with one window a tile without a stream is redrawn with the frames of the others") {
  Scene scene(SyncMode::tile, nullptr, 2, true);
  const auto begin = scene.timeline.now().wall;
  for (std::uint16_t tick = 0; tick < 60; ++tick)
    scene.timeline.at(begin + tick * scene_interval,
                      [&, tick] { Scene::arrive(scene.flows[0], scene.timeline.now().wall, tick); });
  scene.run(60 * scene_interval + 200ms);
  CHECK(scene.display.swaps_of[TileIndex{0}] == 60);
  CHECK(scene.display.swaps_of[TileIndex{1}] == 0);
  CHECK(scene.display.redraws.size() >= 6);        // every half second, and before the frames
  CHECK(scene.display.presents.size() <= 60 + 2);  // those before the first frame
}

TEST_CASE("no packet is written where the GPU still reads, however long it takes") {
  Scene scene;
  scene.display.reads = GENERATE(0ns, 10ms, 60ms, 130ms);
  scene.play(40);
  scene.run(300ms);
  CHECK(scene.display.written_while_read == 0);
  CHECK(scene.stats().shown_whole == 40);
  CHECK(scene.flows[0].receiver->stats().bands_dropped == 0);
}

TEST_CASE("with vertical sync a frame is shown at the first retrace after its time") {
  Scene scene;
  scene.display.retrace = 16ms;
  scene.play(6);
  scene.run(200ms);
  CHECK(scene.shown() == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5});
  for (std::size_t i = 0; i < scene.display.swaps.size(); ++i) {
    const auto late = scene.display.swaps[i].at - scene.due[i];
    CHECK(late >= 0ns);
    CHECK(late < 16ms + 1us);
  }
  CHECK(scene.stats().late == 0);
}

TEST_CASE("the tiles of a node show a frame in the same step, however close to its time that begins") {
  Scene scene(SyncMode::tile, nullptr, 3);
  scene.arrive();
  scene.run(30ms);
  pass(scene.timeline, scene.due.front() - scene.timeline.now().wall - 20us);
  scene.clock_read_takes = 300ns;
  const auto swaps_of = [&](unsigned tile) { return scene.display.swaps_of[{tile}]; };
  while (swaps_of(2) == 0) {
    scene.presenter->step(scene.timeline.now());
    CHECK(swaps_of(0) == swaps_of(2));
    CHECK(swaps_of(1) == swaps_of(2));
  }
}

TEST_CASE("a node of many tiles is woken some times for a frame, not for each band, and shows each frame at its time") {
  constexpr unsigned tiles = 64;
  Scene scene(SyncMode::tile, nullptr, tiles);
  constexpr unsigned frames = 20;
  scene.play_spread(frames);
  CHECK(scene.steps < frames * tiles / 4);
  scene.run(200ms);
  REQUIRE(scene.display.swaps.size() == frames * tiles);
  for (std::size_t i = 0; i < scene.display.swaps.size(); ++i) {
    const auto late = scene.display.swaps[i].at - scene.due[i / tiles];
    CHECK(late >= 0ns);
    CHECK(late <= 1us);
  }
}

TEST_CASE("after missed retraces the newest due frame is shown, and those before it are counted") {
  Scene scene;
  scene.play(3);
  scene.display.missed = 120ms;
  scene.play(6);
  scene.run(200ms);
  CHECK(scene.shown() == std::vector<std::uint32_t>{0, 1, 2, 4, 5, 6, 7, 8});
  const auto stats = scene.stats();
  CHECK(stats.late == 1);
  CHECK(stats.frames_due == 9);
  CHECK(stats.shown_whole == 8);
  CHECK(stats.not_shown == 1);
}

TEST_CASE("a frame with missing packets is still shown at its time") {
  Scene scene;
  scene.play(2);
  scene.arrive(3);
  scene.run(scene_interval);
  scene.play(2);
  scene.run(200ms);
  CHECK(scene.shown() == std::vector<std::uint32_t>{0, 1, 2, 3, 4});
  CHECK(scene.display.swaps.at(2).at - scene.due[2] <= 1us);
  CHECK(scene.stats().shown_whole == 4);
  CHECK(scene.stats().shown_concealed == 1);
}

TEST_CASE("synchronized with the wall, only frames that all tiles hold are shown") {
  Scene scene(SyncMode::wall);
  for (const bool held : {true, false, true}) {
    const auto tick = static_cast<std::uint16_t>(scene.due.size());
    scene.arrive();
    scene.run(20ms);
    scene.report();
    if (held) scene.commit(tick);
    scene.run(scene_interval - 20ms);
  }
  scene.run(500ms);
  CHECK(scene.shown() == std::vector<std::uint32_t>{0, 2});
  CHECK(scene.stats().not_committed == 1);
}

TEST_CASE("one flow of a node reports for all if the server accepts that, and hears what all tiles show") {
  const bool accepts = GENERATE(true, false);
  constexpr unsigned tiles = 16, frames = 10;
  Scene scene(SyncMode::wall, nullptr, tiles);
  unsigned begun = 0, begun_for_node = 0;
  for (std::uint16_t tick = 0; tick < frames; ++tick) {
    scene.arrive();
    scene.report();
    scene.run(5ms);
    scene.commit(tick, accepts);
    scene.run(scene_interval - 5ms);
    if (tick == 1) std::tie(begun, begun_for_node) = std::pair(scene.held_told, scene.held_told_for_node);
  }
  scene.run(500ms);
  CHECK(scene.display.swaps.size() == std::size_t{frames} * tiles);
  CHECK(scene.held_told_for_node - begun_for_node >= frames - 2);
  if (accepts) {
    CHECK(scene.held_told == begun);
    CHECK(scene.held_told_for_node - begun_for_node <= 3 * frames + 500 / 80 + 1);
  } else {
    CHECK(scene.held_told - begun >= (frames - 2) * (tiles - 1));
  }
}

TEST_CASE("nothing is shown before the wall's clock is known") {
  Scene scene;
  scene.clock_known = false;
  scene.play(4);
  CHECK(scene.shown().empty());
  CHECK_FALSE(scene.display.redraws.empty());
  // Frames that wait for the clock do not cause a rush: each is taken, and counted.
  CHECK(scene.steps <= 200ms / Presenter::step_max + 1 + 2 * 4);
  scene.clock_known = true;
  scene.play(4);
  CHECK(scene.shown().back() >= 5);
}

TEST_CASE("a pattern is drawn at once, and a moving one is redrawn continuously") {
  Scene scene;
  scene.run(100ms);
  const auto idle = scene.display.redraws.size();
  TileOverlay overlay;
  overlay.pattern = Pattern::grid;
  scene.presenter->set_overlay({}, overlay);
  scene.run(100ms);
  REQUIRE(scene.display.overlays.size() == 1);
  CHECK(scene.display.overlays[0].pattern == Pattern::grid);
  CHECK(scene.display.redraws.size() == idle + 1);
  overlay.pattern = Pattern::bar;
  scene.presenter->set_overlay({}, overlay);
  scene.run(500ms);
  CHECK(scene.display.redraws.size() > idle + 10);
  scene.presenter->set_overlay({1}, overlay);
  scene.run(10ms);
  CHECK(scene.display.overlays.size() == 2);  // another node's tile
}

TEST_CASE("with vertical sync a label does not delay the frame that is due next") {
  Scene scene;
  scene.display.retrace = 16ms;
  scene.play(2);
  scene.arrive();
  const auto due = scene.due.back();
  scene.run(due - 1ms - scene.timeline.now().wall);
  const auto drawn = scene.display.redraws.size();
  scene.presenter->set_overlay({}, {});
  scene.run(40ms);
  CHECK(scene.display.overlays.size() == 1);
  REQUIRE(scene.display.swaps.back().frame == 2);
  CHECK(scene.display.swaps.back().at - due < 16ms + 1us);
  CHECK(scene.display.redraws.size() == drawn);
}

TEST_CASE("a frame has the brightness that a fade gives its media time") {
  Scene scene;
  const auto start = scene.timeline.now().wall;
  Fades fades;
  fades.add({start + 75ms, start + 125ms, start + 175ms, start + 225ms});
  scene.presenter->set_fades(fades);
  scene.play(6);
  scene.run(200ms);
  std::vector<double> brightness;
  for (const auto& swap : scene.display.swaps) brightness.push_back(swap.brightness);
  REQUIRE(brightness.size() == 6);
  CHECK(brightness[0] == 1);
  CHECK(brightness[2] == Approx(0.5).margin(0.05));
  CHECK(brightness[3] == 0);
  CHECK(brightness[5] == 1);
}

TEST_CASE("when a window is closed the presenter ends and draws nothing more") {
  Scene scene;
  unsigned polled = 0;
  std::size_t drawn = 0;
  scene.display.polled = [&] {
    pass(scene.timeline, 600ms);
    drawn = scene.display.redraws.size();
    return ++polled < 4;
  };
  const std::atomic<bool> stop{false};
  CHECK(scene.presenter->run(stop, *scene.sleeper).has_value());
  CHECK(polled == 4);
  CHECK(scene.presenter->turns() == 3);
  CHECK(drawn == 3);
  CHECK(scene.display.redraws.size() == drawn);
}

TEST_CASE("a dump that cannot be written ends the presenter with the dump's error") {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path / "tile-0-0") << "a file where the folder should be";
  auto dump = FrameDump::open(folder.path).value();
  Scene scene(SyncMode::tile, dump.get());
  unsigned turns = 0;
  scene.display.polled = [&] {
    if (turns % 25 == 0) scene.arrive();
    pass(scene.timeline, 2ms);
    scene.flows[0].receiver->step(scene.timeline.now());
    return ++turns < 5000;  // the dump's own thread reports it once it has tried
  };
  const std::atomic<bool> stop{false};
  const auto shown = scene.presenter->run(stop, *scene.sleeper);
  REQUIRE_FALSE(shown.has_value());
  CHECK(shown.error().what.find("tile-0-0") != std::string::npos);
}
