// Pins a flow's sender over a real socket: it sends the band's pixels with the frame's stamp, paced; a frame that is
// submitted too late is skipped and counted, and reports are sent beside the stream.
#include "server/send/flow_sender.h"

#include "common/wire/rtcp.h"
#include "tests/support/ports.h"

#include <catch2/catch.hpp>

#include <array>
#include <cstring>
#include <random>
#include <set>
#include <thread>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr unsigned width = 320;
constexpr unsigned rows = 90;
constexpr Band lower_third{0, {}, 60, 30};
const auto row_size = row_bytes(PixelFormat::rgb8, width);

Wall one_tile(bool zero_copy, std::chrono::milliseconds playout_delay, FrameRate rate) {
  Wall wall;
  wall.name = "one tile";
  wall.set_grid({.columns = 1, .rows = 1, .tile_width = width, .tile_height = rows});
  wall.frame_rate = rate;
  wall.nodes = {{"node", "127.0.0.1", {TilePlacement{}}}};
  wall.coordinator().interfaces = {"127.0.0.1"};
  wall.streaming.base_port = free_even_ports(4);
  wall.streaming.source_port = static_cast<std::uint16_t>(wall.streaming.base_port + 2);
  wall.streaming.mtu = zero_copy ? 9000 : 1500;  // small datagrams are assembled by the sender
  wall.streaming.zero_copy = zero_copy;
  wall.streaming.playout_delay = playout_delay;
  return wall;
}

struct Arrived;

struct Flow {
  explicit Flow(bool zero_copy = false, std::chrono::milliseconds playout_delay = 80ms, FrameRate rate = {30, 1})
      : wall(one_tile(zero_copy, playout_delay, rate)) {}

  Wall wall;
  UdpSocket media = bound(0);
  UdpSocket control = bound(1);
  std::unique_ptr<FramePool> pool = FramePool::allocate(40, row_size* rows).value();
  std::unique_ptr<FlowSender> sender = FlowSender::start(wall, lower_third, -1).value();

  UdpSocket bound(unsigned above) const {
    auto socket = UdpSocket::bind(
                      Address::parse("127.0.0.1", static_cast<std::uint16_t>(wall.streaming.base_port + above)).value())
                      .value();
    socket.stamp_arrivals();
    REQUIRE(socket.set_receive_timeout(500ms).has_value());
    return socket;
  }
  FrameBuffer& frame(std::uint32_t number) {
    FrameBuffer* buffer = pool->take();
    REQUIRE(buffer != nullptr);
    std::minstd_rand random(number + 1);
    for (std::size_t i = 0; i < row_size * rows; ++i) buffer->data[i] = static_cast<std::byte>(random());
    return *buffer;
  }
  bool offer(FrameBuffer& buffer, WallTime media_time, std::uint32_t number) const {
    return sender->offer(
        {&buffer, {media_time, number, 1, static_cast<std::uint16_t>(number)}, PixelFormat::rgb8, 33ms});
  }
  void ask(const Arrived& arrived, const std::vector<std::int64_t>& missing) const;
  template <class Condition>
  void wait_until(const Condition& condition) const {
    for (int i = 0; i < 2000 && !condition(); ++i) std::this_thread::sleep_for(1ms);
    REQUIRE(condition());
  }
};

struct Arrived {
  std::vector<std::byte> band = std::vector<std::byte>(row_size * lower_third.rows);
  std::size_t bytes = 0;
  WallTime first{}, halfway{}, last{};
  std::set<std::uint32_t> sequences;
  FrameStamp stamp;
  bool marker_last = false;
};

