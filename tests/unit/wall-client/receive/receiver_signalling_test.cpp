// A receiver's signalling, at times given by the test: when a band is dropped, what is requested again, and what a
// restarted sender changes.
#include "wall-client/receive/receiver_signalling.h"

#include "tests/support/stand_in_socket.h"

#include <catch2/catch.hpp>

#include <array>
#include <set>

using namespace lw;
using namespace lw::truth;
using namespace std::chrono_literals;

namespace {

constexpr WallTime start{1000s};

Wall wall_of(const char* streaming) {
  return parse_wall(std::string(R"(
    [wall]
    name = "one"
    columns = 1
    rows = 1
    tile_width = 64
    tile_height = 40
    frame_rate = 30
    [[node]]
    name = "n"
    address = "127.0.0.1"
    tiles = [{ column = 0, row = 0 }]
    [[server]]
    name = "s"
    [streaming]
    playout_delay_ms = 100
    )") + streaming,
                    "wall.toml")
      .value();
}

struct Signalling {
  explicit Signalling(const char* streaming) : wall(wall_of(streaming)) {}

  Wall wall;
  StreamSource source{{}};
  ReceiverSignalling signalling{wall, TileIndex{}, {}, 1, std::nullopt, nullptr, source};
  SequenceTracker sequences;
};

}  // namespace

TEST_CASE("an incomplete band is dropped early enough before its presentation to conceal its rows") {
  const Signalling flow("");
  const auto deadline = flow.signalling.deadline_of(start);
  CHECK(deadline < start + 100ms);
  CHECK(deadline > start + 80ms);
}

TEST_CASE("when measuring a path, no band is dropped by the clock") {
  auto wall = wall_of("");
  wall.streaming.keep_late = true;
  StreamSource source{{}};
  const ReceiverSignalling signalling{wall, TileIndex{}, {}, 1, std::nullopt, nullptr, source};
  CHECK(signalling.deadline_of(start) == WallTime::max());
}

TEST_CASE("a missing packet is useful until its band is dropped, and only once") {
  Signalling flow("resend = true");
  REQUIRE(flow.signalling.requests());
  flow.sequences.take(10);
  flow.signalling.reach({start, 7, 1, 7});
  flow.signalling.miss_before(14, flow.sequences, start);
  CHECK(flow.signalling.found(11, true, start + 20ms));
  CHECK_FALSE(flow.signalling.found(11, true, start + 20ms));
  CHECK_FALSE(flow.signalling.found(14, true, start + 20ms));
  CHECK_FALSE(flow.signalling.found(12, true, start + 200ms));
  flow.signalling.forget(13);
  CHECK_FALSE(flow.signalling.found(13, true, start + 20ms));
}

TEST_CASE("what is lost after a complete frame is of the next one, and useful for as long") {
  Signalling flow("resend = true");
  const FrameStamp newest{start, 7, 1, 7}, next{start + 99ms, 10, 1, 10};
  flow.signalling.reach(newest);
  CHECK(flow.signalling.first_missed(next) == start);  // its end may be lost
  flow.signalling.complete(start);
  CHECK(flow.signalling.first_missed(next) == start + 33ms);
  flow.signalling.reach(next);
  CHECK(flow.signalling.first_missed({start + 132ms, 11, 1, 11}) == next.media_time);
}

TEST_CASE("after a restart of the sender nothing of the old stream is requested") {
  Signalling flow("resend = true");
  flow.sequences.take(10);
  flow.signalling.reach({start, 7, 1, 7});
  flow.signalling.miss_before(14, flow.sequences, start);
  flow.sequences.begin_stream();
  flow.signalling.restart(flow.sequences);
  CHECK_FALSE(flow.signalling.found(11, true, start + 20ms));
}

TEST_CASE("without resends nothing is missed or found") {
  Signalling flow("resend = false");
  CHECK_FALSE(flow.signalling.requests());
  flow.sequences.take(10);
  flow.signalling.miss_before(14, flow.sequences, start);
  CHECK_FALSE(flow.signalling.found(11, true, start));
}

TEST_CASE("what is lost before the sender's first report is asked for when that comes, and all of it") {
  constexpr std::uint32_t ssrc = 7;
  constexpr std::int64_t lost = 3 * ResendRequester::unanswered_max;
  const auto server = Address::parse("10.0.0.1", 40000).value();
  auto wall = wall_of("resend = true");
  wall.streaming.playout_delay = 4s;
  Timeline timeline;
  std::set<std::uint32_t> asked;
  auto socket = std::make_unique<StandInSocket>(timeline, false, [&](const Address&, std::span<const std::byte> sent) {
    RtcpContents contents;
    REQUIRE(parse_rtcp(sent, ssrc, contents).empty());
    for_each_missing(contents, [&](std::uint32_t number) { asked.insert(number); });
  });
  auto& control = *socket;
  std::vector<std::unique_ptr<DatagramPort>> ports;
  ports.push_back(std::move(socket));
  StreamSource source{{}};
  ReceiverSignalling signalling{wall, TileIndex{}, std::move(ports), 1, std::nullopt, nullptr, source};
  StreamLedger ledger(0, false, nullptr);
  const auto run_for = [&](Nanoseconds time) {
    for (const auto until = timeline.now().wall + time; timeline.now().wall < until;) {
      signalling.step(timeline.now(), ledger, true, true);
      timeline.run(timeline.now().wall + 5ms, [] { return false; });
    }
  };
  source.judge(server, ssrc, timeline.now().local);
  ledger.sequences().take(10);
  signalling.reach({timeline.now().wall, 0, 1, 0});
  signalling.miss_before(11 + lost, ledger.sequences(), timeline.now().wall);
  run_for(1500ms);
  CHECK(asked.empty());
  CHECK(ledger.counts().resends_asked == 0);
  CHECK(signalling.listen(timeline.now()).until > timeline.now().local + 1ms);

  std::array<std::byte, rtcp_bytes_max> room{};
  const auto bytes = encode(SenderReport{ssrc, timeline.now().wall, 1, 1, 1}, "server@host", false, room);
  control.arrive(std::span(room).first(bytes), server.with_port(40001), false);
  run_for(20ms);
  // As many as may go unanswered, and one to see whether that is still so.
  CHECK(asked.size() == ResendRequester::unanswered_max + 1);
  CHECK(ledger.counts().resends_asked == ResendRequester::unanswered_max + 1);
}

TEST_CASE("lost packets of a frame that is refused for a stamp far ahead are not requested") {
  Signalling flow("resend = true");
  const auto ahead = start + 1h;
  REQUIRE(flow.signalling.is_far_ahead(ahead, start));
  flow.sequences.take(10);
  flow.signalling.reach({ahead, 0, 1, 0});
  flow.signalling.miss_before(14, flow.sequences, start);
  CHECK_FALSE(flow.signalling.found(11, true, start + 20ms));
  CHECK_FALSE(flow.signalling.is_far_ahead(start + 100ms, start));
}
