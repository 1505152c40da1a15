// Pins on virtual time that one wrong packet has no lasting effect on a flow. (That no pixel is wrong is checked by
// tests/truth.)
#include "tests/support/network.h"
#include "tests/support/stand_in_socket.h"
#include "tests/support/stream.h"
#include "wall-client/receive/flow_receiver.h"

#include "common/wire/rtcp.h"

#include <catch2/catch.hpp>

#include <set>

using namespace lw;
using namespace lw::truth;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t ssrc = 99;
const auto server = Address::parse("10.0.0.1", 40000).value();

// For a host whose wall clock is off by this much.
class SocketOfHost final : public StandInSocket {
public:
  using StandInSocket::StandInSocket;
  [[nodiscard]] Moment now() const override {
    auto now = StandInSocket::now();
    now.wall += clock_off;
    return now;
  }
  Nanoseconds clock_off{0};
};

struct Flow {
  Wall wall;
  Band band;
  Timeline timeline;
  SocketOfHost* media = nullptr;
  StandInSocket* control = nullptr;
  std::unique_ptr<FlowReceiver> receiver;
  std::optional<Stream> stream;
  std::set<std::uint32_t> asked;
  std::uint16_t tick = 0;

  explicit Flow(std::chrono::milliseconds longest_delay = {}) {
    wall.streaming.playout_delay_max = longest_delay;
    wall.set_grid({.columns = 1, .rows = 1, .tile_width = 320, .tile_height = 200});
    wall.frame_rate = {20, 1};
    wall.nodes = {{"node", "10.0.0.2", {TilePlacement{}}}};
    wall.coordinator().interfaces = {"10.0.0.1"};
    wall.streaming.mtu = 1500;
    wall.streaming.fec = FecUse::never;
    band = {0, {}, 0, wall.grid.tile_height};
    ReceiverPorts ports;
    auto media_port = std::make_unique<SocketOfHost>(timeline, true);
    auto control_port = std::make_unique<StandInSocket>(
        timeline, false, [this](const Address&, std::span<const std::byte> datagram) { hear(datagram); });
    media = media_port.get();
    control = control_port.get();
    ports.media = std::move(media_port);
    ports.control.push_back(std::move(control_port));
    receiver = FlowReceiver::make(wall, band, -1, std::move(ports)).value();
    stream.emplace(wall, band, std::nullopt, ssrc, 1000);
  }
  void hear(std::span<const std::byte> datagram) {
    RtcpContents contents;
    REQUIRE(parse_rtcp(datagram, ssrc, contents).empty());
    for_each_missing(contents, [&](std::uint32_t sequence) { asked.insert(sequence); });
  }
  void run(Nanoseconds time) {
    const auto until = timeline.now().wall + time;
    while (timeline.now().wall < until) {
      receiver->step(timeline.now());
      ReceivedBand taken;
      while (receiver->take_band(taken)) receiver->give_back(taken.buffer);
    }
  }
  void report() {
    std::array<std::byte, rtcp_bytes_max> room{};
    const auto bytes = encode(SenderReport{ssrc, timeline.now().wall, 1, 1, 1}, "server@host", false, room);
    control->arrive(std::span(room).first(bytes), server.with_port(40001), false);
  }
  void tell_delay(const PlayoutRamp& ramp) {
    std::array<std::byte, rtcp_bytes_max> room{};
    const auto bytes = encode(ssrc, DelayKept{ssrc, ramp}, "server@host", room);
    control->arrive(std::span(room).first(bytes), server.with_port(40001), false);
  }
  // A frame of which packets [first, last) are lost. The sequence number of its first.
  std::uint32_t send(std::size_t first, std::size_t last, Nanoseconds ahead = 0ms) {
    const auto frame = stream->cut({timeline.now().wall + ahead, tick, 1, tick}, PixelFormat::rgb8, false);
    ++tick;
    for (std::size_t i = 0; i < frame.size(); ++i)
      if (i < first || i >= last) media->arrive(frame[i].bytes, server, i > 0);
    run(50ms);
    return stream->frames().back().first_sequence;
  }
};

}  // namespace

