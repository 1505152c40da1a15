// Pins how the session plays a store that is still being written: its end moves on, on all servers alike, and no frame
// of it is played that is not there, or not the wall's.
#include "common/store/checksum.h"
#include "common/store/growing.h"
#include "common/store/store_files.h"
#include "common/store/stripe_layout.h"
#include "server/play/session.h"
#include "tests/support/ports.h"
#include "tests/support/store_folder.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <functional>
#include <thread>

using namespace lw;
namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds wait_max{60};

Wall wall_of(unsigned servers) {
  Wall wall;
  wall.name = "two";
  wall.set_grid({.columns = 2, .rows = 1, .tile_width = 64, .tile_height = 40});
  wall.frame_rate = {60, 1};
  wall.nodes = {{"node", "127.0.0.1", {{{0}, {}, 0, 0}, {{1}, {}, 64, 0}}}};
  wall.coordinator().interfaces = {"127.0.0.1"};
  wall.streaming.base_port = free_even_ports(8);
  wall.streaming.source_port = static_cast<std::uint16_t>(wall.streaming.base_port + 4);
  if (servers == 1) return wall;
  wall.servers.push_back(wall.coordinator());
  wall.servers[0].name = "a";
  wall.servers[0].tiles = {{0}};
  wall.servers[1].name = "b";
  wall.servers[1].tiles = {{1}};
  return wall;
}

// A store as an import writes it.
class Import {
public:
  Import(fs::path content, const Grid& geometry, const std::string& id) : content_(std::move(content)) {
    manifest_.title = "shot";
    manifest_.id = id;
    manifest_.geometry = geometry;
    manifest_.frame_rate = {60, 1};
    manifest_.stripes = {"."};
    fs::create_directories(folder());
  }
  // `seed`: of what the frames are, as far as their checksums say.
  void grow(std::uint32_t frames, std::uint64_t seed = 0) {
    for (auto value = sums_.size(); value < std::size_t{frames} * 2; ++value) sums_.push_back(value + seed);
    std::ofstream(folder() / growing_checksums_name, std::ios::binary)
        .write(reinterpret_cast<const char*>(sums_.data()), static_cast<std::streamsize>(sums_.size() * 8));
    write_files(frames);
    manifest_.checksums = growing_checksums_name;
    std::ofstream(folder() / "growing.next") << to_json_text(manifest_);
    fs::rename(folder() / "growing.next", folder() / growing_file_name);
  }
  void cut_short() const { fs::resize_file(folder() / "tile-1-0.npy", 4096); }
  void finish() {
    const StripeLayout layout(manifest_);
    for (unsigned tile = 0; tile < 2; ++tile)
      std::fstream(folder() / file_of(tile), std::ios::in | std::ios::out | std::ios::binary)
          << layout.header(0, {tile});
    manifest_.checksums = "checksums.npy";
    REQUIRE(save_checksums({manifest_.frame_count, 2, sums_}, folder() / manifest_.checksums).has_value());
    std::ofstream(folder() / manifest_file_name) << to_json_text(manifest_);
    fs::remove(folder() / growing_file_name);
    fs::rename(folder(), content_ / "shot");
  }
  [[nodiscard]] fs::path folder() const { return content_ / growing_folder_name("shot"); }

private:
  [[nodiscard]] std::string file_of(unsigned tile) const { return stripe_file_name(manifest_, {tile}); }
  void write_files(std::uint32_t frames) {
    manifest_.frame_count = frames;
    const StripeLayout layout(manifest_);
    for (unsigned tile = 0; tile < 2; ++tile) {
      std::ofstream(folder() / file_of(tile), std::ios::app).flush();
      fs::resize_file(folder() / file_of(tile), layout.file_bytes(0, {tile}));
    }
  }

  fs::path content_;
  Manifest manifest_;
  std::vector<std::uint64_t> sums_;
};

struct Host {
  StoreFolder content;
  Library library{{content.path}};
  std::vector<PlayEvent> events;
  std::unique_ptr<Session> session;

  void start(const Wall& wall, const WallServer& self) {
    library.scan();
    session = Session::start(wall, self, library, [this](const PlayEvent& event) { events.push_back(event); }).value();
  }
  [[nodiscard]] PlayState state() const { return session->state(); }
};

const std::string id(32, 'a');

