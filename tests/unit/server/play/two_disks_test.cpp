// How playback reads a store whose frames are on two disks each, on virtual time: one of the two may fail, hang, or be
// slow, whenever the seed says so.
#include "server/play/playback.h"

#include "common/plan/buffers.h"
#include "common/store/npy_header.h"
#include "common/store/stripe_layout.h"
#include "common/wire/media_packet.h"
#include "tests/support/law_rounds.h"
#include "tests/support/lone_flow.h"
#include "tests/support/network.h"
#include "tests/support/stand_in_socket.h"
#include "tests/support/store_folder.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <vector>

using namespace lw;
using namespace lw::truth;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t frame_count = 50;
constexpr FrameRate rate{60, 1};
constexpr unsigned disk_count = 2;
constexpr std::byte unread{0xee};

std::byte color_of(std::uint32_t frame) { return static_cast<std::byte>(frame + 1); }

struct DiskState {
  Nanoseconds takes{2ms};
  double fails = 0;    // probability
  bool hangs = false;  // no read ends
  unsigned reads = 0;
};

// Until a read has ended, whatever was in its buffer may be overwritten at any time.
class TwoDisks final : public StripeReader {
public:
  TwoDisks(Timeline& timeline, Random& random, std::array<DiskState, disk_count>& disks)
      : timeline_(timeline), random_(random), disks_(disks) {}

  void use(const OpenStore& /*store*/) override {}
  bool start(const FrameExtent& extent, FrameBuffer& buffer) override {
    auto& disk = disks_[extent.stripe];
    ++disk.reads;
    const auto record = static_cast<std::uint32_t>(extent.offset / store_alignment - 1);
    const auto frame = record * disk_count + extent.file % disk_count;
    const auto now = timeline_.now().local;
    auto& free = free_at_[extent.stripe];
    free =
        std::max(free, now) + disk.takes / 2 + Nanoseconds{random_.below(static_cast<std::size_t>(disk.takes.count()))};
    const bool fails = static_cast<double>(random_.below(1000)) < disk.fails * 1000;
    reads_.push_back({&buffer, buffer.data, frame, extent.stripe, free, fails ? EIO : 0});
    std::fill_n(buffer.data, extent.needed, unread);
    bytes_ = extent.needed;
    return true;
  }
  std::size_t wait(std::span<ReadDone> done, Nanoseconds /*timeout*/) override {
    std::size_t count = 0;
    for (auto read = reads_.begin(); read != reads_.end();) {
      const bool ends = count < done.size() && !disks_[read->disk].hangs && timeline_.now().local >= read->ends;
      std::fill_n(read->data, bytes_, ends && read->error == 0 ? color_of(read->frame) : unread);
      if (ends) done[count++] = {read->buffer, read->error};
      read = ends ? reads_.erase(read) : read + 1;
    }
    return count;
  }
  [[nodiscard]] unsigned under_way() const override { return static_cast<unsigned>(reads_.size()); }
  [[nodiscard]] std::string name() const override { return "a test's disks"; }

private:
  struct Read {
    FrameBuffer* buffer = nullptr;
    std::byte* data = nullptr;
    std::uint32_t frame = 0;
    unsigned disk = 0;
    LocalTime ends;
    int error = 0;
  };
  Timeline& timeline_;
  Random& random_;
  std::array<DiskState, disk_count>& disks_;
  std::array<LocalTime, disk_count> free_at_{};
  std::vector<Read> reads_;
  std::size_t bytes_ = 0;
};

// Looks at every packet: a frame of these tests is one packet.
class Wire final : public StandInSocket {
public:
  explicit Wire(Timeline& timeline) : StandInSocket(timeline, false) {}
  ssize_t send(const msghdr& message, int /*flags*/) override {
    const auto bytes = gathered(message);
    MediaPacket packet;
    REQUIRE(parse_media_packet(bytes, packet).empty());
    const auto color = color_of(packet.stamp->frame);
    if (!std::ranges::all_of(packet.pixels, [&](std::byte pixel) { return pixel == color; })) ++wrong_;
    latest_ = std::max(latest_, now().wall - packet.stamp->media_time);
    ticks_.push_back(packet.stamp->tick);
    return static_cast<ssize_t>(bytes.size());
  }
  int send(std::span<mmsghdr> messages) override {
    for (auto& message : messages) send(message.msg_hdr, 0);
    return static_cast<int>(messages.size());
  }
  [[nodiscard]] const std::vector<std::uint16_t>& ticks() const { return ticks_; }
  [[nodiscard]] unsigned wrong() const { return wrong_; }
  [[nodiscard]] Nanoseconds latest() const { return latest_; }

private:
  std::vector<std::uint16_t> ticks_;
  unsigned wrong_ = 0;
  Nanoseconds latest_{-1s};
};

