#include "server/control/resume.h"

#include "tests/unit/server/control/service_fixture.h"

#include <unistd.h>
#include <catch2/catch.hpp>

#include <sys/stat.h>

#include <filesystem>
#include <fstream>

using namespace lw;
using namespace lw::test;

namespace {

PlaylistEntry entry(std::uint64_t id, const std::string& name) {
  PlaylistEntry made;
  made.id = id;
  made.name = name;
  return made;
}

Resume playing() {
  Resume resume;
  resume.name = "waves";
  resume.frame = 17;
  resume.paused = true;
  resume.rate = -0.5;
  resume.loop = false;
  resume.sound = {-12.5, true};
  resume.range = FrameRange{3, 99};
  resume.entry = entry(4, "waves");
  resume.entry->loops = 3;
  resume.playlist.repeat = true;
  resume.playlist.entries = {entry(5, "ice"), entry(4, "waves")};
  resume.playlist.entries[0].seconds = 12.5;
  resume.playlist.entries[0].transition = {std::chrono::milliseconds{700}};
  return resume;
}

}  // namespace

TEST_CASE("the record of what was playing is read as it was written") {
  for (const auto& resume : {Resume{}, playing()}) {
    const auto again = parse_resume(to_json_text(resume));
    REQUIRE(again.has_value());
    CHECK(*again == resume);
  }
}

TEST_CASE("a server that ended while the wall darkened resumes with the next visualization") {
  PlayState state;
  state.status = PlayStatus::playing;
  state.name = "waves";
  state.frame = 50;
  state.range = FrameRange{3, 99};
  CHECK(resume_of(state).frame == 50);
  state.coming = ComingNext{"ice", std::chrono::seconds{1}, entry(7, "ice")};
  const auto resume = resume_of(state);
  CHECK(resume.name == "ice");
  CHECK(resume.frame == 0);
  CHECK_FALSE(resume.range);
  CHECK(resume.entry->id == 7);
}

TEST_CASE("a damaged resume file is reported") {
  auto whole = to_json_text(playing());
  for (std::size_t size = 0; size + 2 < whole.size(); size += 7)
    CHECK_FALSE(parse_resume(whole.substr(0, size)).has_value());
  CHECK_FALSE(parse_resume(std::string(resume_bytes_max + 1, ' ')).has_value());
  CHECK_FALSE(parse_resume(std::string(100'000, '[')).has_value());
  for (const char* text : {R"({"version":2,"rate":1,"loop":true})", R"({"version":1,"rate":0,"loop":true})",
                           R"({"version":1,"rate":9,"loop":true})", R"({"version":1,"rate":1,"loop":true,"x":1})",
                           R"({"version":1,"rate":1,"loop":true,"playlist":[{}]})", R"([1])"}) {
    const auto resume = parse_resume(text);
    REQUIRE_FALSE(resume.has_value());
    CHECK_FALSE(resume.error().what.empty());
  }
}

TEST_CASE("the file is replaced atomically") {
  const auto folder = std::filesystem::temp_directory_path() / ("resume-test-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const auto file = folder / "resume.json";
  const auto nothing = load_resume(file);
  REQUIRE(nothing.has_value());
  CHECK_FALSE(nothing->has_value());
  REQUIRE(save_resume(file, to_json_text(playing())).has_value());
  const auto loaded = load_resume(file);
  REQUIRE(loaded.has_value());
  CHECK(**loaded == playing());
  CHECK_FALSE(save_resume(folder / "no" / "resume.json", "{}").has_value());
  std::ofstream(file) << "{";
  const auto damaged = load_resume(file);
  REQUIRE_FALSE(damaged.has_value());
  CHECK(damaged.error().what.find("resume.json") != std::string::npos);
  // A pipe blocks nobody.
  std::filesystem::remove(file);
  REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
  CHECK(load_resume(file).has_error());
  std::filesystem::remove_all(folder);
}

TEST_CASE("a session resumes") {
  FakeSession session;
  Resume resume = playing();
  SECTION("with a visualization") {
    resume.entry.reset();
    REQUIRE(go_on(session, resume).has_value());
    CHECK(session.calls ==
          std::vector<std::string>{"rate", "loop", "sound", "playlist", "load waves 17 paused", "loop"});
    CHECK(session.now.playlist.entries.size() == 2);
    CHECK(session.now.range == FrameRange{3, 99});
  }
  SECTION("with an entry of its playlist, which is not there twice") {
    REQUIRE(go_on(session, resume).has_value());
    CHECK(session.calls ==
          std::vector<std::string>{"rate", "loop", "sound", "playlist", "next", "seek 17", "pause", "loop"});
    CHECK(session.now.entry->loops == 3U);
    REQUIRE(session.now.playlist.entries.size() == 1);
    CHECK(session.now.playlist.entries[0].name == "ice");
  }
  SECTION("with nothing, as it was") {
    REQUIRE(go_on(session, Resume{}).has_value());
    CHECK(session.calls == std::vector<std::string>{"rate", "loop", "playlist"});
  }
  SECTION("and says what it cannot") {
    session.refuse = Error{"it is gone", ""};
    const auto gone_on = go_on(session, resume);
    REQUIRE_FALSE(gone_on.has_value());
    CHECK(gone_on.error().what == "it is gone");
  }
}
