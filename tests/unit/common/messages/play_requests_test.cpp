// Requests about playing: each is read back as it was written, and errors in one are named.
#include "common/messages/play_requests.h"

#include <catch2/catch.hpp>

#include "tests/unit/common/messages/told.h"

using namespace lw;
using namespace lw::test;

TEST_CASE("requests come back as they were written") {
  const auto comes_back = [](const auto& request) {
    using Request = std::decay_t<decltype(request)>;
    return read_message<Request>(to_json(request)).value() == request;
  };
  CHECK(comes_back(LoadRequest{"waves", 17, true, {TransitionKind::fade, 700}}));
  CHECK(comes_back(LoadRequest{"waves", {}, {}, {}}));
  CHECK(comes_back(SeekRequest{INT32_MAX}));
  CHECK(comes_back(RateRequest{-0.25}));
  CHECK(comes_back(LoopRequest{false, 3, 99}));
  CHECK(comes_back(PlaylistRequest{std::vector<std::string>{"a", "b"}, {}, true}));
  CHECK(comes_back(PlaylistRequest{{}, std::vector<EntryMessage>{{"a", 1, 3, {}, {}}, {"b", {}, {}, 12.5, {}}}, {}}));
  CHECK(comes_back(PlaylistReply{{"a"}, {{"a", 1, {}, {}, {TransitionKind::cut, {}}}}, false}));
  CHECK(comes_back(NextRequest{{TransitionKind::cut, {}}}));
}

TEST_CASE("a load needs a name, a possible frame, and a fade with a length") {
  const Json load{{"name", "waves"}, {"transition", "fade"}, {"fade_ms", 700}};
  CHECK(problem_of<LoadRequest>(load).empty());
  CHECK(problem_without<LoadRequest>(load, "/name") == "name is missing");
  CHECK(problem_with<LoadRequest>(load, "/frame", -1) == "frame must be a whole number from 0 to 2147483647");
  CHECK(problem_with<LoadRequest>(load, "/transition", "wipe") == "transition must be cut or fade");
  CHECK(problem_with<LoadRequest>(load, "/transition", "cut") == "fade_ms belongs to the transition fade");
  CHECK(problem_without<LoadRequest>(load, "/transition") == "fade_ms belongs to the transition fade");
  CHECK(problem_with<LoadRequest>(load, "/fade_ms", 199) == "fade_ms must be a whole number from 200 to 20000");
  CHECK(problem_with<LoadRequest>(load, "/speed", 2) ==
        "unknown member 'speed'; this method takes name, frame, paused, incomplete, transition, "
        "fade_ms");
}

TEST_CASE("a rate is at most eightfold, and never a pause") {
  const auto problem = [](double rate) { return problem_of<RateRequest>({{"rate", rate}}); };
  CHECK(problem(8).empty());
  CHECK(problem(-0.01).empty());
  CHECK(problem(8.1) == "rate must be a number from -8 to 8");
  for (const double still : {0.0, 0.009, -0.009})
    CHECK(problem(still) == "rate must be at least 0.01 forwards or backwards; pause stops");
}

TEST_CASE("a playlist has names or entries, up to a limit") {
  CHECK(problem_of<PlaylistRequest>(Json::object()).empty());
  CHECK(problem_of<PlaylistRequest>({{"names", {"a"}}, {"entries", Json::array()}}) ==
        "give names or entries, not both");
  CHECK(problem_of<PlaylistRequest>({{"repeat", true}}) == "repeat belongs to names or entries");
  CHECK(problem_of<PlaylistRequest>({{"entries", {{{"name", "a"}}, {{"name", "b"}, {"loops", 0}}}}}) ==
        "entries, number 2: loops must be a whole number from 1 to 1000000");
  CHECK(problem_of<PlaylistRequest>({{"entries", {{{"name", "a"}, {"fade_ms", 700}}}}}) ==
        "entries, number 1: fade_ms belongs to the transition fade");
  const std::vector<std::string> most(playlist_entries_max, "a");
  CHECK(problem_of<PlaylistRequest>({{"names", most}}).empty());
  auto more = most;
  more.emplace_back("b");
  CHECK(problem_of<PlaylistRequest>({{"names", more}}) == "a playlist has at most 1000 entries");
}
