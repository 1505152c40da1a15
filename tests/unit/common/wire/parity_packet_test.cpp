// Pins the parity packet's header, and that a changed one is refused.
#include "common/wire/parity_packet.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

using namespace lw;
using namespace std::chrono_literals;

TEST_CASE("packets are read as written, and any changed bit of the header is detected") {
  const std::vector<std::byte> symbol(1000, std::byte{0x77});
  const bool varies = GENERATE(false, true);
  const ParityPacket packet{42,     7,      1,     2, 0xfedc'ba98, 1111, 56, 55, 4, 3, WallTime{1'700'000'000s},
                            0x1234, varies, symbol};
  std::vector<std::byte> bytes(wire::parity_header_bytes);
  write_parity_header(packet, std::span<std::byte, wire::parity_header_bytes>(bytes.data(), bytes.size()));
  bytes.insert(bytes.end(), symbol.begin(), symbol.end());
  REQUIRE(is_parity(bytes));
  ParityPacket read;
  REQUIRE(parse_parity_packet(bytes, read).empty());
  CHECK(read.ssrc == 42);
  CHECK(read.sequence == 7);
  CHECK(read.timestamp == 1);
  CHECK(read.media_ssrc == 2);
  CHECK(read.first_sequence == 0xfedc'ba98);
  CHECK(read.packets == 1111);
  CHECK(read.groups == 56);
  CHECK(read.group == 55);
  CHECK(read.parity == 4);
  CHECK(read.row == 3);
  CHECK(read.media_time == WallTime{1'700'000'000s});
  CHECK(read.frame_tag == 0x1234);
  CHECK(read.varies == varies);
  CHECK(std::ranges::equal(read.symbol, symbol));
  for (std::size_t bit = 0; bit < wire::parity_header_bytes * 8; ++bit) {
    auto bad = bytes;
    bad[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
    REQUIRE(!parse_parity_packet(bad, read).empty());
  }
  // Neighbouring frames, generations and ticks have different tags, and no frame has 0, that of senders without tags.
  std::set<std::uint16_t> tags;
  for (std::uint16_t i = 0; i < 10; ++i)
    for (const auto& stamp : {FrameStamp{{}, 100U + i, 7, 9}, FrameStamp{{}, 100, static_cast<std::uint16_t>(8 + i), 9},
                              FrameStamp{{}, 100, 7, static_cast<std::uint16_t>(10 + i)}})
      tags.insert(frame_tag(stamp));
  CHECK(tags.size() == 30);
  CHECK(frame_tag({}) == 1);
  bytes.resize(wire::parity_header_bytes + 999);
  CHECK(parse_parity_packet(bytes, read) == "a symbol longer than the packet");
}
