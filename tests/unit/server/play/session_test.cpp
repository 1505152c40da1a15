// How the session handles changing stores, and content directories that disappear, with the real threads and
// sockets.
#include "server/play/session.h"

#include "tests/support/store_folder.h"
#include "tests/support/two_tiles.h"
#include "tests/support/written_store.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <functional>
#include <thread>

using namespace lw;
namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds wait_max{60};

struct Stage {
  StoreFolder folder;
  fs::path near = folder.path / "near", far = folder.path / "far";
  Wall wall = two_tiles();
  Library library{{near, far}};
  std::vector<PlayEvent> events;
  std::unique_ptr<Session> session;

  Stage() {
    for (const auto* name : {"a", "b"}) write_store(near / name, wall.grid);
    write_store(far / "c", wall.grid);
    library.scan();
    session = Session::start(wall, wall.coordinator(), library, [this](const PlayEvent& event) {
                events.push_back(event);
              }).value();
  }
  // Polls like the control thread.
  void until(const std::function<bool()>& done, const std::string& what) {
    for (const auto end = LocalClock::now() + wait_max; !done();) {
      INFO("waiting for " << what);
      REQUIRE(LocalClock::now() < end);
      session->poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  void plays_on() {
    for (int i = 0; i < 3; ++i)
      until([this, frame = session->state().frame] { return session->state().frame != frame; }, "another frame");
  }
  bool was_told(const std::string& code, const std::string& words) const {
    return std::ranges::any_of(events, [&](const PlayEvent& event) {
      return event.code == code && event.text.find(words) != std::string::npos;
    });
  }
  std::vector<std::string> playlist() const {
    std::vector<std::string> names;
    for (const auto& entry : session->state().playlist.entries) names.push_back(entry.name);
    return names;
  }
  void set_playlist(const std::vector<std::string>& names, bool repeat) {
    Playlist list;
    for (const auto& name : names) list.entries.push_back({0, name, 1, {}});
    list.repeat = repeat;
    REQUIRE(session->set_playlist(list).has_value());
  }
};

}  // namespace

TEST_CASE("a store that was replaced by one of another shape is refused, and playing continues") {
  Stage stage;
  REQUIRE(stage.session->load("a", 0, false, {}).has_value());
  for (const Grid& geometry : {Grid{1, 1, 64, 40, 0, 0}, {2, 1, 32, 20, 0, 0}, {3, 4, 512, 400, 0, 0}}) {
    fs::remove_all(stage.near / "b");
    write_store(stage.near / "b", geometry);
    const auto loaded = stage.session->load("b", 0, false, {});
    REQUIRE(loaded.has_error());
    CHECK_THAT(loaded.error().text(), Catch::Contains("this wall has"));
    CHECK(stage.session->state().name == "a");
    stage.plays_on();
  }
  // Of the same shape, but shorter than the library knows.
  fs::remove_all(stage.near / "b");
  write_store(stage.near / "b", stage.wall.grid, 2);
  CHECK(stage.session->load("b", 4, false, {}).has_error());
  REQUIRE(stage.session->load("b", 1, false, {}).has_value());
  CHECK(stage.session->state().frame_count == 2);
  CHECK(stage.session->seek(2).has_error());
  stage.plays_on();
}

TEST_CASE("a store that is replaced while the wall darkens does not start") {
  Stage stage;
  REQUIRE(stage.session->load("a", 0, false, {}).has_value());
  REQUIRE(stage.session->load("b", 5, false, {std::chrono::milliseconds(500)}).has_value());
  fs::remove_all(stage.near / "b");
  write_store(stage.near / "b", {1, 1, 64, 40, 0, 0}, 1);
  stage.until([&] { return stage.session->state().name == "b"; }, "the fade");
  CHECK(stage.session->state().frame_count == 6);
  stage.plays_on();
  CHECK_FALSE(stage.was_told("read-failed", ""));
}

TEST_CASE("files that are written to during playback are not shown, and play again once they are complete") {
  const bool scanned_meanwhile = GENERATE(false, true);
  Stage stage;
  REQUIRE(stage.session->load("a", 0, false, {}).has_value());
  stage.plays_on();
  const auto file = stage.near / "a" / "tile-0-0.npy";
  const auto size = fs::file_size(file);
  fs::resize_file(file, size / 2);
  stage.until([&] { return stage.was_told("read-failed", "changed since it was opened"); }, "the error");
  CHECK_FALSE(stage.was_told("loaded", "opened again"));
  if (scanned_meanwhile) stage.library.scan();
  fs::resize_file(file, size);
  stage.until([&] { return stage.was_told("loaded", "opened again"); }, "the file");
  stage.plays_on();

  // Another store of the same shape and place, but with other frames, is not played by mistake.
  stage.events.clear();
  write_store(stage.near / "a", stage.wall.grid, 5);
  stage.until([&] { return stage.was_told("read-failed", "changed since it was opened"); }, "the error");
  for (int i = 0; i < 20; ++i) stage.session->poll();
  CHECK_FALSE(stage.was_told("loaded", ""));
  CHECK(stage.session->state().frame_count == 6);
}

TEST_CASE("a missing content directory empties no playlist, and its content plays when it is back") {
  Stage stage;
  const auto away = stage.folder.path / "away";
  const auto go_away = [&] {
    fs::rename(stage.far, away);
    stage.library.scan();
  };
  const auto come_back = [&] {
    fs::rename(away, stage.far);
    stage.library.scan();
  };
  SECTION("with repeat its turn comes again") {
    stage.set_playlist({"c", "a", "b"}, true);
    go_away();
    REQUIRE(stage.session->next({}).has_value());
    CHECK(stage.session->state().name == "a");
    CHECK(stage.playlist() == std::vector<std::string>{"b", "c", "a"});
    CHECK(stage.was_told("playlist", "c is skipped"));
    come_back();
    REQUIRE(stage.session->next({}).has_value());
    REQUIRE(stage.session->next({}).has_value());
    CHECK(stage.session->state().name == "c");
  }
  SECTION("without, it is tried first at the next change") {
    stage.set_playlist({"c", "a", "b"}, false);
    go_away();
    REQUIRE(stage.session->next({}).has_value());
    CHECK(stage.session->state().name == "a");
    CHECK(stage.playlist() == std::vector<std::string>{"c", "b"});
    come_back();
    REQUIRE(stage.session->next({}).has_value());
    CHECK(stage.session->state().name == "c");
  }
  SECTION("if nothing else follows, it continues") {
    go_away();
    REQUIRE(stage.session->set_loop(false, {}, {}).has_value());
    stage.set_playlist({"c"}, false);  // it is not known yet whether it will exist
    REQUIRE(stage.session->load("a", 0, false, {}).has_value());
    stage.until([&] { return stage.session->state().status == PlayStatus::paused; }, "the end");
    CHECK(stage.playlist() == std::vector<std::string>{"c"});
    come_back();
    stage.until([&] { return stage.session->state().name == "c"; }, "the content directory");
  }
  SECTION("if nothing is missing, entries keep their names") {
    stage.set_playlist({"a", "b"}, true);
    for (const auto* name : {"a", "b", "a"}) {
      REQUIRE(stage.session->next({}).has_value());
      CHECK(stage.session->state().name == name);
    }
  }
  SECTION("damaged content is skipped permanently") {
    stage.set_playlist({"b", "a"}, true);
    fs::remove(stage.near / "b" / "tile-0-0.npy");
    REQUIRE(stage.session->next({}).has_value());
    CHECK(stage.session->state().name == "a");
    CHECK(stage.playlist() == std::vector<std::string>{"a"});
  }
  SECTION("if nothing can be played, the playlist stays unchanged") {
    stage.set_playlist({"b", "c"}, false);
    go_away();
    fs::remove(stage.near / "b" / "tile-0-0.npy");
    const auto revision = stage.session->state().revision;
    CHECK(stage.session->next({}).has_error());
    CHECK(stage.playlist() == std::vector<std::string>{"b", "c"});
    CHECK(stage.session->state().revision == revision);
    CHECK(stage.was_told("playlist", "b is skipped"));
  }
  SECTION("a name that is nowhere is an error while nothing is missing") {
    Playlist list;
    list.entries.push_back({0, "nowhere", 1, {}});
    CHECK(stage.session->set_playlist(list).has_error());
  }
}