void until(const std::vector<Host*>& hosts, const std::function<bool()>& done, const std::string& what) {
  for (const auto end = LocalClock::now() + wait_max; !done();) {
    INFO("waiting for " << what);
    REQUIRE(LocalClock::now() < end);
    for (auto* host : hosts) host->session->poll();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace

TEST_CASE("the library has what is being written, as far as it is, until there is a complete store") {
  StoreFolder content;
  const auto wall = wall_of(1);
  Library library{{content.path}};
  Import import(content.path, wall.grid, id);
  library.scan();
  CHECK(library.entries().empty());
  CHECK_FALSE(library.one_begins_to_grow());
  import.grow(3);
  CHECK(library.one_begins_to_grow());
  library.scan();
  REQUIRE(library.find("shot") != nullptr);
  CHECK(library.find("shot")->manifest.growing);
  CHECK(library.find("shot")->manifest.frame_count == 3);
  CHECK_FALSE(library.one_begins_to_grow());
  // A file that is too short for what the mark says.
  import.cut_short();
  library.scan();
  CHECK(library.find("shot") == nullptr);
  CHECK(library.rejected().size() == 1);
  import.grow(5);
  import.finish();
  library.scan();
  REQUIRE(library.find("shot") != nullptr);
  CHECK_FALSE(library.find("shot")->manifest.growing);
  // Another import of this name is not listed beside it.
  Import again(content.path, wall.grid, std::string(32, 'b'));
  again.grow(1);
  library.scan();
  CHECK(library.entries().size() == 1);
  CHECK(library.rejected().empty());
  CHECK_FALSE(library.find("shot")->manifest.growing);
}

TEST_CASE("what is being written plays as far as it is, and its end moves on") {
  Host host;
  const auto wall = wall_of(1);
  Import import(host.content.path, wall.grid, id);
  import.grow(4);
  host.start(wall, wall.coordinator());
  auto& session = *host.session;
  REQUIRE(session.set_loop(false, {}, {}).has_value());
  REQUIRE(session.load("shot", 0, false, {}).has_value());
  CHECK(host.state().growing);
  until(
      {&host}, [&] { return host.state().frame == 3; }, "the last frame so far");
  for (int i = 0; i < 100; ++i) {
    session.poll();
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
  CHECK(host.state().frame == 3);
  CHECK(host.state().status == PlayStatus::playing);
  CHECK(session.seek(4).has_error());
  import.grow(9);
  until(
      {&host}, [&] { return host.state().frame_count == 9; }, "more frames");
  until(
      {&host}, [&] { return host.state().frame == 8; }, "the last frame so far");
  // Files that are too short for what the mark says: as if it said nothing.
  import.grow(12);
  import.cut_short();
  import.grow(12);
  until(
      {&host}, [&] { return host.state().frame_count == 12; }, "more frames");
  // An operator's range does not move.
  REQUIRE(session.set_loop(true, 2, 5).has_value());
  import.grow(15);
  until(
      {&host}, [&] { return host.state().frame_count == 15; }, "more frames");
  CHECK(host.state().range == FrameRange{2, 5});
  REQUIRE(session.set_loop(false, {}, {}).has_value());
  import.finish();
  host.library.scan();
  until(
      {&host}, [&] { return !host.state().growing; }, "the complete store");
  CHECK(host.state().frame_count == 15);
  until(
      {&host}, [&] { return host.state().status == PlayStatus::paused; }, "the end");
  CHECK(host.state().frame == 14);
  CHECK(session.read_totals().failures == 0);
}

TEST_CASE("an import that begins from the start changes nothing of what plays") {
  Host host;
  const auto wall = wall_of(1);
  Import import(host.content.path, wall.grid, id);
  import.grow(4);
  host.start(wall, wall.coordinator());
  REQUIRE(host.session->load("shot", 0, false, {}).has_value());
  fs::remove_all(import.folder());
  Import again(host.content.path, wall.grid, std::string(32, 'b'));
  again.grow(8, 100);
  until(
      {&host}, [&] { return !host.state().growing; }, "the end of growing");
  CHECK(host.state().frame_count == 4);
  until(
      {&host}, [&] { return host.state().frame == 3; }, "a frame");
  until(
      {&host}, [&] { return host.state().frame == 0; }, "the next round");
  CHECK(host.session->read_totals().failures == 0);
}

TEST_CASE("two servers play the frames that both have, and no server those of another import") {
  Host a, b;
  const auto wall = wall_of(2);
  Import at_a(a.content.path, wall.grid, id), at_b(b.content.path, wall.grid, std::string(32, 'b'));
  const bool same = GENERATE(true, false);
  at_a.grow(10);
  at_b.grow(3);
  a.start(wall, wall.servers[0]);
  b.start(wall, wall.servers[1]);
  a.session->coordinate(true);
  b.session->coordinate(false);
  const auto step = [&] {
    static_cast<void>(b.session->follow(a.session->line()));
    a.session->others_grown(b.session->grown());
    return true;
  };
  REQUIRE(a.session->load("shot", 0, false, {}).has_value());
  REQUIRE(b.session->follow(a.session->line()).has_value());
  CHECK(b.session->grown()->frames == 3);
  until(
      {&a, &b}, [&] { return step() && b.state().frame_count == 3; }, "both to play 3 frames");
  CHECK(a.state().frame_count == 3);
  CHECK(b.events.empty());
  at_b.grow(6, same ? 0 : 1);
  if (same) {
    until(
        {&a, &b}, [&] { return step() && b.state().frame_count == 6; }, "both to play 6 frames");
    at_a.finish();
    a.library.scan();
    until(
        {&a, &b}, [&] { return step() && b.session->grown()->frames == 6; }, "a moment");
    CHECK(a.state().growing);  // the other one is not complete
    at_b.grow(10);
    at_b.finish();
    b.library.scan();
    until(
        {&a, &b}, [&] { return step() && !a.state().growing && !b.state().growing; }, "the complete stores");
    CHECK(b.state().frame_count == 10);
    CHECK(b.events.empty());
  } else {
    until(
        {&a, &b},
        [&] {
          step();
          return !b.session->follow(a.session->line());
        },
        "the refusal");
    CHECK(a.state().frame_count == 6);
  }
}
