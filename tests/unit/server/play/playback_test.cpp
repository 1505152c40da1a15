// How playback carries out the lines it is given, on virtual time and with a disk that the test controls.
#include "server/play/playback.h"

#include "common/plan/buffers.h"
#include "common/wire/rtcp.h"
#include "tests/support/lone_flow.h"
#include "tests/support/stand_in_socket.h"
#include "tests/support/store_folder.h"
#include "tests/support/written_store.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <random>

using namespace lw;
using namespace lw::truth;
using namespace std::chrono_literals;
namespace command = lw::playback_command;

namespace {

constexpr std::uint32_t frame_count = 50;
constexpr FrameRate rate{60, 1};

// Takes every datagram.
class Sink final : public StandInSocket {
public:
  explicit Sink(Timeline& timeline) : StandInSocket(timeline, false) {}
  ssize_t send(const msghdr& message, int /*flags*/) override {
    ssize_t bytes = 0;
    for (std::size_t i = 0; i < message.msg_iovlen; ++i) bytes += static_cast<ssize_t>(message.msg_iov[i].iov_len);
    return bytes;
  }
  int send(std::span<mmsghdr> messages) override { return static_cast<int>(messages.size()); }
};

// The flow's control socket towards a receiver that reports the frames it holds, and hears which are committed.
class Receiver final : public StandInSocket {
public:
  explicit Receiver(Timeline& timeline) : StandInSocket(timeline, false) {}
  void hold(std::uint16_t tick) {
    held_.ticks.add(tick);
    std::array<std::byte, rtcp_bytes_max> report{};
    const auto bytes = encode(7, SyncSubject::held, held_, "node", report);
    arrive(std::span(report).first(bytes), Address::any(false, 1), false);
  }
  void tell(std::span<const std::byte> datagram) override {
    RtcpContents contents;
    REQUIRE(parse_rtcp(datagram, lone_numbers.ssrc, contents).empty());
    if (contents.committed) committed_ = contents.committed->ticks;
  }
  [[nodiscard]] const TickSet& committed() const { return committed_; }

private:
  SyncTicks held_{lone_numbers.ssrc, {}};
  TickSet committed_;
};

// Ends every read at the next look, unless the test says otherwise.
class Disk final : public StripeReader {
public:
  struct State {
    bool hangs = false;
    int error = 0;
    const OpenStore* store = nullptr;
    unsigned reads = 0;
  };
  explicit Disk(State& state) : state_(state) {}
  void use(const OpenStore& store) override { state_.store = &store; }
  bool start(const FrameExtent& /*extent*/, FrameBuffer& buffer) override {
    ++state_.reads;
    under_way_.push_back({&buffer, state_.error});
    return true;
  }
  std::size_t wait(std::span<ReadDone> done, Nanoseconds /*timeout*/) override {
    std::size_t count = 0;
    while (!state_.hangs && !under_way_.empty() && count < done.size()) {
      done[count++] = under_way_.front();
      under_way_.pop_front();
    }
    return count;
  }
  [[nodiscard]] unsigned under_way() const override { return static_cast<unsigned>(under_way_.size()); }
  [[nodiscard]] std::string name() const override { return "a test's disk"; }

private:
  State& state_;
  std::deque<ReadDone> under_way_;
};

// A clock that can be set.
class SettableClock final : public HostClock {
public:
  SettableClock(const Timeline& timeline, const Nanoseconds& offset) : timeline_(timeline), offset_(offset) {}
  [[nodiscard]] Moment now() const override { return {timeline_.now().wall + offset_, timeline_.now().local}; }
  [[nodiscard]] bool wall_clock_known() const override { return true; }
  [[nodiscard]] std::uint32_t wall_clock_steps() const override { return 0; }
  [[nodiscard]] double thread_cpu_seconds() const override { return 0; }

private:
  const Timeline& timeline_;
  const Nanoseconds& offset_;
};

Wall one_tile() {
  Wall wall;
  wall.set_grid({.columns = 1, .rows = 1, .tile_width = 64, .tile_height = 8});
  wall.frame_rate = rate;
  put_on_one_node(wall);
  wall.streaming.resend = false;
  wall.streaming.fec = FecUse::never;
  return wall;
}

// [sync] mode = "wall", at the wall and at sites with a longer delay.
Wall with_sites(unsigned count) {
  auto wall = one_tile();
  wall.sync.mode = SyncMode::wall;
  for (unsigned i = 0; i < count; ++i) {
    WallSite site;
    site.name = std::to_string(i);
    site.address = "10.9.0." + std::to_string(i + 1);
    site.interfaces = {site.address};
    site.playout_delay = 200ms;
    site.nodes = wall.nodes;
    wall.sites.push_back(site);
  }
  return wall;
}

struct Stage {
  explicit Stage(unsigned servers = 1);
  explicit Stage(Wall played) : wall(std::move(played)) { begin(); }

