// The receiver that throws packets away counts them as the one that places them does; what it cannot use (resends,
// parity, packets from elsewhere) is invalid and changes no other figure. On virtual time.
#include "probe/loads/discarding_flow.h"

#include "tests/support/lone_flow.h"
#include "tests/support/stand_in_socket.h"
#include "tests/support/stream.h"

#include <catch2/catch.hpp>

#include <memory>
#include <vector>

using namespace lw;
using namespace lw::truth;
using namespace std::chrono_literals;

namespace {

constexpr Nanoseconds interval = 20ms;

Wall one_tile() {
  Wall wall;
  wall.name = "discarded";
  wall.set_grid({.columns = 1, .rows = 1, .tile_width = 64, .tile_height = 40});
  wall.frame_rate = {50, 1};
  put_on_one_node(wall);
  wall.streaming.mtu = 1428;
  wall.streaming.fec_strength = {5, 1};
  return wall;
}

struct Discarding {
  Wall wall = one_tile();
  Band band{0, {}, 0, 40};
  Timeline timeline;
  Stream stream{wall, band, std::nullopt, 7, 0xFFFFFFF0};
  Address server = Address::parse("10.0.0.1", 40000).value();
  ArrivalRecorder recorder{256, 0};
  StandInSocket* socket = nullptr;
  std::unique_ptr<DiscardingFlow> flow;
  WallTime media = timeline.now().wall;
  std::uint16_t tick = 65'530;

  Discarding() {
    auto media_port = std::make_unique<StandInSocket>(timeline, false);
    socket = media_port.get();
    ReceiverPorts ports;
    ports.media = std::move(media_port);
    ports.clock = std::make_unique<TimelineClock>(timeline);
    ports.counts_drops = true;
    flow = DiscardingFlow::make(wall, band, std::move(ports), recorder);
  }
  // The next frame, which is now due; its packets arrive 1 ms later.
  std::vector<SentDatagram> next(bool with_parity = false) { return next_of(stream, with_parity); }
  std::vector<SentDatagram> next_of(Stream& of, bool with_parity = false) {
    media += interval;
    run(media);
    return of.cut({media, tick, 1, tick++}, PixelFormat::rgb8, with_parity);
  }
  void arrive(const std::vector<SentDatagram>& datagrams) {
    run(timeline.now().wall + 1ms);
    for (const auto& datagram : datagrams) socket->arrive(datagram.bytes, server, false);
  }
  void run(WallTime until) {
    while (timeline.now().wall < until) flow->step(timeline.now());
  }
  ReceiverFlowStats stats() {
    run(timeline.now().wall + 12ms);  // published every 10 ms
    return flow->stats();
  }
};

}  // namespace

TEST_CASE("a receiver that discards packets counts losses, repetitions and order as another") {
  Discarding receiver;
  auto frame = receiver.next();
  const auto packets = frame.size();
  REQUIRE(packets > 4);
  receiver.arrive(frame);
  frame = receiver.next();
  std::swap(frame[1], frame[2]);
  frame.push_back(frame[0]);
  receiver.arrive(frame);
  frame = receiver.next();
  frame.erase(frame.begin());
  receiver.arrive(frame);
  receiver.arrive(receiver.next());
  const auto stats = receiver.stats();
  CHECK(stats.packets == 4 * packets);
  CHECK(stats.used == 4 * packets - 1);
  CHECK(stats.arrived == stats.used);
  CHECK(stats.duplicates == 1);
  CHECK(stats.reordered == 1);
  CHECK(stats.lost == 1);
  CHECK(stats.frames_without_first == 1);
  CHECK(stats.invalid == 0);
  CHECK(stats.kernel_drops == 0U);
}

TEST_CASE("a receiver that discards packets uses neither parity nor resends nor what others send") {
  Discarding receiver;
  const auto frame = receiver.next(true);
  const auto parity = static_cast<std::uint64_t>(std::ranges::count(frame, SentKind::parity, &SentDatagram::kind));
  REQUIRE(parity > 0);
  receiver.arrive(frame);
  const auto before = receiver.stats();
  CHECK(before.invalid == parity);
  receiver.arrive({receiver.stream.resend(frame.front().sequence).value()});
  receiver.socket->arrive(frame.front().bytes, Address::parse("10.9.9.9", 40000).value(), false);
  receiver.socket->arrive(Bytes(50), receiver.server, false);
  Stream other(receiver.wall, receiver.band, std::nullopt, 8, 0);
  receiver.arrive(receiver.next_of(other));  // while the flow's own stream is heard
  const auto after = receiver.stats();
  CHECK(after.invalid == after.packets - before.packets + before.invalid);
  CHECK(after.used == before.used);
  CHECK(after.lost == 0);
  CHECK(after.duplicates == 0);
  CHECK(after.ssrc == 7U);
}

TEST_CASE("a receiver that discards packets goes on counting when the sender restarts") {
  Discarding receiver;
  for (int i = 0; i < 3; ++i) receiver.arrive(receiver.next());
  const auto before = receiver.stats();
  receiver.media += 1s;  // silence
  Stream restarted(receiver.wall, receiver.band, std::nullopt, 9, 77);
  receiver.tick = 3;
  for (int i = 0; i < 3; ++i) receiver.arrive(receiver.next_of(restarted));
  const auto after = receiver.stats();
  CHECK(after.ssrc == 9U);
  CHECK(after.used == 2 * before.used);
  CHECK(after.lost == 0);  // nothing is known of what was sent between the two
  CHECK(after.invalid == 0);
}

TEST_CASE("the jitter of discarded frames restarts after a gap") {
  Discarding receiver;
  receiver.arrive(receiver.next());
  for (int i = 0; i < 10; ++i) receiver.next();  // lost
  receiver.run(receiver.timeline.now().wall + 7ms);
  receiver.arrive(receiver.next());
  CHECK_FALSE(receiver.stats().jitter_us);
  receiver.media += 3ms;
  receiver.arrive(receiver.next());
  CHECK(receiver.stats().jitter_us.has_value());
}