// All packets of one frame.
Arrived receive_frame(const UdpSocket& socket) {
  Arrived arrived;
  std::array<std::byte, 9000> datagram{};
  const auto until = LocalClock::now() + 10s;
  while (arrived.bytes < arrived.band.size()) {
    REQUIRE(LocalClock::now() < until);  // a dropped frame never arrives
    const auto got = socket.receive_now(datagram);
    if (!got) {
      std::this_thread::sleep_for(100us);
      continue;
    }
    MediaPacket packet;
    REQUIRE(parse_media_packet(std::span(datagram).first(got->bytes), packet).empty());
    if (arrived.bytes == 0) arrived.first = got->arrival;
    arrived.last = got->arrival;
    arrived.sequences.insert(std::uint32_t{packet.sequence_upper} << 16U | packet.sequence);
    REQUIRE(packet.stamp.has_value());
    arrived.stamp = *packet.stamp;
    arrived.marker_last = packet.marker;
    const std::byte* from = packet.pixels.data();
    for (const auto& row : packet.rows) {
      const std::size_t to = row_size * row.line() + 3U * row.pixel_offset();
      REQUIRE(to + row.length.value() <= arrived.band.size());
      std::memcpy(arrived.band.data() + to, from, row.length.value());
      from += row.length.value();
      arrived.bytes += row.length.value();
    }
    if (arrived.bytes <= arrived.band.size() / 2) arrived.halfway = got->arrival;
  }
  return arrived;
}

// The receiver, which has got this frame, requests packets of it or of one before.
void Flow::ask(const Arrived& arrived, const std::vector<std::int64_t>& missing) const {
  ReportBlock block;
  block.source_ssrc = sender->stats().ssrc;
  block.highest_sequence = *arrived.sequences.rbegin();
  std::array<std::byte, rtcp_bytes_max> room{};
  std::size_t taken = 0;
  const auto bytes = encode(ReceiverReport{1, block, std::nullopt}, "test", missing, room, taken);
  const auto to = Address::parse("127.0.0.1", static_cast<std::uint16_t>(wall.streaming.source_port + 1)).value();
  REQUIRE(sendto(control.fd(), room.data(), bytes, 0, to.raw(), to.raw_bytes()) > 0);
}

}  // namespace

TEST_CASE("a flow sends its band of the frame, paced over the interval") {
  Flow flow;
  auto& buffer = flow.frame(7);
  const auto media_time = WallClock::now() + 20ms;
  REQUIRE(flow.offer(buffer, media_time, 7));
  const auto arrived = receive_frame(flow.media);

  CHECK(std::memcmp(arrived.band.data(), buffer.data + row_size * lower_third.first_row, arrived.band.size()) == 0);
  CHECK(arrived.stamp.frame == 7);
  // The NTP format resolves a quarter of a nanosecond; rounding to it must not move the time by more than one.
  CHECK(std::chrono::abs(arrived.stamp.media_time - media_time) <= 1ns);
  CHECK(arrived.marker_last);
  CHECK(*arrived.sequences.rbegin() - *arrived.sequences.begin() + 1 == arrived.sequences.size());
  // Never early, however late the thread wakes, and spread over 0.9 of the interval but for the last run.
  CHECK(arrived.first >= media_time);
  CHECK(arrived.halfway > media_time + 33ms / 4);
  CHECK(arrived.last > media_time + 33ms / 2);

  auto& next = flow.frame(8);
  REQUIRE(flow.offer(next, media_time + 33ms, 8));
  const auto following = receive_frame(flow.media);
  CHECK(*following.sequences.begin() == *arrived.sequences.rbegin() + 1);
  flow.wait_until([&] { return flow.sender->stats().frames == 2; });
  const auto stats = flow.sender->stats();
  CHECK(stats.packets == arrived.sequences.size() + following.sequences.size());
  CHECK(stats.payload_bytes > 2 * arrived.band.size());
  CHECK(stats.send_errors == 0);
  CHECK(stats.frames_skipped == 0);
  CHECK(stats.resent == 0);
  // Kept for the playout delay, in case a packet is requested again.
  flow.wait_until([&] { return buffer.users.load() == 0 && next.users.load() == 0; });
}