  StoreFolder folder;
  Wall wall;
  Timeline timeline;
  Nanoseconds offset{0};  // of the host's clock, after it was set
  Disk::State disk;
  std::vector<Receiver*> receivers;  // of the wall and of each site
  std::unique_ptr<FlowSender> flow;
  std::unique_ptr<Playback> playback;
  std::vector<FrameRecord> sent;
  std::shared_ptr<const OpenStore> store = opened("film"), other = opened("other");

  void begin() {
    SenderPorts of_flow;
    for (unsigned place = 0; place <= wall.sites.size(); ++place) {
      auto control = std::make_unique<Receiver>(timeline);
      receivers.push_back(control.get());
      SenderPorts::Path path{std::make_unique<Sink>(timeline), std::move(control)};
      if (place > 0) path.end = PathEnd::relay;
      if (place > 0) path.site = place - 1;
      of_flow.paths.push_back(std::move(path));
    }
    of_flow.clock = std::make_unique<TimelineClock>(timeline);
    of_flow.numbers = lone_numbers;
    flow = FlowSender::make(wall, {0, {}, 0, wall.grid.tile_height}, std::move(of_flow)).value();
    flow->begin(50us);
    PlaybackPorts ports;
    ports.reader = [this](unsigned, std::span<const std::span<std::byte>>, Doorbell&) {
      return std::make_unique<Disk>(disk);
    };
    ports.clock = std::make_unique<SettableClock>(timeline, offset);
    playback = Playback::make(wall, wall.coordinator(), {flow.get()}, std::move(ports)).value();
  }
  ~Stage() {
    playback->end();
    playback->stop();
    flow.reset();
  }
  std::shared_ptr<const OpenStore> opened(const std::string& name) {
    write_store(folder.path / name, wall.grid, frame_count);
    return OpenStore::open(folder.path / name).value();
  }
  [[nodiscard]] Moment now() const { return {timeline.now().wall + offset, timeline.now().local}; }
  // All frames of the film, from a tick that has not been read.
  [[nodiscard]] Line film(std::int64_t first_tick = 0, std::uint32_t frame = 0) const {
    return Line::over(first_tick, now().wall + read_ahead, rate, frame_count, frame);
  }
  void play(const Line& line) { REQUIRE(playback->post(command::Play{line, line.plays() ? store : nullptr})); }
  void run(Nanoseconds time) {
    const auto end = timeline.now().wall + time;
    while (timeline.now().wall < end) {
      playback->step(now());
      flow->step(timeline.now());
      FrameRecord record;
      while (flow->records().take(record)) sent.push_back(record);
      timeline.run(timeline.now().wall + 500us, [] { return false; });
    }
  }
  [[nodiscard]] std::vector<std::uint32_t> frames() const {
    std::vector<std::uint32_t> frames;
    for (const auto& record : sent) frames.push_back(record.frame);
    return frames;
  }
};

// Of several servers, the first sends the tile.
Stage::Stage(unsigned servers) : wall(one_tile()) {
  wall.servers.resize(servers);
  wall.servers[0].tiles = {TileIndex{0}};
  begin();
}

}  // namespace

