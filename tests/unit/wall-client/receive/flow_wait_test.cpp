// Several receivers on one thread, over real sockets: none blocks another, each is stepped when packets arrive for it,
// and an incomplete band is handed out at its deadline although nothing else arrives.
#include "common/concurrency/runner.h"
#include "tests/support/ports.h"
#include "tests/support/stream.h"
#include "wall-client/receive/flow_receiver.h"

#include <catch2/catch.hpp>

#include <thread>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr unsigned flows = 3;

Wall wall_of_three() {
  Wall wall;
  wall.set_grid({.columns = flows, .rows = 1, .tile_width = 320, .tile_height = 20});
  wall.frame_rate = {20, 1};
  WallNode node{"node", "127.0.0.1", {}};
  for (unsigned tile = 0; tile < flows; ++tile) node.tiles.push_back({{tile}, {}, 0, 0});
  wall.nodes = {node};
  wall.streaming.base_port = free_even_ports(2 * flows);
  wall.streaming.mtu = 1500;
  wall.streaming.flows_per_tile = 1;
  wall.streaming.fec = FecUse::never;
  wall.streaming.playout_delay = 100ms;
  return wall;
}

struct OneThread {
  const Wall wall = wall_of_three();
  Doorbell presenter;
  PassingBoard finished{presenter};
  std::vector<std::unique_ptr<FlowReceiver>> receivers;
  std::vector<truth::Stream> streams;
  SocketPort port{UdpSocket::bind(Address::parse("127.0.0.1", 0).value()).value()};
  std::unique_ptr<Runner> runner;

  OneThread() {
    std::vector<Agent*> agents;
    for (const auto& band : all_bands(wall)) {
      auto ports = open_receiver_ports(wall, band).value();
      ports.waits = false;
      ports.presenter = &finished;
      receivers.push_back(FlowReceiver::make(wall, band, -1, std::move(ports)).value());
      streams.emplace_back(wall, band, std::nullopt, 99 + band.flow, 1000);
      agents.push_back(receivers.back().get());
    }
    runner = Runner::start({"three", -1}, agents).value();
  }
  // A frame of one flow, of which `lost` packets are not sent.
  void send(unsigned flow, std::uint16_t tick, std::size_t lost) {
    const auto packets = streams[flow].cut({WallClock::now(), tick, 1, tick}, PixelFormat::rgb8, false);
    const auto to = Address::parse("127.0.0.1", media_port(wall, flow)).value();
    for (std::size_t i = lost; i < packets.size(); ++i) port.send_to(to, packets[i].bytes);
  }
  // Like the presenter: waits to be rung.
  std::optional<ReceivedBand> next_band(unsigned flow) {
    ReceivedBand band;
    for (const auto until = LocalClock::now() + 5s; LocalClock::now() < until; std::this_thread::sleep_for(1ms))
      if (presenter.count() > taken && receivers[flow]->take_band(band)) {
        finished.answer([&](std::uint32_t rung) { CHECK(rung < flows); });
        taken = presenter.count() - 1;
        receivers[flow]->give_back(band.buffer);
        return band;
      }
    return std::nullopt;
  }
  std::uint32_t taken = 0;
};

}  // namespace

TEST_CASE("several receivers share a thread, and each hears its own packets") {
  OneThread thread;
  for (std::uint16_t tick = 0; tick < 10; ++tick)
    for (unsigned flow = 0; flow < flows; ++flow) {
      thread.send(flow, tick, 0);
      const auto band = thread.next_band(flow);
      REQUIRE(band);
      CHECK(band->whole);
      CHECK(band->frame == tick);
    }
}

TEST_CASE("an incomplete band is handed out at its deadline even if nothing else arrives") {
  OneThread thread;
  thread.send(1, 0, 2);
  const auto band = thread.next_band(1);
  REQUIRE(band);
  CHECK_FALSE(band->whole);
  CHECK(band->finished < band->media_time + 4s);
}

TEST_CASE("receivers for which nothing arrives leave their thread asleep") {
  OneThread thread;
  const auto before = thread.runner->turns();
  std::this_thread::sleep_for(200ms);
  CHECK(thread.runner->turns() - before < 20);
}
