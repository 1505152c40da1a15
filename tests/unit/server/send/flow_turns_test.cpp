// Pins on virtual time when a flow's sender wants its next turn: messages do not wait for the next run of
// a slow frame.
#include "server/send/flow_sender.h"
#include "tests/support/lone_flow.h"
#include "tests/support/stand_in_socket.h"

#include "common/wire/rtcp.h"

#include <catch2/catch.hpp>

#include <optional>

using namespace lw;
using namespace lw::truth;
using namespace std::chrono_literals;

namespace {

constexpr StreamNumbers numbers = lone_numbers;

// The media packets that leave are counted, and the other messages are read.
class Port final : public StandInSocket {
public:
  explicit Port(Timeline& timeline) : StandInSocket(timeline, false) {}

  ssize_t send(const msghdr& message, int /*flags*/) override {
    ++sent;
    ssize_t bytes = 0;
    for (std::size_t i = 0; i < message.msg_iovlen; ++i) bytes += static_cast<ssize_t>(message.msg_iov[i].iov_len);
    return bytes;
  }
  int send(std::span<mmsghdr> messages) override {
    sent += messages.size();
    return static_cast<int>(messages.size());
  }
  void tell(std::span<const std::byte> datagram) override {
    RtcpContents contents;
    REQUIRE(parse_rtcp(datagram, std::nullopt, contents).empty());
    if (contents.committed) committed = contents.committed->ticks;
  }

  std::size_t sent = 0;
  std::optional<TickSet> committed;
};

// A flow whose frames are three packets, a third of a frame interval apart.
struct SlowFlow {
  Wall wall;
  Timeline timeline;
  Port* media = nullptr;
  Port* control = nullptr;
  std::unique_ptr<FramePool> pool = FramePool::allocate(4, std::size_t{64} * 8 * 3).value();
  std::unique_ptr<FlowSender> sender;
  Wait wait{};
  std::uint32_t heard = 0;

  SlowFlow() {
    wall.set_grid({.columns = 1, .rows = 1, .tile_width = 64, .tile_height = 8});
    wall.frame_rate = {5, 1};
    put_on_one_node(wall);
    wall.streaming.mtu = 600;
    wall.streaming.burst_packets = 1;
    wall.streaming.resend = false;
    wall.streaming.fec = FecUse::never;
    wall.sync.mode = SyncMode::wall;
    wall.streaming.playout_delay = 400ms;
    auto media_port = std::make_unique<Port>(timeline);
    auto control_port = std::make_unique<Port>(timeline);
    media = media_port.get();
    control = control_port.get();
    sender = lone_sender(wall, std::move(media_port), std::move(control_port), timeline);
    wait.until = LocalTime::min();
  }
  // Like a runner: steps it at the time it asked for, or when it is rung.
  void run(Nanoseconds time) {
    const auto end = timeline.now();
    const auto until = end.local + time;
    for (auto now = end.local; now <= until; now = std::max(now, wait.until)) {
      timeline.run(end.wall + (now - end.local), [] { return false; });
      const bool rung = wait.hears_bell && sender->bell().count() != heard;
      if (!rung && wait.until > until) break;
      heard = sender->bell().count();
      wait = sender->step(timeline.now());
      if (wait.until <= now) now += 1us;
    }
    timeline.run(end.wall + time, [] { return false; });
  }
};

}  // namespace

TEST_CASE("between the runs of a slow frame a commitment is sent at once") {
  SlowFlow flow;
  auto* buffer = flow.pool->take();
  REQUIRE(flow.sender->offer({buffer, {flow.timeline.now().wall, 7, 1, 7}, PixelFormat::rgb8, 200ms}));
  flow.run(10ms);
  REQUIRE(flow.media->sent == 1);
  TickSet ticks;
  ticks.add(6);
  flow.sender->commit(ticks);
  flow.run(1ms);
  CHECK(flow.media->sent == 1);
  CHECK(flow.control->committed == ticks);

  // And again some milliseconds later: it may be lost.
  flow.control->committed.reset();
  flow.run(5ms);
  CHECK(flow.media->sent == 1);
  CHECK(flow.control->committed == ticks);
}
