// Events that the server reports about playing: each change once.
#include "server/play/narrator.h"

#include "common/store/npy_header.h"
#include "common/store/stripe_layout.h"
#include "tests/support/store_folder.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace lw;
using namespace std::chrono_literals;

namespace {

Wall two_nodes() {
  Wall wall;
  wall.set_grid({.columns = 2, .rows = 1, .tile_width = 64, .tile_height = 40});
  wall.frame_rate = {30, 1};
  wall.nodes = {{"left", "127.0.0.1", {{{0}, {}, 0, 0}}}, {"right", "127.0.0.2", {{{1}, {}, 64, 0}}}};
  wall.streaming.playout_delay = 80ms;
  wall.streaming.playout_delay_max = 200ms;
  return wall;
}

struct Told {
  Wall wall = two_nodes();
  std::vector<PlayEvent> events;
  Narrator narrator{wall, [this](const PlayEvent& event) { events.push_back(event); }};
  PlaybackStatus status;
  WallTime now{1'000s};

  Narrator::Noticed look() { return narrator.look(status, "film", nullptr, now); }
  [[nodiscard]] std::vector<std::string> codes() const {
    std::vector<std::string> all;
    for (const auto& event : events) all.push_back(event.code);
    return all;
  }
};

using Codes = std::vector<std::string>;

}  // namespace

TEST_CASE("an unchanged state causes no event") {
  Told told;
  for (int i = 0; i < 3; ++i) told.look();
  CHECK(told.events.empty());
}

TEST_CASE("failed reads are reported once a second, with all that failed meanwhile") {
  Told told;
  told.status.read_failures = 3;
  told.status.last_error = EIO;
  told.status.last_error_tile = {1};
  told.look();
  REQUIRE(told.codes() == Codes{"read-failed"});
  CHECK(told.events[0].severity == Severity::error);
  CHECK_THAT(told.events[0].text, Catch::StartsWith("3 frames could not be read, the last from film: "));
  CHECK(told.events[0].tile == TileIndex{1});
  told.status.read_failures = 10;
  told.now += 500ms;
  told.look();
  CHECK(told.events.size() == 1);
  told.now += 500ms;
  told.look();
  REQUIRE(told.events.size() == 2);
  CHECK_THAT(told.events[1].text, Catch::StartsWith("7 frames"));
}

TEST_CASE("files that were written to are reported, and the session is asked to reopen them") {
  Told told;
  told.status.read_failures = 1;
  told.status.last_error = file_changed;
  CHECK(told.look().files_changed);
  CHECK_THAT(told.events.at(0).text, Catch::Contains("it has changed since it was opened"));
  told.status.read_failures = 2;
  told.status.last_error = EIO;
  told.now += 1s;
  CHECK_FALSE(told.look().files_changed);
}

// Otherwise a wall with a long playout delay would show nothing for seconds after the last write.
TEST_CASE("files that were written to are noticed four times a second, though told once") {
  Told told;
  told.status.last_error = file_changed;
  unsigned noticed = 0;
  for (int ms = 0; ms < 1000; ms += 10, told.now += 10ms) {
    ++told.status.read_failures;
    noticed += told.look().files_changed;
  }
  CHECK(noticed == 4);
  CHECK(told.codes() == Codes{"read-failed"});
}

TEST_CASE("disks of a store with copies that fail or are late are reported, and when they answer again") {
  Told told;
  const StoreFolder folder;
  Manifest manifest;
  manifest.title = "film";
  manifest.geometry = {1, 1, 64, 8, 0, 0};
  manifest.frame_rate = {30, 1};
  manifest.frame_count = 4;
  manifest.stripes = {".", "second"};
  manifest.copies = 2;
  const StripeLayout layout(manifest);
  std::filesystem::create_directories(folder.path / "second");
  for (const auto* name : {"tile-0-0.npy", "second/tile-0-0.npy", "tile-0-0.copy.npy", "second/tile-0-0.copy.npy"}) {
    std::ofstream(folder.path / name) << npy_header({2, 8, 192, layout.record_bytes({}) - layout.frame_bytes({})});
    std::filesystem::resize_file(folder.path / name, layout.file_bytes(0, {}));
  }
  std::ofstream(folder.path / manifest_file_name) << to_json_text(manifest);
  const auto look_at = [&](const OpenStore& store) {
    return told.narrator.look(told.status, "film", &store, told.now);
  };
  const auto store = OpenStore::open(folder.path).value();
  told.narrator.loaded("film", *store);
  look_at(*store);
  const auto before = told.events.size();
  CHECK(told.codes().front() == "loaded");
  told.status.avoided.set(1);
  look_at(*store);
  REQUIRE(told.events.size() == before + 1);
  CHECK(told.codes().back() == "disk-avoided");
  CHECK(told.events.back().text.find("second fails or is late") != std::string::npos);
  look_at(*store);
  CHECK(told.events.size() == before + 1);
  told.status.avoided.reset();
  told.now += 2s;
  look_at(*store);
  CHECK(told.codes().back() == "disk-used");
  // It is tried now and then: a file that has changed is looked at then, and not again before.
  told.status.reads_of_changed = 1;
  CHECK(look_at(*store).copies_changed);
  CHECK_FALSE(look_at(*store).copies_changed);
  std::filesystem::remove(folder.path / "second/tile-0-0.npy");
  told.narrator.loaded("film", *OpenStore::open(folder.path).value());
  CHECK(std::ranges::count(told.codes(), "disk-missing") == 1);
}

TEST_CASE("frames that were read too late are a warning") {
  Told told;
  told.status.frames_read_late = 4;
  told.look();
  REQUIRE(told.codes() == Codes{"read-late"});
  CHECK(told.events[0].severity == Severity::warning);
  CHECK_THAT(told.events[0].text, Catch::StartsWith("4 tile frames"));
}

TEST_CASE("a clock that was set and a server that did not run are distinguished") {
  Told told;
  told.status.jumps = 1;
  told.status.newest_jump = -1500ms;
  told.status.clock_was_set = true;
  CHECK(told.look().clock_jumped);
  CHECK_FALSE(told.look().clock_jumped);
  told.status.jumps = 2;
  told.status.newest_jump = 3s;
  told.status.clock_was_set = false;
  CHECK(told.look().clock_jumped);
  REQUIRE(told.codes() == Codes{"clock-set", "stalled"});
  CHECK_THAT(told.events[0].text, Catch::Contains("-1.500 s"));
  CHECK_THAT(told.events[1].text, Catch::Contains("3.0 s"));
}

TEST_CASE("a change of the playout delay is reported, with the tile that needs it") {
  Told told;
  told.status.delay = PlayoutRamp::constant(80ms);
  told.look();
  CHECK(told.events.empty());
  told.status.delay = PlayoutRamp::constant(120ms);
  told.status.slowest_flow = 1;
  told.look();
  told.status.delay = PlayoutRamp::constant(200ms);
  told.look();
  told.look();
  REQUIRE(told.codes() == Codes{"playout-delay", "playout-delay"});
  CHECK(told.events[0].severity == Severity::info);
  CHECK_THAT(told.events[0].text, Catch::Contains("from 80 to 120 ms") && Catch::Contains("node right"));
  CHECK(told.events[0].tile == TileIndex{1});
  CHECK(told.events[1].severity == Severity::warning);
  CHECK_THAT(told.events[1].text, Catch::Contains("playout_delay_max_ms"));
}

TEST_CASE("an entry that cannot begin is reported by what happens to it") {
  Told told;
  told.narrator.passed_over("film", true, {"its disk is missing", "plug it in"});
  told.narrator.passed_over("film", false, {"it is damaged", "ingest it again"});
  REQUIRE(told.codes() == Codes{"playlist", "playlist"});
  CHECK(told.events[0].severity == Severity::warning);
  CHECK_THAT(told.events[0].text, Catch::StartsWith("film is skipped: its disk is missing"));
  CHECK(told.events[1].severity == Severity::error);
  CHECK_THAT(told.events[1].text, Catch::StartsWith("film is removed from the playlist: it is damaged"));
}

TEST_CASE("without a listener nothing is reported, and nothing breaks") {
  const auto wall = two_nodes();
  Narrator narrator(wall, nullptr);
  PlaybackStatus status;
  status.jumps = 1;
  CHECK(narrator.look(status, "film", nullptr, WallTime{1s}).clock_jumped);
  narrator.ended("film");
}