TEST_CASE("the law: each tick shows what the newest line of that tick says, at its media time") {
  std::mt19937 random{5};
  for (int round = 0; round < 20; ++round) {
    Stage stage;
    std::vector<Line> lines{stage.film(3)};
    stage.play(lines.back());
    for (int change = 0; change < 12; ++change) {
      stage.run(std::chrono::milliseconds{random() % 60});
      const auto tick = stage.playback->status().next_tick + static_cast<std::int64_t>(random() % 6);
      auto line = lines.back().from(std::max(lines.back().first_tick(), tick));
      line.set_generation(static_cast<std::uint16_t>(change + 1));
      if (random() % 2 == 0) line.seek(static_cast<std::uint32_t>(random() % frame_count));
      if (random() % 2 == 0) line.set_rate(static_cast<double>(random() % 9) - 4.5);
      if (random() % 4 == 0) line.set_paused(random() % 2 == 0);
      lines.push_back(line);
      stage.play(line);
    }
    stage.run(400ms);
    REQUIRE(stage.sent.size() > 20);
    for (std::size_t i = 0; i < stage.sent.size(); ++i) {
      const auto& record = stage.sent[i];
      const auto tick = 3 + static_cast<std::int64_t>(i);
      REQUIRE(record.tick == tick);
      const auto line =
          std::find_if(lines.rbegin(), lines.rend(), [&](const Line& l) { return l.first_tick() <= tick; });
      REQUIRE(record.frame == line->frame(tick));
      REQUIRE(record.generation == line->generation());
      REQUIRE(record.media_time == line->media_time(tick));
    }
  }
}

TEST_CASE("the law: each place shows the frames that its own node holds, whatever others hold") {
  Stage stage(with_sites(2));
  const auto holds = [](std::size_t place, std::uint16_t tick) { return (tick + place) % (3 + place) != 0; };
  stage.play(stage.film());
  std::size_t reported = 0;
  for (int turn = 0; turn < 140; ++turn) {
    stage.run(5ms);
    for (; reported < stage.sent.size(); ++reported)
      for (std::size_t place = 0; place < stage.receivers.size(); ++place)
        if (holds(place, stage.sent[reported].tick)) stage.receivers[place]->hold(stage.sent[reported].tick);
  }
  REQUIRE(reported > 30);
  REQUIRE(reported <= TickSet::span);
  for (std::size_t i = 0; i + 2 < reported; ++i)
    for (std::size_t place = 0; place < stage.receivers.size(); ++place) {
      INFO("frame " << i << " at place " << place);
      CHECK(stage.receivers[place]->committed().contains(stage.sent[i].tick) == holds(place, stage.sent[i].tick));
    }
}

TEST_CASE("a line replaces those that would begin with its tick or later") {
  Stage stage;
  const auto first = stage.film();
  stage.play(first);
  auto replaced = first.from(12);
  replaced.seek(40);
  stage.play(replaced);
  auto instead = first.from(10);
  instead.seek(20);
  stage.play(instead);
  stage.run(400ms);
  REQUIRE(stage.sent.size() > 13);
  CHECK(stage.sent[9].frame == 9);
  CHECK(stage.sent[10].frame == 20);
  CHECK(stage.sent[12].frame == 22);
}

TEST_CASE(
    "frames that are read ahead when nothing follows them are still sent, and ticks continue with the next line") {
  Stage stage;
  stage.play(stage.film());
  stage.run(200ms);
  const auto end = stage.playback->status().next_tick;
  stage.play(Line::nothing(stage.film().from(end)));
  stage.run(300ms);
  REQUIRE(stage.sent.size() == static_cast<std::size_t>(end));
  stage.play(stage.film(end, 30));
  stage.run(200ms);
  REQUIRE(stage.sent.size() > static_cast<std::size_t>(end) + 2);
  CHECK(stage.sent[static_cast<std::size_t>(end)].frame == 30);
  CHECK(stage.sent[static_cast<std::size_t>(end)].tick == end);
}

