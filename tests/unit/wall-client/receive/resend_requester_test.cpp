// Pins when lost packets are requested: after a wait for reordering, again if the answer is lost, and not if no answer
// can arrive in time.
#include "wall-client/receive/resend_requester.h"

#include <catch2/catch.hpp>

#include <array>
#include <vector>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr WallTime start{1000s};

std::vector<std::int64_t> due(ResendRequester& requester, WallTime now) {
  std::array<std::int64_t, 16> room{};
  const auto asked = requester.take_due(now, room);
  return {asked.begin(), asked.end()};
}
using Numbers = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("a gap is requested once it outlasts reordering") {
  ResendRequester requester;
  requester.miss(10, 12, start, start + 80ms);
  CHECK(due(requester, start).empty());
  CHECK(requester.found(11, false, start + 500us));  // it was only overtaken
  CHECK(due(requester, start + 1ms) == Numbers{10, 12});
  CHECK(due(requester, start + 2ms).empty());
  CHECK(requester.counts().asked == 2);
}

TEST_CASE("a packet without a deadline remains wanted") {
  ResendRequester requester;
  requester.miss(1, 1, start, WallTime::max());
  REQUIRE(due(requester, start + 1ms) == Numbers{1});
  CHECK(due(requester, start + 1s) == Numbers{1});
  CHECK(requester.found(1, true, start + 2s));
}

TEST_CASE("a requested packet that does not arrive is requested again after the measured round trip") {
  ResendRequester requester;
  requester.miss(1, 1, start, start + 200ms);
  REQUIRE(due(requester, start + 1ms) == Numbers{1});
  CHECK(requester.found(1, true, start + 21ms));
  REQUIRE(requester.round_trip() == 20ms);
  requester.miss(2, 2, start + 30ms, start + 300ms);
  REQUIRE(due(requester, start + 31ms) == Numbers{2});
  CHECK(due(requester, start + 31ms + 50ms).empty());  // 20 ms and four deviations of 10 ms
  CHECK(due(requester, start + 31ms + 61ms) == Numbers{2});
  CHECK(requester.counts().repeated == 1);
  // For a packet requested twice it is unknown which request was answered.
  CHECK(requester.found(2, true, start + 31ms + 62ms));
  CHECK(requester.round_trip() == 20ms);
}

TEST_CASE("the last requests for a packet whose answer was lost come closer together") {
  ResendRequester requester;
  requester.miss(1, 1, start, start + 200ms);
  REQUIRE(due(requester, start + 1ms) == Numbers{1});
  REQUIRE(requester.found(1, true, start + 21ms));
  const auto asked_again = start + 92ms;  // 20 ms and four deviations of 10 ms after the first time
  requester.miss(2, 2, start + 30ms, asked_again + 30ms);
  REQUIRE(due(requester, start + 31ms) == Numbers{2});
  REQUIRE(due(requester, asked_again) == Numbers{2});
  CHECK(due(requester, asked_again + 4ms).empty());
  CHECK(due(requester, asked_again + 5ms) == Numbers{2});  // half of the 10 ms in which an answer can be used
  CHECK(due(requester, asked_again + 8ms) == Numbers{2});
  CHECK(due(requester, asked_again + 11ms).empty());
}

TEST_CASE("a packet that cannot arrive in time is not requested") {
  ResendRequester requester;
  requester.miss(1, 1, start, start + 500ms);
  REQUIRE(due(requester, start + 1ms).size() == 1);
  REQUIRE(requester.found(1, true, start + 151ms));  // 150 ms away
  requester.miss(2, 3, start + 200ms, start + 300ms);
  CHECK(due(requester, start + 201ms).empty());
  CHECK(requester.counts().hopeless == 2);
  CHECK(requester.found(2, false, start + 202ms));
  CHECK(due(requester, start + 301ms).empty());
  CHECK_FALSE(requester.found(3, false, start + 301ms));  // its frame is over
}

