// Pins how packets that the kernel refuses are counted: media, parity and resends separately, so that the packets of
// the stream that the receiver misses are those that the sender reports as not sent.
#include "server/send/flow_sender.h"
#include "tests/support/lone_flow.h"
#include "tests/support/stand_in_socket.h"

#include "common/wire/parity_packet.h"
#include "common/wire/rtcp.h"

#include <catch2/catch.hpp>

#include <array>
#include <cerrno>
#include <map>
#include <numeric>
#include <set>

using namespace lw;
using namespace lw::truth;
using namespace std::chrono_literals;

namespace {

constexpr StreamNumbers numbers = lone_numbers;

enum class Kind : std::uint8_t { media, parity, resend };

// Accepts packets except for those of the kind it refuses.
class RefusingPort final : public StandInSocket {
public:
  explicit RefusingPort(Timeline& timeline) : StandInSocket(timeline, false) {}

  ssize_t send(const msghdr& message, int /*flags*/) override {
    const auto datagram = gathered(message);
    MediaPacket packet;
    const bool is_media = parse_media_packet(datagram, packet).empty();
    const auto kind = is_parity(datagram) ? Kind::parity : is_media && packet.resent ? Kind::resend : Kind::media;
    if (refused.contains(kind) && ++asked % 2 == 0) {
      errno = EPERM;
      return -1;
    }
    ++packets[kind];
    ParityPacket parity;
    if (kind == Kind::parity && parse_parity_packet(datagram, parity).empty()) numbers[kind].push_back(parity.sequence);
    if (kind == Kind::resend) numbers[kind].push_back(packet.resend_sequence);
    bytes[kind] += datagram.size();
    return static_cast<ssize_t>(datagram.size());
  }
  int send(std::span<mmsghdr> messages) override {
    int sent = 0;
    for (const auto& message : messages) {
      if (send(message.msg_hdr, 0) < 0) break;
      ++sent;
    }
    return sent > 0 ? sent : -1;
  }

  std::set<Kind> refused;
  unsigned asked = 0;  // attempts to send one of those; every second one is refused
  std::map<Kind, std::uint64_t> packets, bytes;
  std::map<Kind, std::vector<std::uint16_t>> numbers;  // of the streams beside the flow's own, as they left
};

struct Flow {
  Wall wall;
  Timeline timeline;
  RefusingPort* media = nullptr;
  StandInSocket* control = nullptr;
  std::unique_ptr<FramePool> pool = FramePool::allocate(8, std::size_t{64} * 80 * 3).value();
  std::unique_ptr<FlowSender> sender;

  explicit Flow(unsigned resend_percent = 100) {
    wall.set_grid({.columns = 1, .rows = 1, .tile_width = 64, .tile_height = 80});
    put_on_one_node(wall);
    wall.streaming.mtu = 600;
    wall.streaming.burst_packets = 4;
    wall.streaming.resend = true;
    wall.streaming.resend_percent = resend_percent;
    wall.streaming.fec = FecUse::always;
    wall.streaming.playout_delay = 400ms;
    auto media_port = std::make_unique<RefusingPort>(timeline);
    auto control_port = std::make_unique<StandInSocket>(timeline, false);
    media = media_port.get();
    control = control_port.get();
    sender = lone_sender(wall, std::move(media_port), std::move(control_port), timeline);
  }
  void run(Nanoseconds time) {
    for (const auto until = timeline.now().wall + time; timeline.now().wall < until;) {
      sender->step(timeline.now());
      timeline.run(timeline.now().wall + 100us, [] { return false; });
    }
  }
  void send_frame(std::uint16_t number) {
    REQUIRE(sender->offer({pool->take(), {timeline.now().wall, number, 1, number}, PixelFormat::rgb8, 33ms}));
    run(34ms);
  }
  // The receiver requests these packets, counted from the stream's first one.
  void ask_for(std::int64_t first, std::size_t count) {
    std::vector<std::int64_t> missing(count);
    std::iota(missing.begin(), missing.end(), numbers.first_sequence + first);
    std::array<std::byte, rtcp_bytes_max> room{};
    std::size_t taken = 0;
    ReportBlock block;
    block.source_ssrc = numbers.ssrc;
    block.highest_sequence = static_cast<std::uint32_t>(missing.back());
    const auto bytes = encode(ReceiverReport{1, block, std::nullopt}, "test", missing, room, taken);
    REQUIRE(taken == count);
    control->arrive(std::span(room).first(bytes), Address::parse("10.0.0.2", 50001).value(), false);
  }
};

}  // namespace

TEST_CASE("packets that the kernel refuses are counted by what they are") {
  const auto kind = GENERATE(Kind::media, Kind::parity, Kind::resend);
  Flow flow;
  flow.media->refused = {kind};
  for (std::uint16_t frame = 0; frame < 3; ++frame) flow.send_frame(frame);
  flow.ask_for(0, 12);
  flow.run(60ms);
  const auto stats = flow.sender->stats();
  REQUIRE(stats.frames == 3);
  REQUIRE(stats.resent > 0);
  REQUIRE(stats.parity > 0);
  CHECK((stats.send_errors > 0) == (kind == Kind::media));
  CHECK((stats.parity_errors > 0) == (kind == Kind::parity));
  CHECK((stats.resend_errors > 0) == (kind == Kind::resend));
  CHECK(stats.resends_refused == 0);
  CHECK(stats.resent + stats.resend_errors == 12);
  CHECK(stats.packets == flow.media->packets[Kind::media]);
  CHECK(stats.parity == flow.media->packets[Kind::parity]);
  CHECK(stats.resent == flow.media->packets[Kind::resend]);
  CHECK(stats.bytes == flow.media->bytes[Kind::media]);
  CHECK(stats.parity_bytes == flow.media->bytes[Kind::parity]);
  CHECK(stats.resent_bytes == flow.media->bytes[Kind::resend]);
}

// A gap in them is a packet that was lost on the way, for the receiver.
TEST_CASE("numbers of parity are those of packets that left, also when a frame is dropped midway") {
  Flow flow;
  const auto& numbers = flow.media->numbers[Kind::parity];
  flow.send_frame(0);
  REQUIRE(flow.sender->offer({flow.pool->take(), {flow.timeline.now().wall, 1, 1, 1}, PixelFormat::rgb8, 33ms}));
  for (const auto before = numbers.size(); numbers.size() == before;) flow.run(100us);
  flow.timeline.run(flow.timeline.now().wall + 2s, [] { return false; });  // its thread does not run
  flow.run(1ms);
  REQUIRE(flow.sender->stats().frames_skipped == 1);
  flow.send_frame(2);
  REQUIRE(flow.sender->stats().parity == numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    REQUIRE(numbers[i] == static_cast<std::uint16_t>(numbers.front() + i));
}

TEST_CASE("a resend that waits for its budget uses no number") {
  Flow flow(1);
  for (std::uint16_t frame = 0; frame < 3; ++frame) flow.send_frame(frame);
  flow.ask_for(0, 40);
  flow.run(300ms);
  const auto& numbers = flow.media->numbers.at(Kind::resend);
  REQUIRE(numbers.size() > 2);
  REQUIRE(numbers.size() < 40);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    REQUIRE(numbers[i] == static_cast<std::uint16_t>(numbers.front() + i));
}
