// Pins the bytes of a media packet: the parser reads what the templates write, every pixel of a band is carried exactly
// once, all packets but the last are equally long, and nothing malformed gets through.
#include "common/wire/media_packet.h"
#include "common/wire/ntp_time.h"
#include "common/wire/relayed.h"
#include "common/wire/sequence.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

using namespace lw;
using namespace std::chrono_literals;

namespace {

// The packet as sent: header, pixels, padding.
std::vector<std::byte> assemble(const PacketTemplates& templates, const PacketTemplates::Packet& packet,
                                const std::vector<std::byte>& band) {
  std::vector<std::byte> bytes(templates.header(packet), templates.header(packet) + packet.header_bytes);
  bytes.insert(bytes.end(), band.begin() + static_cast<std::ptrdiff_t>(packet.pixel_offset),
               band.begin() + static_cast<std::ptrdiff_t>(packet.pixel_offset + packet.pixel_bytes));
  if (packet.padding_bytes > 0) {
    bytes.resize(bytes.size() + packet.padding_bytes);
    bytes.back() = static_cast<std::byte>(packet.padding_bytes);
  }
  return bytes;
}

struct Case {
  PixelFormat format;
  unsigned width, rows;
  unsigned mtu;
};

}  // namespace

TEST_CASE("a header with a changed bit is refused") {
  auto templates = PacketTemplates::lay_out(PixelFormat::rgb8, 100, 40, {1400}, 0x01020304).value();
  const FrameStamp stamp{WallTime{1'700'000'000s + 123456789ns}, 77, 3, 4711};
  templates.stamp(stamp, 0x1ffff);
  for (const auto& layout : templates.packets()) {
    std::vector<std::byte> bytes(templates.header(layout), templates.header(layout) + layout.header_bytes);
    bytes.resize(bytes.size() + layout.pixel_bytes);
    bytes.resize(bytes.size() + layout.padding_bytes, static_cast<std::byte>(layout.padding_bytes));
    MediaPacket parsed;
    REQUIRE(parse_media_packet(bytes, parsed).empty());
    for (std::size_t bit = 0; bit < layout.header_bytes * 8; ++bit) {
      auto bad = bytes;
      bad[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
      // Packets that pass have lost their extensions: a stream that has them does not accept these.
      REQUIRE((!parse_media_packet(bad, parsed).empty() || !parsed.stamp));
    }
  }
}

TEST_CASE("a resent packet says which one it was") {
  const auto templates = PacketTemplates::lay_out(PixelFormat::ycbcr422_10, 100, 40, {1400}, 0x01020304).value();
  const FrameStamp stamp{WallTime{1'700'000'000s}, 77, 3, 4711};
  const auto& layout = templates.packets()[2];
  std::vector<std::byte> bytes(layout.header_bytes + wire::resend_bytes);
  REQUIRE(templates.write_resend(layout, stamp, 0x00ab'cdef, 0x0a0b0c0d, 7, bytes) == bytes.size());
  bytes.resize(bytes.size() + layout.pixel_bytes, std::byte{0x5a});
  bytes.resize(bytes.size() + layout.padding_bytes, static_cast<std::byte>(layout.padding_bytes));
  MediaPacket parsed;
  REQUIRE(parse_media_packet(bytes, parsed).empty());
  CHECK(parsed.resent);
  CHECK(parsed.ssrc == 0x0a0b0c0d);
  CHECK(parsed.sequence == 0xcdef);
  CHECK(parsed.sequence_upper == 0x00ab);
  CHECK(parsed.payload_type == info(PixelFormat::ycbcr422_10).payload_type);
  REQUIRE(parsed.stamp.has_value());
  CHECK(parsed.stamp->tick == 4711);
  CHECK(parsed.pixels.size() == layout.pixel_bytes);
  CHECK(std::ranges::all_of(parsed.pixels, [](std::byte b) { return b == std::byte{0x5a}; }));
}

TEST_CASE("a relay resends a packet as its sender would") {
  auto templates = PacketTemplates::lay_out(PixelFormat::ycbcr422_10, 100, 40, {1400}, 0x01020304).value();
  const FrameStamp stamp{WallTime{1'700'000'000s}, 77, 3, 4711};
  templates.stamp(stamp, 0x00ab'cdeb);
  const std::vector<std::byte> band(std::size_t{250} * 40, std::byte{0x5a});
  for (std::size_t i = 0; i < templates.packets().size(); ++i) {
    const auto& layout = templates.packets()[i];
    const auto original = assemble(templates, layout, band);
    MediaPacket packet;
    REQUIRE(parse_media_packet(original, packet).empty());
    REQUIRE(has_our_layout(original));
    std::vector<std::byte> again(original.size() + wire::resend_bytes);
    std::vector<std::byte> head(layout.header_bytes + wire::resend_bytes);
    REQUIRE(write_resend(original, packet, 0x0a0b0c0d, 7, again) == again.size());
    const auto sequence = 0x00ab'cdebU + static_cast<std::uint32_t>(i);
    REQUIRE(templates.write_resend(layout, stamp, sequence, 0x0a0b0c0d, 7, head) == head.size());
    CHECK(std::equal(head.begin(), head.end(), again.begin()));
    CHECK(std::equal(original.begin() + layout.header_bytes, original.end(),
                     again.begin() + static_cast<std::ptrdiff_t>(head.size())));
    MediaPacket parsed;
    REQUIRE(parse_media_packet(again, parsed).empty());
    CHECK((parsed.resent && parsed.sequence == packet.sequence && parsed.stamp == packet.stamp));
    // A resend of another stream differs from it in the stream's number and its own.
    REQUIRE(has_our_layout(again));
    auto moved = again;
    REQUIRE(parse_media_packet(moved, parsed).empty());
    move_resend(moved, parsed, 0x11121314, 0xffff);
    REQUIRE(templates.write_resend(layout, stamp, sequence, 0x11121314, 0xffff, head) == head.size());
    CHECK(std::equal(head.begin(), head.end(), moved.begin()));
  }
}

TEST_CASE("a relay recognizes headers that our senders did not lay out") {
  auto templates = PacketTemplates::lay_out(PixelFormat::rgb8, 64, 4, {1400}, 1).value();
  templates.stamp({WallTime{1'700'000'000s}, 1, 1, 1}, 1);
  auto datagram = assemble(templates, templates.packets().front(), std::vector<std::byte>(std::size_t{64} * 4 * 3));
  REQUIRE(has_our_layout(datagram));
  // A contributing source; no extension; another profile; fewer words; other elements.
  for (const auto& [at, value] :
       {std::pair<std::size_t, int>{0, 0x91}, {0, 0x80}, {12, 0xbf}, {15, 4}, {16, 0x27}, {25, 0x19}}) {
    auto other = datagram;
    other[at] = static_cast<std::byte>(value);
    CHECK_FALSE(has_our_layout(other));
  }
  CHECK_FALSE(has_our_layout(std::span(datagram).first(35)));
  CHECK_FALSE(has_our_layout({}));
}

TEST_CASE("of a frame that varies in length, the packets of its used octets are sent") {
  const auto layout = GENERATE(PacketLayout::in_rows, PacketLayout::in_slots);
  auto templates = PacketTemplates::lay_out(PixelFormat::lossless, 321, 67, {1400, layout}, 7).value();
  const auto row_size = row_bytes(PixelFormat::lossless, 321);
  std::vector<std::byte> band(row_size * 67);
  for (std::size_t i = 0; i < band.size(); ++i) band[i] = static_cast<std::byte>(i * 7);
  FrameStamp stamp{WallTime{std::chrono::seconds{1'700'000'000}}, 4711, 3, 5};
  stamp.packets_before = 0xfffffff0;
  for (const std::uint32_t used : {16U, 1344U, 1360U, 20'000U, static_cast<std::uint32_t>(band.size())}) {
    stamp.used = used;
    const auto packets = templates.packets_of(stamp);
    REQUIRE(templates.packets()[packets - 1].pixel_offset < used);
    REQUIRE((packets == templates.packets().size() || templates.packets()[packets].pixel_offset >= used));
    templates.stamp(stamp, 0xfffe);
    for (std::size_t i = 0; i < packets; ++i) {
      const auto& packet = templates.packets()[i];
      const auto bytes = assemble(templates, packet, band);
      MediaPacket parsed, matched;
      REQUIRE(parse_media_packet(bytes, parsed) == "");
      REQUIRE(parsed.stamp == stamp);
      REQUIRE(parsed.marker == (i + 1 == packets));
      REQUIRE(templates.number_of(parsed) == i);
      REQUIRE(templates.matches(packet, bytes.data(), matched));
      REQUIRE((matched.stamp == stamp && matched.marker == parsed.marker));
      REQUIRE(templates.continues(packet, bytes.data(), templates.header(templates.packets()[0]),
                                  0xfffeU + static_cast<std::uint32_t>(i)));
      std::vector<std::byte> resent(packet.header_bytes + wire::resend_bytes);
      templates.write_resend(packet, stamp, 0xfffeU + static_cast<std::uint32_t>(i), 8, 9, resent);
      resent.insert(resent.end(), bytes.begin() + packet.header_bytes, bytes.end());
      MediaPacket again;
      REQUIRE(parse_media_packet(resent, again) == "");
      REQUIRE((again.resent && again.stamp == stamp && again.marker == parsed.marker));
      REQUIRE(again.sequence == parsed.sequence);
      // A relay writes the same.
      std::vector<std::byte> relayed(bytes.size() + wire::resend_bytes);
      REQUIRE(write_resend(bytes, parsed, 8, 9, relayed) == relayed.size());
      REQUIRE(relayed == resent);
    }
  }
  auto bytes = assemble(templates, templates.packets().front(), band);
  bytes[wire::fixed_bytes + 3] ^= std::byte{1};  // how much is used
  MediaPacket changed;
  CHECK(parse_media_packet(bytes, changed) == "header check does not hold");
}

TEST_CASE("a band passes completely through packets, whatever its size") {
  const auto c = GENERATE(Case{PixelFormat::rgb8, 640, 400, 9000}, Case{PixelFormat::rgb8, 640, 400, 1500},
                          Case{PixelFormat::rgb8, 321, 67, 1500}, Case{PixelFormat::rgb8, 10, 300, 9000},
                          Case{PixelFormat::ycbcr422_8, 322, 67, 1500}, Case{PixelFormat::ycbcr422_10, 322, 67, 1500},
                          Case{PixelFormat::ycbcr422_10, 2560, 160, 9000}, Case{PixelFormat::ycbcr422_8, 2, 1, 576});
  const auto layout = GENERATE(PacketLayout::in_rows, PacketLayout::in_slots);
  auto templates =
      PacketTemplates::lay_out(c.format, c.width, c.rows, {udp_payload_of_mtu(c.mtu, false), layout}, 0xdecafbad)
          .value();
  const FrameStamp stamp{WallTime{std::chrono::seconds{1'700'000'000} + Nanoseconds{123'456'789}}, 4711, 3, 65535};
  templates.stamp(stamp, 0xfffe);  // crosses the 16-bit wrap

  const auto row_size = row_bytes(c.format, c.width);
  std::vector<std::byte> band(row_size * c.rows);
  for (std::size_t i = 0; i < band.size(); ++i) band[i] = static_cast<std::byte>(i * 7 + i / 251);
  std::vector<std::byte> got(band.size());
  std::vector<int> times(band.size());

  std::uint32_t sequence = 0xfffe;
  for (const auto& packet : templates.packets()) {
    const bool last = &packet == &templates.packets().back();
    const auto bytes = assemble(templates, packet, band);
    if (!last) REQUIRE(bytes.size() == templates.datagram_bytes());
    REQUIRE(bytes.size() <= udp_payload_of_mtu(c.mtu, false));
    REQUIRE(packet.padding_bytes < sizeof(wire::RowHeader) + info(c.format).group_bytes);
    MediaPacket parsed;
    REQUIRE(parse_media_packet(bytes, parsed) == "");
    REQUIRE((std::uint32_t{parsed.sequence_upper} << 16U | parsed.sequence) == sequence++);
    REQUIRE(parsed.marker == last);
    REQUIRE(parsed.ssrc == 0xdecafbad);
    REQUIRE(parsed.payload_type == info(c.format).payload_type);
    REQUIRE(parsed.stamp);
    REQUIRE(parsed.stamp->media_time == stamp.media_time);
    REQUIRE(parsed.stamp->frame == 4711);
    REQUIRE(parsed.stamp->generation == 3);
    REQUIRE(parsed.stamp->tick == 65535);
    REQUIRE(parsed.timestamp == rtp_timestamp(stamp.media_time));
    std::size_t in_packet = 0;
    for (const auto& row : parsed.rows) {
      const std::size_t line = row.line();
      const std::size_t pixel = row.pixel_offset();
      const std::size_t at = line * row_size + row_bytes(c.format, static_cast<unsigned>(pixel));
      REQUIRE(at + row.length.value() <= got.size());
      std::memcpy(got.data() + at, parsed.pixels.data() + in_packet, row.length.value());
      for (std::size_t i = 0; i < row.length.value(); ++i) ++times[at + i];
      in_packet += row.length.value();
    }
    REQUIRE(in_packet == parsed.pixels.size());
  }
  REQUIRE(got == band);
  REQUIRE(std::ranges::all_of(times, [](int n) { return n == 1; }));
}

TEST_CASE("the octets of any run are the sums over its packets") {
  const auto format = GENERATE(PixelFormat::rgb8, PixelFormat::ycbcr422_10);
  const auto width = GENERATE(10U, 322U, 640U);
  const auto layout = GENERATE(PacketLayout::in_rows, PacketLayout::in_slots);
  const auto templates =
      PacketTemplates::lay_out(format, width, 67, {udp_payload_of_mtu(1500, false), layout}, 1).value();
  const auto packets = templates.packets();
  for (std::size_t first = 0; first < packets.size(); ++first) {
    std::size_t datagrams = 0;
    std::size_t padding = 0;
    std::size_t pixels = 0;
    for (std::size_t count = 0; first + count <= packets.size(); ++count) {
      const auto octets = templates.octets(first, count);
      REQUIRE(octets.datagrams == datagrams);
      REQUIRE(octets.payload == datagrams - padding - count * (wire::fixed_bytes - 2));
      REQUIRE(octets.pixels == pixels);
      if (first + count == packets.size()) break;
      const auto& packet = packets[first + count];
      datagrams += packet.bytes();
      padding += packet.padding_bytes;
      pixels += packet.pixel_bytes;
    }
  }
  REQUIRE(templates.octets(0, packets.size()).payload == templates.payload_bytes_per_frame());
}

TEST_CASE("every cut of a packet is refused or stays within it") {
  auto templates = PacketTemplates::lay_out(PixelFormat::rgb8, 20, 4, {1472}, 1).value();
  templates.stamp({WallTime{std::chrono::seconds{1}}, 1, 1, 1}, 1);
  const std::vector<std::byte> band(20 * 3 * 4);
  const auto whole = assemble(templates, templates.packets()[0], band);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    MediaPacket parsed;
    INFO("length " << length);
    REQUIRE(parse_media_packet({whole.data(), length}, parsed) != "");
  }
}

TEST_CASE("malformed packets are reported with the reason") {
  auto templates = PacketTemplates::lay_out(PixelFormat::rgb8, 20, 4, {1472}, 1).value();
  templates.stamp({WallTime{std::chrono::seconds{1}}, 1, 1, 1}, 1);
  const std::vector<std::byte> band(20 * 3 * 4);
  const auto good = assemble(templates, templates.packets()[0], band);
  MediaPacket parsed;
  auto bad = good;
  bad[0] = std::byte{0x50};
  REQUIRE(parse_media_packet(bad, parsed) == "not RTP version 2");
  bad = good;
  bad[0] |= std::byte{0x20};
  bad.back() = std::byte{0};
  REQUIRE(parse_media_packet(bad, parsed) == "padding longer than the packet");
  bad = good;
  bad[15] = std::byte{0xff};
  REQUIRE(parse_media_packet(bad, parsed) == "header extension runs past the packet");
  bad = good;
  bad[0] = std::byte{0x8f};
  bad.resize(60);
  REQUIRE(parse_media_packet(bad, parsed) == "contributing sources run past the packet");
}

TEST_CASE("an MTU too small for a pixel is an error with a fix") {
  const auto result = PacketTemplates::lay_out(PixelFormat::rgb8, 20, 4, {40}, 1);
  REQUIRE(result.has_error());
  REQUIRE_THAT(result.error().text(), Catch::Contains("mtu"));
}

TEST_CASE("NTP time keeps every nanosecond") {
  for (std::int64_t ns : {0LL, 1LL, 999'999'999LL, 1'700'000'000'123'456'789LL, 2'000'000'000'000'000'001LL})
    REQUIRE(from_ntp(to_ntp(WallTime{Nanoseconds{ns}})) == WallTime{Nanoseconds{ns}});
  REQUIRE(to_ntp(WallTime{Nanoseconds{0}}) >> 32U == 2'208'988'800U);
}

TEST_CASE("sequence numbers unroll across the wrap, both ways") {
  REQUIRE(unroll<16>(65535, 0) == 65536);
  REQUIRE(unroll<16>(65536, 65535) == 65535);
  REQUIRE(unroll<16>(0x12345, 0x2344) == 0x12344);
  REQUIRE(unroll<16>(10, 65530) == -6);
  REQUIRE(unroll<32>(0xffff'fff0LL, 5) == 0x1'0000'0005LL);
  REQUIRE(unroll<32>(0x1'0000'0005LL, 0xffff'fff0U) == 0xffff'fff0LL);
}