TEST_CASE("a packet stamped years ahead, while nothing plays, does not stop requests for lost packets") {
  Flow flow;
  Stream other(flow.wall, flow.band, std::nullopt, 7, 1);
  const auto frame =
      other.cut({flow.timeline.now().wall + std::chrono::hours{9 * 365 * 24}, 0, 1, 0}, PixelFormat::rgb8, false);
  flow.media->arrive(frame.front().bytes, server, false);
  flow.run(300ms);
  flow.report();
  flow.send(0, 0);
  // An outage, in which more packets are lost than can be tracked.
  const auto packets = frame.size();
  for (std::size_t lost = 0; lost < 2 * ResendRequester::missing_max; lost += packets - 1) flow.send(0, packets - 1);
  flow.run(3s);
  flow.asked.clear();
  const auto first = flow.send(20, 21);
  CHECK(flow.asked.contains(first + 20));
}

TEST_CASE("a frame stamped for another day is refused: it would hold its buffer until then") {
  Flow flow;
  flow.send(0, 0);
  const auto before = flow.receiver->stats();
  for (int i = 0; i < 20; ++i) flow.send(0, 0, 24h);
  flow.send(0, 0);
  flow.send(0, 0);
  const auto stats = flow.receiver->stats();
  CHECK(stats.bands_whole == before.bands_whole + 2);
  CHECK(stats.bands_incomplete == 0);
  CHECK(stats.bands_dropped == 0);
  CHECK(stats.invalid > 0);
  CHECK(stats.packets == stats.used + stats.duplicates + stats.late + stats.invalid);
}

// Within a frame packets leave one after the other: if the first is lost, the next one arrives later by its pacing.
TEST_CASE("loss does not appear as jitter or delay") {
  Flow flow;
  Random random(5);
  const auto transit = 1ms;
  std::uint64_t without_first = 0;
  for (std::uint16_t tick = 0; tick < 300; ++tick) {
    const auto media_time = flow.timeline.now().wall;
    const auto frame = flow.stream->cut({media_time, tick, 1, tick}, PixelFormat::rgb8, false);
    for (std::size_t i = 0; i < frame.size(); ++i) {
      flow.run(media_time + transit + 100us * i - flow.timeline.now().wall);
      const bool lost = random.below(10) < 6;
      if (!lost) flow.media->arrive(frame[i].bytes, server, false);
      without_first += lost && i == 0;
    }
    flow.run(media_time + 50ms - flow.timeline.now().wall);
  }
  flow.run(1s);
  const auto stats = flow.receiver->stats();
  REQUIRE(stats.delay_us_min);
  CHECK(*stats.delay_us_p99 - *stats.delay_us_min < 100);
  CHECK(*stats.jitter_us < 20);
  CHECK(stats.frames_without_first == without_first);
}

