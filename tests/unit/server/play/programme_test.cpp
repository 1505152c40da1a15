// Which entry of a playlist is next, and how long an entry plays.
#include "server/play/programme.h"

#include <catch2/catch.hpp>

#include <set>
#include <string>
#include <vector>

using namespace lw;
using namespace std::chrono_literals;

namespace {

PlaylistEntry entry(std::string name) {
  PlaylistEntry made;
  made.name = std::move(name);
  return made;
}

Playlist playlist(std::vector<std::string> names, bool repeat = false) {
  Playlist made;
  for (auto& name : names) made.entries.push_back(entry(std::move(name)));
  made.repeat = repeat;
  return made;
}

// A session that can play everything except damaged and missing entries.
struct FakeSession {
  std::set<std::string> damaged, missing;
  std::vector<std::string> begun, passed_over;  // those that stay in the list are marked '+'

  Programme::Stage stage() {
    return {.begin = [this](const PlaylistEntry& wanted) -> Result<void> {
              if (damaged.contains(wanted.name) || missing.contains(wanted.name)) return Error{"cannot", "try another"};
              begun.push_back(wanted.name);
              return {};
            },
            .is_missing = [this](const PlaylistEntry& wanted) { return missing.contains(wanted.name); },
            .passed_over =
                [this](const PlaylistEntry& wanted, bool stays, const Error& error) {
                  CHECK(error.what == "cannot");
                  passed_over.push_back(wanted.name + (stays ? "+" : ""));
                }};
  }
};

std::vector<std::string> names(const Programme& programme) {
  std::vector<std::string> all;
  for (const auto& waiting : programme.playlist().entries) all.push_back(waiting.name);
  return all;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("entries get ids, and keep given ones") {
  Programme programme;
  programme.set(playlist({"a", "b"}));
  auto changed = programme.playlist();
  const auto first = changed.entries[0].id, second = changed.entries[1].id;
  CHECK(first != 0);
  CHECK(second != first);
  std::swap(changed.entries[0], changed.entries[1]);
  changed.entries.push_back(entry("a"));
  changed.entries.push_back(entry("c"));
  changed.entries.back().id = 1000;  // an id that was never given out
  programme.set(changed);
  const auto& entries = programme.playlist().entries;
  CHECK(entries[0].id == second);
  CHECK(entries[1].id == first);
  CHECK(std::set<std::uint64_t>{first, second, entries[2].id, entries[3].id}.size() == 4);
  CHECK(entries[3].id != 1000);
}

TEST_CASE("the first entry begins, and leaves the list unless it repeats") {
  for (const bool repeat : {false, true}) {
    Programme programme;
    FakeSession session;
    programme.set(playlist({"a", "b"}, repeat));
    CHECK(programme.begin_next(session.stage()));
    CHECK(session.begun == Names{"a"});
    CHECK(names(programme) == (repeat ? Names{"b", "a"} : Names{"b"}));
  }
}

TEST_CASE("nothing begins from an empty list") {
  Programme programme;
  FakeSession session;
  CHECK_FALSE(programme.begin_next(session.stage()));
  CHECK_FALSE(programme.waits_for_content());
}

TEST_CASE("a damaged entry leaves the list, a missing one remains in it") {
  Programme programme;
  FakeSession session{{"damaged"}, {"missing"}, {}, {}};
  programme.set(playlist({"damaged", "missing", "good", "more"}));
  CHECK(programme.begin_next(session.stage()));
  CHECK(session.begun == Names{"good"});
  CHECK(session.passed_over == Names{"damaged", "missing+"});
  CHECK(names(programme) == Names{"missing", "more"});
  CHECK_FALSE(programme.waits_for_content());
}

TEST_CASE("in a repeating list, a missing entry has its turn again before the one that has begun") {
  Programme programme;
  FakeSession session{{}, {"missing"}, {}, {}};
  programme.set(playlist({"missing", "good", "more"}, true));
  CHECK(programme.begin_next(session.stage()));
  CHECK(names(programme) == Names{"more", "missing", "good"});
}

TEST_CASE("a list whose entries are all missing waits for them, until something else is shown") {
  Programme programme;
  FakeSession session{{}, {"a", "b"}, {}, {}};
  programme.set(playlist({"a", "b"}));
  CHECK_FALSE(programme.begin_next(session.stage()));
  CHECK(programme.waits_for_content());
  CHECK(names(programme) == Names{"a", "b"});
  programme.now_shows({});
  CHECK_FALSE(programme.waits_for_content());
}

TEST_CASE("an entry plays for its time, or until its frames have ended") {
  Programme programme;
  CHECK_FALSE(programme.time());
  auto timed = entry("a");
  timed.seconds = 2.5;
  programme.now_shows(timed);
  CHECK(programme.time() == Nanoseconds{2500ms});
  programme.now_shows(entry("b"));
  CHECK_FALSE(programme.time());
}