struct Stage {
  StoreFolder folder;
  Wall wall;
  Timeline timeline;
  Random random;
  std::array<DiskState, disk_count> disks{};
  Wire* wire = nullptr;
  std::unique_ptr<FlowSender> flow;
  std::unique_ptr<Playback> playback;
  std::shared_ptr<const OpenStore> store;
  Line line;

  explicit Stage(std::uint64_t seed = 1, std::vector<std::string> without = {}) : random(seed) {
    wall.set_grid({.columns = 1, .rows = 1, .tile_width = 64, .tile_height = 8});
    wall.frame_rate = rate;
    put_on_one_node(wall);
    wall.streaming.resend = false;
    wall.streaming.fec = FecUse::never;
    write_store(without);
    auto media = std::make_unique<Wire>(timeline);
    wire = media.get();
    flow = lone_sender(wall, std::move(media), std::make_unique<StandInSocket>(timeline, false), timeline);
    PlaybackPorts ports;
    ports.reader = [this](unsigned, std::span<const std::span<std::byte>>, Doorbell&) {
      return std::make_unique<TwoDisks>(timeline, random, disks);
    };
    ports.clock = std::make_unique<TimelineClock>(timeline);
    playback = Playback::make(wall, wall.coordinator(), {flow.get()}, std::move(ports)).value();
    line = Line::over(0, timeline.now().wall + read_ahead, rate, frame_count, 0);
    line.set_loop(true);
    REQUIRE(playback->make_room_for(*store).has_value());
    REQUIRE(playback->post(playback_command::Play{line, store}));
  }
  ~Stage() {
    for (auto& disk : disks) disk = {};
    timeline.run(timeline.now().wall + 10s, [] { return false; });
    playback->end();
    playback->stop();
    flow.reset();
  }

  void write_store(const std::vector<std::string>& without) {
    Manifest manifest;
    manifest.title = "test";
    manifest.geometry = wall.grid;
    manifest.frame_rate = rate;
    manifest.frame_count = frame_count;
    manifest.stripes = {".", "second"};
    manifest.copies = 2;
    const StripeLayout layout(manifest);
    for (unsigned stripe = 0; stripe < disk_count; ++stripe)
      for (unsigned copy = 0; copy < manifest.copies; ++copy) {
        const auto directory = folder.path / manifest.stripes[layout.directory_of(stripe, copy)];
        std::filesystem::create_directories(directory);
        const auto file = directory / stripe_file_name(manifest, {}, copy);
        std::ofstream(file) << npy_header({layout.records_in(stripe, {}), wall.grid.tile_height,
                                           row_bytes(manifest.pixel_format, wall.grid.tile_width),
                                           layout.record_bytes({}) - layout.frame_bytes({})});
        std::filesystem::resize_file(file, layout.file_bytes(stripe, {}));
      }
    std::ofstream(folder.path / manifest_file_name) << to_json_text(manifest);
    for (const auto& name : without) std::filesystem::remove_all(folder.path / name);
    store = OpenStore::open(folder.path).value();
  }

  void run(Nanoseconds time) {
    const auto end = timeline.now().wall + time;
    while (timeline.now().wall < end) {
      playback->step(timeline.now());
      flow->step(timeline.now());
      timeline.run(timeline.now().wall + 500us, [] { return false; });
    }
  }

  // Every frame was sent, in its time, with its own pixels.
  void check_that_nothing_is_lost() {
    const auto status = playback->status();
    CHECK(status.read_failures == 0);
    CHECK(status.frames_read_late == 0);
    CHECK(status.ticks_skipped == 0);
    CHECK(wire->wrong() == 0);
    CHECK(wire->latest() < rate.duration_of(1));
    const auto& ticks = wire->ticks();
    REQUIRE(ticks.size() > 10);
    for (std::size_t i = 0; i < ticks.size(); ++i) REQUIRE(ticks[i] == i);
    const auto due = (timeline.now().wall - line.media_time(0)) / rate.duration_of(1);
    CHECK(static_cast<std::int64_t>(ticks.size()) >= due);
  }
};

