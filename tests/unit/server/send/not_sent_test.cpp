// Pins what a flow does about packets that it has numbers for, but did not send: it counts them, and does not take the
// receiver's reports about them for losses on the path.
#include "server/send/flow_sender.h"
#include "tests/support/lone_flow.h"
#include "tests/support/stand_in_socket.h"

#include "common/wire/rtcp.h"

#include <catch2/catch.hpp>

#include <array>

using namespace lw;
using namespace lw::truth;
using namespace std::chrono_literals;

namespace {

// Takes all packets.
class OpenPort final : public StandInSocket {
public:
  explicit OpenPort(Timeline& timeline) : StandInSocket(timeline, false) {}
  ssize_t send(const msghdr& message, int /*flags*/) override {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < message.msg_iovlen; ++i) bytes += message.msg_iov[i].iov_len;
    return static_cast<ssize_t>(bytes);
  }
  int send(std::span<mmsghdr> messages) override { return static_cast<int>(messages.size()); }
};

struct Flow {
  Wall wall;
  Timeline timeline;
  StandInSocket* control = nullptr;
  std::unique_ptr<FramePool> pool = FramePool::allocate(8, std::size_t{64} * 80 * 3).value();
  const WallStart start = WallStart::random();
  std::unique_ptr<FlowSender> sender;
  FrameCounts before;

  explicit Flow(bool of_several = false) {
    wall.set_grid({.columns = 1, .rows = 1, .tile_width = 64, .tile_height = 80});
    put_on_one_node(wall);
    wall.streaming.mtu = 600;
    wall.streaming.resend = false;
    wall.streaming.fec = FecUse::needed;
    if (of_several) wall.servers.emplace_back().name = "other";
    auto control_port = std::make_unique<StandInSocket>(timeline, false);
    control = control_port.get();
    sender = lone_sender(wall, std::make_unique<OpenPort>(timeline), std::move(control_port), timeline);
  }
  void run(Nanoseconds time) {
    for (const auto until = timeline.now().wall + time; timeline.now().wall < until;) {
      sender->step(timeline.now());
      timeline.run(timeline.now().wall + 200us, [] { return false; });
    }
  }
  void send_frame() {
    const auto tick = static_cast<std::uint16_t>(before[PixelFormat::rgb8]);
    FrameToSend frame{pool->take(), {timeline.now().wall, tick, 1, tick}, PixelFormat::rgb8, 33ms};
    frame.start = &start;
    frame.before = before;
    REQUIRE(sender->offer(frame));
    ++before[PixelFormat::rgb8];
    run(33ms);
  }
  void report_losses() {
    ReportBlock block;
    block.source_ssrc = StreamNumbers::of(start, 0, "").ssrc;
    block.fraction_lost = 50;
    std::array<std::byte, rtcp_bytes_max> room{};
    const auto bytes = encode(ReceiverReport{1, block, std::nullopt}, "test", false, room);
    control->arrive(std::span(room).first(bytes), Address::parse("10.0.0.2", 50001).value(), false);
  }
};

}  // namespace

TEST_CASE("packets of frames that were not sent are counted, and are no reason for parity") {
  const bool of_several = GENERATE(false, true);
  Flow flow(of_several);
  for (int i = 0; i < 3; ++i) flow.send_frame();
  const auto packets = flow.sender->stats().packets;
  CHECK(packets > 0);
  CHECK(flow.sender->stats().not_sent == 0);
  flow.before[PixelFormat::rgb8] += 5;
  flow.send_frame();
  flow.report_losses();
  for (int i = 0; i < 5; ++i) flow.send_frame();
  CHECK(flow.sender->stats().not_sent == packets / 3 * 5);
  CHECK_FALSE(flow.sender->wants_parity());
  CHECK(flow.sender->stats().parity == 0);
  // Later losses are of the path.
  for (int i = 0; i < 70; ++i) flow.send_frame();
  flow.report_losses();
  for (int i = 0; i < 3; ++i) flow.send_frame();
  CHECK(flow.sender->wants_parity() == of_several);
  CHECK((flow.sender->stats().parity > 0) == !of_several);
  if (!of_several) return;
  // Of several servers: sent when all know of it.
  flow.sender->keep_to(ParitySwitch{}.switched(true, flow.before));
  flow.send_frame();
  CHECK(flow.sender->stats().parity > 0);
}
