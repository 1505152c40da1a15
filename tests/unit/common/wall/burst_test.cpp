// Bursts by the rate of the flow, and by the buffer of the network's switches.
#include "common/wall/burst.h"

#include <catch2/catch.hpp>

using namespace lw;

namespace {

Wall wall_of(unsigned tiles, unsigned width, unsigned height, unsigned mtu) {
  Wall wall;
  wall.set_grid({.columns = tiles, .rows = 1, .tile_width = width, .tile_height = height});
  wall.frame_rate = {60, 1};
  WallNode node{"node", "10.0.0.2", {}};
  for (unsigned tile = 0; tile < tiles; ++tile) node.tiles.push_back({{tile}, {}, 0, 0});
  wall.nodes = {node};
  wall.streaming.flows_per_tile = 1;
  wall.streaming.mtu = mtu;
  return wall;
}

unsigned burst(const Wall& wall) { return burst_packets(wall, all_bands(wall).front()); }

}  // namespace

TEST_CASE("a burst is what the flow sends in 50 us, and no fewer than 7 packets") {
  const auto fast = wall_of(1, 3840, 2160, 1500);  // 12 Gbit/s
  const auto packets = burst(fast);
  const double us = 8e6 * static_cast<double>(packets * media_datagram_max(fast, {0})) /
                    band_rate_max(fast, all_bands(fast).front()).bits_per_second;
  CHECK(us > 48);
  CHECK(us <= 50);
  CHECK(burst(wall_of(1, 3840, 2160, 9000)) == 8);
  CHECK(burst(wall_of(1, 640, 400, 1500)) == 7);
  CHECK(burst(wall_of(1, 7680, 4320, 1500)) == 64);
}

TEST_CASE("what the wall file says holds, whatever the rate") {
  auto wall = wall_of(1, 3840, 2160, 1500);
  wall.streaming.burst_packets = 3;
  CHECK(burst(wall) == 3);
}

TEST_CASE("the bursts of a node's flows fit into the switch's buffer together, if one packet of each does") {
  for (const unsigned tiles : {1U, 4U, 16U})
    for (const unsigned kib : {16U, 64U, 256U, 1024U}) {
      auto wall = wall_of(tiles, 3840, 2160, 1500);
      const auto free = burst(wall);
      wall.streaming.switch_buffer_kib = kib;
      const auto packets = burst(wall);
      CHECK(packets <= free);
      CHECK((packets == 1 || tiles * packets * media_datagram_max(wall, {0}) <= std::size_t{1024} * kib));
    }
}

TEST_CASE("a block of packets in slots leaves in equal bursts") {
  for (const unsigned mtu : {1500U, 9000U})
    for (const unsigned width : {640U, 1280U, 1920U, 2560U, 3200U, 3840U, 7680U})
      for (const unsigned kib : {0U, 16U, 64U}) {
        auto wall = wall_of(1, width, width / 2, mtu);
        wall.streaming.switch_buffer_kib = kib;
        const auto in_rows = burst(wall);
        wall.streaming.packet_layout = PacketLayout::in_slots;
        const auto packets = burst(wall);
        const unsigned block = mtu == 1500 ? 46 : 7;
        const auto bursts = (block + packets - 1) / packets;
        INFO(mtu << " " << width << " " << kib << " " << packets << " beside " << in_rows);
        CHECK(packets <= block);
        CHECK(bursts * packets - block < bursts);  // none is shorter by more than one packet for each burst
        CHECK(packets < 1.6 * in_rows);            // nearly as long as without blocks
        if (in_rows < block) CHECK(packets > in_rows / 2);
        if (kib > 0) CHECK((packets == 1 || packets * media_datagram_max(wall, {0}) <= std::size_t{1024} * kib));
      }
}