void be_bad(DiskState& disk, Random& random) {
  switch (random.below(4)) {
    case 0:
      disk.hangs = true;
      break;
    case 1:
      disk.fails = static_cast<double>(1 + random.below(10)) / 10;
      break;
    case 2:
      disk.takes = std::chrono::milliseconds{20 + random.below(400)};
      break;
    default:
      disk.fails = 0.3;
      disk.takes = std::chrono::milliseconds{10 + random.below(60)};
  }
}

}  // namespace

TEST_CASE("the law: no frame is lost while one of its two disks is well, whatever the other one does") {
  for (std::uint64_t seed = 1; seed <= law_rounds(16); ++seed) {
    INFO("seed " << seed);
    Stage stage(seed);
    stage.run(std::chrono::milliseconds{stage.random.below(600)});
    for (int phase = 0; phase < 8; ++phase) {
      auto& disk = stage.disks[stage.random.below(disk_count)];
      be_bad(disk, stage.random);
      stage.run(std::chrono::milliseconds{20 + stage.random.below(900)});
      disk = {.reads = disk.reads};
      // Until it has done what is in its queue, the other one must stay well.
      const auto before = disk.reads;
      stage.run(std::chrono::milliseconds{stage.random.below(2) == 0 ? 4500 : 9000});
      CHECK(disk.reads >= before);
    }
    stage.check_that_nothing_is_lost();
  }
}

TEST_CASE("a dead disk delays no frame after its first ones, and is used again when it is back") {
  Stage stage;
  stage.run(1s);
  CHECK(stage.playback->status().frames_from_copies == 0);
  const bool hangs = GENERATE(true, false);
  stage.disks[1].hangs = hangs;
  stage.disks[1].fails = 1;
  stage.run(300ms);
  CHECK(stage.playback->status().avoided == DiskSet(2));
  const auto asked = stage.disks[1].reads;
  stage.run(10s);
  // It owes answers and is not asked at all, or is tried after longer and longer rests.
  CHECK(stage.disks[1].reads - asked <= (hangs ? 0 : 8));
  stage.disks[1] = {.reads = stage.disks[1].reads};
  stage.run(11s);
  CHECK(stage.playback->status().avoided.none());
  const auto copies = stage.playback->status().frames_from_copies;
  CHECK(copies >= 300);
  stage.run(2s);
  CHECK(stage.playback->status().frames_from_copies == copies);
  stage.check_that_nothing_is_lost();
}

TEST_CASE("a disk that is ten times slower than the other one loses no frame") {
  Stage stage;
  stage.disks[0].takes = stage.disks[1].takes = 4ms;
  if (GENERATE(true, false)) stage.run(1s);
  stage.disks[0].takes = 40ms;
  stage.run(20s);
  CHECK(stage.playback->status().frames_from_copies > 100);
  stage.check_that_nothing_is_lost();
}

TEST_CASE("a store plays without one of its disks, also from the first frame on") {
  const auto missing = GENERATE(std::vector<std::string>{"second"}, std::vector<std::string>{"second/tile-0-0.npy"},
                                std::vector<std::string>{"tile-0-0.copy.npy", "second/tile-0-0.copy.npy"},
                                std::vector<std::string>{"tile-0-0.npy", "tile-0-0.copy.npy"});
  Stage stage(1, missing);
  CHECK(stage.store->missing().size() == (missing.size() == 2 && missing[1].starts_with("second") ? 2 : 1));
  stage.run(2s);
  stage.check_that_nothing_is_lost();
}

TEST_CASE("a store that lacks a frame on both of its disks is refused") {
  Stage stage;
  std::filesystem::remove(stage.folder.path / "second/tile-0-0.npy");
  CHECK(OpenStore::open(stage.folder.path).has_value());
  std::filesystem::remove(stage.folder.path / "tile-0-0.copy.npy");
  const auto opened = OpenStore::open(stage.folder.path);
  REQUIRE_FALSE(opened.has_value());
  CHECK(opened.error().text().find("tile-0-0") != std::string::npos);
  CHECK_FALSE(load_store(stage.folder.path).has_value());
}