TEST_CASE("requested packets are resent while they are useful, within the budget") {
  Flow flow;
  auto& buffer = flow.frame(7);
  REQUIRE(flow.offer(buffer, WallClock::now() + 10ms, 7));
  const auto arrived = receive_frame(flow.media);
  const auto first = *arrived.sequences.begin();

  const auto ask = [&](const std::vector<std::int64_t>& missing) { flow.ask(arrived, missing); };
  ask({first + 1, first + 3});
  std::array<std::byte, 9000> datagram{};
  std::vector<std::uint32_t> again;
  for (int i = 0; i < 100 && again.size() < 2; ++i, std::this_thread::sleep_for(1ms))
    while (const auto got = flow.media.receive_now(datagram)) {
      MediaPacket packet;
      REQUIRE(got->bytes <= udp_payload_of_mtu(flow.wall.streaming.mtu, false));
      REQUIRE(parse_media_packet(std::span(datagram).first(got->bytes), packet).empty());
      REQUIRE(packet.resent);
      again.push_back(std::uint32_t{packet.sequence_upper} << 16U | packet.sequence);
      const auto& row = packet.rows.front();
      const std::size_t at = row_size * (lower_third.first_row + row.field_line.value()) + 3U * row.pixel_offset();
      CHECK(std::memcmp(packet.pixels.data(), buffer.data + at, row.length.value()) == 0);
    }
  CHECK(again == std::vector<std::uint32_t>{first + 1, first + 3});
  // A flood: no more than a quarter of the flow's rate, here 10 ms of it at once.
  std::vector<std::int64_t> all(arrived.sequences.begin(), arrived.sequences.end());
  for (int i = 0; i < 50; ++i) ask(all);
  flow.wait_until([&] { return buffer.users.load() == 0; });
  const auto frame_bytes = row_size * lower_third.rows;
  flow.wait_until([&] { return flow.sender->stats().resends_refused > 0; });
  CHECK(flow.sender->stats().resent_bytes < frame_bytes * 2);
  // Packets that are no longer kept are refused.
  const auto refused = flow.sender->stats().resends_refused;
  ask({first});
  auto& next = flow.frame(8);
  REQUIRE(flow.offer(next, WallClock::now() + 10ms, 8));
  flow.wait_until([&] { return flow.sender->stats().resends_refused > refused; });
}

TEST_CASE("a frame that waits for its time takes the place of none whose packets may be requested") {
  Flow flow(false, 240ms, {5, 1});  // keeps two frames
  const auto begin = WallClock::now() + 10ms;
  REQUIRE(flow.offer(flow.frame(6), begin, 6));
  REQUIRE(flow.offer(flow.frame(7), begin + 33ms, 7));
  REQUIRE(flow.offer(flow.frame(8), begin + 1s, 8));
  const auto lost = receive_frame(flow.media);
  const auto arrived = receive_frame(flow.media);
  flow.ask(arrived, {*lost.sequences.begin()});
  flow.wait_until([&] { return flow.sender->stats().resent + flow.sender->stats().resends_refused > 0; });
  CHECK(flow.sender->stats().resent == 1);
}

TEST_CASE("a flow records when each frame was sent, and which was not") {
  Flow flow;
  const auto media_time = WallClock::now() + 20ms;
  const auto offer = [&](std::uint32_t number, WallTime media, WallTime asked) {
    auto& buffer = flow.frame(number);
    REQUIRE(flow.sender->offer({&buffer,
                                {media, number, 1, static_cast<std::uint16_t>(number)},
                                PixelFormat::rgb8,
                                33ms,
                                asked,
                                media_time - 5ms}));
    flow.wait_until([&] { return buffer.users.load() == 0; });
  };
  offer(7, media_time, media_time - 9ms);
  offer(8, media_time - 100ms, WallTime{});
  FrameRecord sent;
  REQUIRE(flow.sender->records().take(sent));
  CHECK(sent.step == FrameStep::sent);
  CHECK(sent.fate == FrameFate::whole);
  CHECK(sent.media_time == media_time);
  CHECK(sent.frame == 7);
  CHECK(sent.bytes == row_size * lower_third.rows);
  CHECK(sent.times[0] == media_time - 5ms);
  CHECK(sent.times[1] >= media_time);
  CHECK(sent.times[2] >
        media_time +
            33ms / 2);  // by the pace from the media time on; a first packet that a busy machine delays moves no other
  const auto arrived = receive_frame(flow.media);
  CHECK(arrived.first >= sent.times[1]);
  FrameRecord late;
  REQUIRE(flow.sender->records().take(late));
  CHECK(late.fate == FrameFate::left_out);
  CHECK(late.frame == 8);
  CHECK(late.bytes == 0);
  CHECK(late.times == std::array<WallTime, 4>{media_time - 5ms});
  CHECK_FALSE(flow.sender->records().take(late));
}