TEST_CASE("a disk that hangs costs the frames it has, and playing continues behind them") {
  Stage stage;
  stage.play(stage.film());
  stage.run(200ms);
  stage.disk.hangs = true;
  stage.run(120ms);
  stage.disk.hangs = false;
  stage.run(300ms);
  const auto late = stage.playback->status().frames_read_late;
  CHECK(late > 0);
  CHECK(late < 12);
  CHECK(stage.playback->status().ticks_skipped == 0);
  for (std::size_t i = 1; i < stage.sent.size(); ++i) CHECK(stage.sent[i].tick > stage.sent[i - 1].tick);
  CHECK(static_cast<std::size_t>(stage.playback->status().next_tick) - stage.sent.size() < late + 8);
}

TEST_CASE("a failed read is counted, and tried again while its frame is shown") {
  Stage stage;
  auto line = stage.film(0, 7);
  line.set_paused(true);
  stage.disk.error = EIO;
  stage.play(line);
  stage.run(200ms);
  CHECK(stage.sent.empty());
  CHECK(stage.playback->status().read_failures > 1);
  CHECK(stage.playback->status().last_error == EIO);
  CHECK(stage.playback->status().last_error_frame == 7);
  stage.disk.error = 0;
  stage.run(200ms);
  REQUIRE_FALSE(stage.sent.empty());
  CHECK(stage.sent.front().frame == 7);
}

TEST_CASE("a paused frame is read once and sent at every tick") {
  Stage stage;
  auto line = stage.film(0, 7);
  line.set_paused(true);
  stage.play(line);
  stage.run(300ms);
  CHECK(stage.disk.reads == 1);
  CHECK(stage.sent.size() > 10);
  for (const auto frame : stage.frames()) CHECK(frame == 7);
}

TEST_CASE("a clock that is set takes all lines with it") {
  for (const auto by : {Nanoseconds{3600s}, Nanoseconds{-3600s}}) {
    Stage stage;
    const auto first = stage.film();
    stage.play(first);
    auto later = first.from(40);
    later.seek(20);
    stage.play(later);
    stage.run(200ms);
    stage.offset = by;
    // Computed before playback noticed the jump.
    auto last = later.from(50);
    last.seek(5);
    stage.play(last);
    stage.run(1s);
    const auto status = stage.playback->status();
    CHECK(status.jumps == 1);
    CHECK(status.clock_was_set);
    CHECK(std::chrono::abs(status.shifted - by) < 1s);
    // Every line began within a second, with its tick.
    const auto of_tick = [&](std::uint16_t tick) {
      return std::find_if(stage.sent.begin(), stage.sent.end(), [=](const FrameRecord& r) { return r.tick == tick; });
    };
    REQUIRE(of_tick(40) != stage.sent.end());
    CHECK(of_tick(40)->frame == 20);
    REQUIRE(of_tick(50) != stage.sent.end());
    CHECK(of_tick(50)->frame == 5);
  }
}

TEST_CASE("a line that was computed before a shift is shifted on arrival") {
  Stage stage;
  const auto line = stage.film();
  stage.play(line);
  stage.run(200ms);
  stage.offset = 3600s;
  stage.run(100ms);
  auto next = line.from(stage.playback->status().next_tick + 1);
  next.seek(33);
  stage.play(next);  // with the times from before the shift
  stage.run(200ms);
  CHECK(stage.playback->status().jumps == 1);
  CHECK(std::ranges::count(stage.frames(), 33U) == 1);
}

TEST_CASE("a program that did not run continues where it was") {
  Stage stage;
  stage.play(stage.film());
  stage.run(200ms);
  const auto before = stage.playback->status();
  stage.timeline.run(stage.timeline.now().wall + 5s, [] { return false; });
  stage.run(100ms);
  const auto status = stage.playback->status();
  CHECK(status.jumps == 1);
  CHECK_FALSE(status.clock_was_set);
  CHECK(status.next_tick - before.next_tick < 20);
  CHECK(stage.sent.back().frame < before.frame + 20);
}