TEST_CASE("a path that was long for a while is measured again once a second, and used when it is short again") {
  ResendRequester requester;
  requester.miss(1, 1, start, start + 500ms);
  REQUIRE(due(requester, start + 1ms).size() == 1);
  REQUIRE(requester.found(1, true, start + 151ms));
  const auto later = start + 2s;
  requester.miss(2, 3, later, later + 100ms);
  CHECK(due(requester, later + 1ms) == Numbers{2});  // one, although no answer seems possible in time
  CHECK(due(requester, later + 99ms).empty());
  CHECK(requester.counts().hopeless == 1);
  CHECK(requester.counts().asked == 2);

  SECTION("short again") {
    REQUIRE(requester.found(2, true, later + 3ms));
    CHECK(requester.round_trip() == 2ms);
    requester.miss(4, 5, later + 10ms, later + 110ms);
    CHECK(due(requester, later + 11ms) == Numbers{4, 5});
  }
  SECTION("still long") {
    CHECK_FALSE(requester.found(2, true, later + 151ms));
    CHECK(requester.round_trip() == 150ms);
    requester.miss(4, 5, later + 900ms, later + 1000ms);
    CHECK(due(requester, later + 901ms).empty());
  }
  SECTION("not answered") {
    requester.miss(4, 5, later + 900ms, later + 1000ms);
    CHECK(due(requester, later + 901ms).empty());
    requester.miss(6, 7, later + 1100ms, later + 1200ms);
    CHECK(due(requester, later + 1101ms) == Numbers{6});
  }
}

TEST_CASE("an answer that arrives too late shows how long answers take") {
  ResendRequester requester;
  requester.miss(1, 1, start, start + 80ms);
  REQUIRE(due(requester, start + 1ms).size() == 1);
  CHECK_FALSE(requester.found(1, true, start + 151ms));
  CHECK(requester.round_trip() == 150ms);
}

TEST_CASE("a sender that does not answer gets few requests until it does") {
  ResendRequester requester;
  std::size_t asked = 0;
  WallTime now = start;
  for (std::int64_t i = 0; i < 5000; ++i, now += 1ms) {
    requester.miss(i, i, now, now + 20ms);
    asked += due(requester, now).size();
  }
  CHECK(asked <= ResendRequester::unanswered_max + 6);
  const auto probe = [&](std::int64_t sequence) {
    requester.miss(sequence, sequence, now, now + 80ms);
    return due(requester, now += 2ms).size();
  };
  now += 1s;
  REQUIRE(probe(6000) == 1);
  CHECK(probe(6001) == 0);
  REQUIRE(requester.found(6000, true, now));
  CHECK(due(requester, now) == Numbers{6001});
}

TEST_CASE("a sender that does not answer still gets requests after the clock was set back") {
  ResendRequester requester;
  const auto ahead = start + 1h;
  for (std::int64_t i = 0; i <= ResendRequester::unanswered_max; ++i) {
    requester.miss(i, i, ahead, ahead + 20ms);
    due(requester, ahead + 1ms);
  }
  requester.miss(1000, 1000, start, start + 80ms);
  CHECK(due(requester, start + 1ms) == Numbers{1000});
}

TEST_CASE("a packet is counted as found once") {
  ResendRequester requester;
  requester.miss(5, 5, start, start + 80ms);
  CHECK_FALSE(requester.found(4, true, start));
  CHECK(requester.found(5, true, start));
  CHECK_FALSE(requester.found(5, true, start));
}

TEST_CASE("gaps beyond those that can be tracked are counted") {
  ResendRequester requester;
  const auto most = static_cast<std::int64_t>(ResendRequester::missing_max);
  requester.miss(0, most + 9, start, start + 1s);
  CHECK(requester.counts().overflow == 10);
  CHECK(requester.found(most - 1, false, start));
  CHECK_FALSE(requester.found(most, false, start));
}

TEST_CASE("a path that reorders is given more time") {
  ResendRequester requester;
  for (std::int64_t i = 0; i < 6; ++i) {
    const auto now = start + i * 100ms;
    requester.miss(i, i, now, now + 80ms);
    due(requester, now + 11ms);
    requester.found(i, false, now + 12ms);
  }
  requester.miss(100, 100, start + 1s, start + 1080ms);
  CHECK(due(requester, start + 1s + 10ms).empty());
}

TEST_CASE("a new stream starts from scratch") {
  ResendRequester requester;
  requester.miss(1, 3, start, start + 80ms);
  requester.restart();
  CHECK(requester.empty());
  CHECK_FALSE(requester.round_trip());
}

TEST_CASE(
    "packets whose deadlines were set by a clock that was set back since are forgotten, later ones are requested") {
  ResendRequester requester;
  const auto most = static_cast<std::int64_t>(ResendRequester::missing_max);
  requester.miss(0, most - 1, start + 1h, start + 1h + 80ms);
  requester.forget_after(start + 10s);
  CHECK(requester.empty());
  requester.miss(most, most, start, start + 80ms);
  requester.forget_after(start + 10s);
  CHECK(due(requester, start + 1ms) == Numbers{most});
}