TEST_CASE("a frame that is submitted too late is skipped, counted and returned") {
  Flow flow;
  auto& late = flow.frame(1);
  REQUIRE(flow.offer(late, WallClock::now() - 100ms, 1));
  flow.wait_until([&] { return late.users.load() == 0; });
  auto& due = flow.frame(2);
  REQUIRE(flow.offer(due, WallClock::now() + 50ms, 2));
  CHECK(receive_frame(flow.media).stamp.frame == 2);
  flow.wait_until([&] { return flow.sender->stats().frames == 1; });
  CHECK(flow.sender->stats().frames_skipped == 1);
}

TEST_CASE("a late frame is sent if it can be shown in time and the flow is not too far behind") {
  const auto sent = [](std::chrono::milliseconds playout_delay, std::chrono::milliseconds late) {
    Flow flow(false, playout_delay);
    REQUIRE(flow.offer(flow.frame(1), WallClock::now() - late, 1));
    flow.wait_until([&] {
      const auto stats = flow.sender->stats();
      return stats.frames + stats.frames_skipped == 1;
    });
    return flow.sender->stats().frames == 1;
  };
  CHECK(sent(200ms, 100ms));
  CHECK_FALSE(sent(120ms, 100ms));
  CHECK_FALSE(sent(10s, 240ms));
}

TEST_CASE("a flow far behind refuses frames and leaves them to the caller") {
  Flow flow;
  const auto later = WallClock::now() + 300ms;
  unsigned taken = 0;
  FrameBuffer* refused = nullptr;
  while (refused == nullptr) {
    auto& buffer = flow.frame(taken);
    if (flow.offer(buffer, later, taken))
      ++taken;
    else
      refused = &buffer;
    REQUIRE(taken < 39);
  }
  CHECK(taken >= 32);
  CHECK(refused->users.load() == 1);
}

TEST_CASE("sender reports accompany the stream, and a goodbye ends it") {
  Flow flow;
  REQUIRE(flow.offer(flow.frame(1), WallClock::now(), 1));
  std::array<std::byte, rtcp_bytes_max> datagram{};
  const auto next_report = [&] {
    RtcpContents contents;
    for (int i = 0; i < 3000; ++i) {
      if (const auto got = flow.control.receive_now(datagram)) {
        REQUIRE(parse_rtcp(std::span(datagram).first(got->bytes), {}, contents).empty());
        return contents;
      }
      std::this_thread::sleep_for(1ms);
    }
    FAIL("no report came");
    return contents;
  };
  const auto report = next_report();
  REQUIRE(report.sender.has_value());
  CHECK(report.sender->ssrc == flow.sender->stats().ssrc);
  CHECK(report.sender->packet_count == receive_frame(flow.media).sequences.size());
  CHECK(!report.bye);
  flow.sender.reset();
  CHECK(next_report().bye);
}

TEST_CASE("with zero copy every frame leaves unchanged, and its buffer is returned") {
  Flow flow(true);
  std::vector<FrameBuffer*> buffers;
  for (std::uint32_t number = 0; number < ZeroCopyTrial::frames_of_each + 8; ++number) {
    auto& buffer = flow.frame(number);
    REQUIRE(flow.offer(buffer, WallClock::now(), number));
    const auto arrived = receive_frame(flow.media);
    REQUIRE(arrived.stamp.frame == number);
    REQUIRE(std::memcmp(arrived.band.data(), buffer.data + row_size * lower_third.first_row, arrived.band.size()) == 0);
    buffers.push_back(&buffer);
  }
  flow.wait_until([&] { return buffers.back()->users.load() == 0; });
  for (const auto* buffer : buffers) CHECK(buffer->users.load() == 0);
  flow.wait_until([&] { return flow.sender->stats().frames == buffers.size(); });
  CHECK(flow.sender->stats().frames_skipped == 0);
  // Tried, and stopped at once: the loopback interface copies anyway.
  CHECK(flow.sender->stats().zero_copy_calls > 0);
  CHECK(flow.sender->stats().zero_copy_calls < 8);
}