TEST_CASE("one packet with a number far ahead does not make later ones too old") {
  Flow flow;
  flow.send(0, 0);
  Stream ahead(flow.wall, flow.band, std::nullopt, ssrc, 1'000'000'000);
  const auto frame = ahead.cut({flow.timeline.now().wall, 0, 1, 0}, PixelFormat::rgb8, false);
  flow.media->arrive(frame.front().bytes, server, false);
  flow.run(50ms);
  for (int i = 0; i < 5; ++i) flow.send(0, 0);
  const auto stats = flow.receiver->stats();
  CHECK(stats.bands_whole == 6);
  CHECK(stats.lost == 0);
  CHECK(stats.late == 0);
  CHECK(stats.invalid == 1);
}

TEST_CASE("a frame that waits for its rest does not keep a restarted server out") {
  Flow flow;
  flow.send(0, 0);
  // Its deadline is seconds away, as after a clock was set back.
  const auto packets = flow.stream->cut({flow.timeline.now().wall, 100, 1, 100}, PixelFormat::rgb8, false).size();
  flow.send(packets / 2, packets, 8s);
  const auto before = flow.receiver->stats();
  flow.stream.emplace(flow.wall, flow.band, std::nullopt, 7, 5000);
  for (int i = 0; i < 20; ++i) flow.send(0, 0);
  const auto stats = flow.receiver->stats();
  CHECK(stats.ssrc == 7U);
  CHECK(stats.bands_whole > before.bands_whole + 15);
}

// Else it would come out, as a frame long forgotten, whenever the clock reaches its time again.
TEST_CASE("after the clock was set back, a frame that waits for its rest is dropped at once") {
  Flow flow;
  flow.media->clock_off = 1h;
  flow.send(0, 0, 1h);
  const auto packets = flow.stream->cut({flow.timeline.now().wall, 100, 1, 100}, PixelFormat::rgb8, false).size();
  flow.send(packets / 2, packets, 1h);
  REQUIRE(flow.receiver->stats().bands_incomplete == 0);
  flow.media->clock_off = 0h;
  flow.send(0, 0);
  CHECK(flow.receiver->stats().bands_incomplete == 1);
  CHECK(flow.receiver->stats().bands_whole == 2);
}

TEST_CASE("a packet that lost its stamp, and so its header check, is refused, even when resent") {
  Flow flow;
  flow.send(0, 0);
  flow.report();
  // Nothing of the band has arrived when the packet is resent; the whole next frame shows that it was missing.
  flow.stream->cut({flow.timeline.now().wall, 8, 1, 8}, PixelFormat::rgb8, false);
  const auto lost = flow.stream->frames().back().first_sequence + 2;
  for (const auto& datagram : flow.stream->cut({flow.timeline.now().wall, 9, 1, 9}, PixelFormat::rgb8, false))
    flow.media->arrive(datagram.bytes, server, false);
  flow.run(20ms);
  REQUIRE(flow.asked.contains(lost));
  auto resent = flow.stream->resend(lost).value();
  auto sent = flow.stream->cut({flow.timeline.now().wall, 10, 1, 10}, PixelFormat::rgb8, false).front();
  const auto before = flow.receiver->stats();
  for (auto* datagram : {&resent, &sent}) {
    // The identifier of the second header extension, which is then an unknown one.
    auto& identifier = datagram->bytes[12 + 4 + 9];
    REQUIRE(std::to_integer<unsigned>(identifier) >> 4U == wire::frame_extension_id);
    identifier ^= std::byte{0x40};
    flow.media->arrive(datagram->bytes, server, false);
  }
  flow.run(20ms);
  const auto stats = flow.receiver->stats();
  CHECK(stats.invalid == before.invalid + 2);
  CHECK(stats.used == before.used);
  CHECK(stats.repaired == before.repaired);
}

TEST_CASE("an earlier decision about the playout delay is used again when the server sends no other") {
  Flow flow(400ms);
  const auto least = Nanoseconds{flow.wall.streaming.playout_delay};
  flow.report();
  flow.send(0, 0);
  flow.run(200ms);
  const PlayoutRamp later{flow.timeline.now().wall, least, least + 20ms, 200ms};
  // The server's clock is set back: it decides again, for an earlier media time.
  const PlayoutRamp earlier{later.start - 3s, later.to, later.to + 50ms, 500ms};
  flow.tell_delay(later);
  flow.run(50ms);
  REQUIRE(flow.receiver->kept_delay() == later);
  flow.tell_delay(earlier);  // by what the network reorders
  flow.run(50ms);
  CHECK(flow.receiver->kept_delay() == later);
  for (int i = 0; i < 12; ++i) {
    flow.tell_delay(earlier);
    flow.send(0, 0);
    flow.run(50ms);
  }
  CHECK(flow.receiver->kept_delay() == earlier);
}