TEST_CASE("after files were opened again, frames are read from those, also of lines that are to come") {
  Stage stage;
  const auto line = stage.film();
  stage.play(line);
  stage.play(line.from(12));
  stage.run(100ms);
  CHECK(stage.disk.store == stage.store.get());
  REQUIRE(stage.playback->post(command::Reopen{stage.store, stage.other}));
  stage.run(10ms);
  CHECK(stage.disk.store == stage.other.get());
  stage.run(300ms);
  CHECK(stage.disk.store == stage.other.get());
  CHECK(stage.sent.size() > 12);
  // Nothing is taken over from files that no longer play.
  REQUIRE(stage.playback->post(command::Reopen{stage.store, stage.store}));
  stage.run(10ms);
  CHECK(stage.disk.store == stage.other.get());
}

TEST_CASE("a server of several that did not run sends nothing new before its line is certain") {
  Stage stage(2);
  const auto film = stage.film();
  stage.play(film);
  stage.run(200ms);
  const Nanoseconds frozen = GENERATE(as<Nanoseconds>(), 400ms, 5s);
  stage.timeline.run(stage.timeline.now().wall + frozen, [] { return false; });
  stage.run(50ms);
  const auto sent = stage.sent.size();
  stage.run(100ms);
  CHECK(stage.sent.size() == sent);
  const auto status = stage.playback->status();
  CHECK(status.holds == 1);
  CHECK(status.jumps == (frozen > 1s ? 1 : 0));
  auto line = Line::over(20, film.media_time(20), rate, frame_count, 7);
  line.set_generation(1);
  REQUIRE(stage.playback->post(command::Play{line, stage.other}));
  stage.playback->go_on(status.holds);
  stage.run(200ms);
  REQUIRE(stage.sent.size() > sent + 5);
  for (auto i = sent; i < stage.sent.size(); ++i) {
    CHECK(stage.sent[i].generation == 1);
    CHECK(stage.sent[i].media_time == line.media_time(line.tick_at(stage.sent[i].media_time)));
    CHECK(stage.sent[i].frame == line.frame(line.tick_at(stage.sent[i].media_time)));
  }
}

TEST_CASE("a server that hears late of a line with another rate continues with the tick that the others play") {
  const FrameRate later_rate = GENERATE(FrameRate{10, 1}, FrameRate{60, 1}, FrameRate{120, 1});
  Stage stage(2);
  const auto film = stage.film();
  stage.play(film);
  stage.run(1s);
  // It began half a second ago.
  auto line = Line::over(30, film.media_time(30), later_rate, frame_count, 0);
  line.set_generation(1);
  REQUIRE(stage.playback->post(command::Play{line, stage.other}));
  const auto known = stage.sent.size();
  stage.run(1s);
  std::vector<WallTime> times;
  for (std::size_t i = known; i < stage.sent.size(); ++i) {
    const auto& record = stage.sent[i];
    if (record.generation != 1) continue;  // was read before
    times.push_back(record.media_time);
    const auto tick = line.tick_at(record.media_time);
    CHECK(record.media_time == line.media_time(tick));
    CHECK(record.tick == static_cast<std::uint16_t>(tick));
    CHECK(record.frame == line.frame(tick));
  }
  REQUIRE(times.size() > 5);
  const auto interval = std::max(later_rate.duration_of(1), rate.duration_of(1)) + 1us;
  CHECK(times.front() - stage.sent[known].media_time < read_ahead + 2 * interval);
  for (std::size_t i = 1; i < times.size(); ++i) CHECK(times[i] - times[i - 1] <= later_rate.duration_of(1) + 1us);
}

TEST_CASE("the line of a coordinator that was restarted begins at its time, though its ticks have much later numbers") {
  Stage stage;
  stage.play(stage.film());
  stage.run(200ms);
  stage.play(stage.film(5000, 30));
  stage.run(250ms);
  const auto first = std::ranges::find(stage.sent, std::uint16_t{5000}, &FrameRecord::tick);
  REQUIRE(first != stage.sent.end());
  CHECK(first->frame == 30);
  CHECK(stage.sent.back().tick > 5000);
}
