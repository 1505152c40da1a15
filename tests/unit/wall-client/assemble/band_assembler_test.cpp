// Pins reassembly: in whatever order a band's packets arrive, its pixels are those that were sent; missing ones are
// known row by row; late, foreign and contradicting packets change nothing.
#include "wall-client/assemble/band_assembler.h"

#include "common/wall/tile_slots.h"
#include "common/wire/ntp_time.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <random>

using namespace lw;

namespace {

constexpr unsigned width = 40;
constexpr unsigned rows = 100;
constexpr auto never = [](WallTime) { return false; };
constexpr auto always = [](WallTime) { return true; };

// Makes the packets of frames of a band and feeds them in any order.
struct Feeder {
  PacketCut cut{600, GENERATE(PacketLayout::in_rows, PacketLayout::in_slots)};
  PacketTemplates templates = PacketTemplates::lay_out(PixelFormat::rgb8, width, rows, cut, 1).value();
  std::vector<std::byte> memory = std::vector<std::byte>(band_memory_bytes(width, rows, cut) * 6);
  BandAssembler assembler{{7, width, 10, rows}, cut, memory.data(), 6, 3};
  std::uint32_t sequence = 1000;

  static std::vector<std::byte> picture(std::uint32_t frame) {
    std::vector<std::byte> pixels(width * 3 * rows);
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::byte>(i * 31 + i / 257 + frame * 101);
    return pixels;
  }
  static WallTime time(std::uint32_t frame) {
    return WallTime{std::chrono::seconds{1'700'000'000} + std::chrono::milliseconds{33 * frame}};
  }

  std::vector<std::vector<std::byte>> packets(std::uint32_t frame) {
    templates.stamp({time(frame), frame, 1, static_cast<std::uint16_t>(frame)}, sequence);
    sequence += static_cast<std::uint32_t>(templates.packets().size());
    const auto pixels = picture(frame);
    std::vector<std::vector<std::byte>> result;
    for (const auto& packet : templates.packets()) {
      std::vector<std::byte> bytes(templates.header(packet), templates.header(packet) + packet.header_bytes);
      bytes.insert(bytes.end(), pixels.begin() + static_cast<std::ptrdiff_t>(packet.pixel_offset),
                   pixels.begin() + static_cast<std::ptrdiff_t>(packet.pixel_offset + packet.pixel_bytes));
      if (packet.padding_bytes > 0) {
        bytes.resize(bytes.size() + packet.padding_bytes);
        bytes.back() = static_cast<std::byte>(packet.padding_bytes);
      }
      result.push_back(std::move(bytes));
    }
    return result;
  }
  PacketFate feed(const std::vector<std::byte>& bytes) {
    MediaPacket packet;
    REQUIRE(parse_media_packet(bytes, packet) == "");
    return assembler.place(packet, WallTime{});
  }
};

// Makes a changed header's check correct again (RFC 1071).
void seal(std::vector<std::byte>& packet, std::size_t header_bytes) {
  constexpr std::size_t check = 34;
  packet[check] = packet[check + 1] = std::byte{0};
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < header_bytes; i += 2)
    sum += std::to_integer<unsigned>(packet[i]) << 8U | std::to_integer<unsigned>(packet[i + 1]);
  while (sum >> 16U != 0) sum = (sum & 0xffffU) + (sum >> 16U);
  packet[check] = static_cast<std::byte>(~sum >> 8U);
  packet[check + 1] = static_cast<std::byte>(~sum);
}

bool same_pixels(const ReceivedBand& band, const std::vector<std::byte>& picture) {
  std::vector<std::byte> pixels(picture.size());
  band.pixels.copy(0, pixels.size(), pixels.data());
  return pixels == picture;
}

}  // namespace

TEST_CASE("a band whose packets arrive in any order is complete and equal") {
  Feeder feeder;
  const auto seed = GENERATE(1U, 2U, 3U);
  auto packets = feeder.packets(5);
  std::shuffle(packets.begin(), packets.end(), std::minstd_rand(seed));
  for (std::size_t i = 0; i < packets.size(); ++i) {
    REQUIRE_FALSE(feeder.assembler.take_finished(never));
    REQUIRE(feeder.feed(packets[i]) == PacketFate::used);
  }
  const auto band = feeder.assembler.take_finished(never);
  REQUIRE(band);
  REQUIRE(band->whole);
  REQUIRE(band->flow == 7);
  REQUIRE(band->first_row == 10);
  REQUIRE(band->frame == 5);
  REQUIRE(band->tick == 5);
  REQUIRE(band->media_time == Feeder::time(5));
  REQUIRE(same_pixels(*band, Feeder::picture(5)));
  REQUIRE(feeder.assembler.bands_whole() == 1);
}

TEST_CASE("two interleaved frames both become complete") {
  Feeder feeder;
  const auto first = feeder.packets(1);
  const auto second = feeder.packets(2);
  for (std::size_t i = 0; i < first.size(); ++i) {
    feeder.feed(second[i]);
    feeder.feed(first[i]);
  }
  const auto a = feeder.assembler.take_finished(never);
  const auto b = feeder.assembler.take_finished(never);
  REQUIRE(a);
  REQUIRE(b);
  for (const auto& band : {*a, *b}) REQUIRE(same_pixels(band, Feeder::picture(band.frame)));
  REQUIRE(a->frame != b->frame);
}

TEST_CASE("a missing packet leaves exactly its rows missing, and the band ends at its deadline") {
  Feeder feeder;
  const auto packets = feeder.packets(1);
  const std::size_t hole = packets.size() / 2;
  for (std::size_t i = 0; i < packets.size(); ++i)
    if (i != hole) feeder.feed(packets[i]);
  REQUIRE_FALSE(feeder.assembler.take_finished(never));
  const auto band = feeder.assembler.take_finished(always);
  REQUIRE(band);
  REQUIRE_FALSE(band->whole);
  const auto& lost = feeder.templates.packets()[hole];
  for (unsigned row = 0; row < rows; ++row) {
    const std::size_t from = row * width * 3;
    const bool touched = from < lost.pixel_offset + lost.pixel_bytes && from + width * 3 > lost.pixel_offset;
    INFO("row " << row);
    REQUIRE(band->row_present(row) == !touched);
  }
  REQUIRE(feeder.feed(packets[hole]) == PacketFate::late);
  REQUIRE(feeder.assembler.bands_incomplete() == 1);
}

TEST_CASE("a fourth frame pushes the oldest out") {
  Feeder feeder;
  for (std::uint32_t frame = 1; frame <= 3; ++frame) feeder.feed(feeder.packets(frame)[0]);
  const auto packet = feeder.packets(4)[0];
  REQUIRE(feeder.feed(packet) == PacketFate::late);
  REQUIRE(feeder.assembler.must_make_room());
  const auto band = feeder.assembler.take_finished(never);
  REQUIRE(band);
  REQUIRE(band->frame == 1);
  REQUIRE(feeder.feed(packet) == PacketFate::used);
}

TEST_CASE("without a free buffer a frame is dropped, not the flow") {
  Feeder feeder;
  std::vector<unsigned> held;
  for (std::uint32_t frame = 1; frame <= 6; ++frame) {
    for (const auto& packet : feeder.packets(frame)) feeder.feed(packet);
    held.push_back(feeder.assembler.take_finished(never)->buffer);
  }
  for (const auto& packet : feeder.packets(7)) REQUIRE(feeder.feed(packet) == PacketFate::late);
  REQUIRE(feeder.assembler.bands_dropped() == 1);
  for (const auto buffer : held) feeder.assembler.give_back(buffer);
  for (const auto& packet : feeder.packets(8)) REQUIRE(feeder.feed(packet) == PacketFate::used);
  REQUIRE(feeder.assembler.take_finished(never)->whole);
}

TEST_CASE("packets that contradict the band are invalid and change nothing") {
  Feeder feeder;
  auto packet = feeder.packets(1)[0];
  auto* row = reinterpret_cast<wire::RowHeader*>(packet.data() + wire::fixed_bytes);
  const auto change = GENERATE(0, 1, 2, 3);
  if (change == 0) row->field_line = static_cast<std::uint16_t>(rows);
  if (change == 1) row->more_offset = static_cast<std::uint16_t>((row->more_offset.value() & 0x8000U) | 30U);
  if (change == 2) row->length = static_cast<std::uint16_t>(row->length.value() - 1);
  if (change == 3) packet[1] = std::byte{127};
  seal(packet, feeder.templates.packets()[0].header_bytes);
  const auto before = feeder.memory;
  REQUIRE(feeder.feed(packet) == PacketFate::invalid);
  REQUIRE(feeder.memory == before);
  REQUIRE_FALSE(feeder.assembler.take_finished(always));
}

TEST_CASE("overlapping rows never make a band complete") {
  Feeder feeder;
  auto packets = feeder.packets(1);
  for (std::size_t i = 0; i + 1 < packets.size(); ++i) feeder.feed(packets[i]);
  feeder.feed(packets[0]);  // instead of the last
  REQUIRE_FALSE(feeder.assembler.take_finished(never));
}

TEST_CASE("half a row received twice does not make a complete row") {
  Feeder feeder;
  // From another sender: no extensions, one piece of a row in a packet.
  const auto piece = [](std::uint8_t sequence, std::uint8_t line, std::uint8_t first_pixel, std::size_t pixels) {
    std::vector<std::byte> bytes(20 + 3 * pixels, std::byte{7});
    std::ranges::fill(std::span(bytes).first(20), std::byte{0});
    bytes[0] = std::byte{0x80};
    bytes[1] = static_cast<std::byte>(info(PixelFormat::rgb8).payload_type);
    bytes[3] = static_cast<std::byte>(sequence);
    bytes[15] = static_cast<std::byte>(3 * pixels);
    bytes[17] = static_cast<std::byte>(line);
    bytes[19] = static_cast<std::byte>(first_pixel);
    return bytes;
  };
  std::uint8_t sequence = 0;
  for (std::uint8_t line = 0; line < rows; ++line) {
    REQUIRE(feeder.feed(piece(sequence++, line, 0, width / 2)) == PacketFate::used);
    REQUIRE(feeder.feed(piece(sequence++, line, line == 50 ? 0 : width / 2, width / 2)) == PacketFate::used);
  }
  CHECK_FALSE(feeder.assembler.take_finished(never));
  REQUIRE(feeder.feed(piece(sequence++, 50, width / 4, width / 2)) == PacketFate::used);
  const auto band = feeder.assembler.take_finished(always);
  REQUIRE(band);
  CHECK_FALSE(band->whole);
  for (unsigned row = 0; row < rows; ++row) CHECK(band->row_present(row) == (row != 50));
  CHECK(band->bytes == width * rows * 3 - width / 4 * 3);
}

TEST_CASE("two frames that claim the same moment are not mixed into one") {
  Feeder feeder;
  const auto first = feeder.packets(5);
  feeder.templates.stamp({Feeder::time(5), 6, 2, 5}, feeder.sequence);
  const auto& packet = feeder.templates.packets()[3];
  std::vector<std::byte> other(feeder.templates.header(packet), feeder.templates.header(packet) + packet.header_bytes);
  other.resize(other.size() + packet.pixel_bytes + packet.padding_bytes, static_cast<std::byte>(packet.padding_bytes));
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (i == 3) CHECK(feeder.feed(other) == PacketFate::invalid);
    if (i != 3) REQUIRE(feeder.feed(first[i]) == PacketFate::used);
  }
  CHECK_FALSE(feeder.assembler.take_finished(never));
}

TEST_CASE("a band opened by a packet without a stamp belongs to the packets with one") {
  Feeder feeder;
  auto packets = feeder.packets(5);
  auto changed = packets[0];  // changed on the way: its extensions are unknown now, and nothing checks its header
  changed[13] ^= std::byte{1};
  REQUIRE(feeder.feed(changed) == PacketFate::used);
  for (std::size_t i = 1; i < packets.size(); ++i) REQUIRE(feeder.feed(packets[i]) == PacketFate::used);
  CHECK_FALSE(feeder.assembler.take_finished(never));  // packets without a stamp do not count
  REQUIRE(feeder.feed(packets[0]) == PacketFate::used);
  const auto band = feeder.assembler.take_finished(never);
  REQUIRE(band);
  CHECK(band->whole);
  CHECK(band->has_stamp);
  CHECK(band->frame == 5);
  CHECK(same_pixels(*band, Feeder::picture(5)));
}

TEST_CASE("a stream that replaces another finds none of its data in the bands, even at the same moment") {
  Feeder feeder;
  const auto packets = feeder.packets(5);
  for (std::size_t i = 0; i < 4; ++i) feeder.feed(packets[i]);
  feeder.assembler.reset();
  for (std::size_t i = 4; i < packets.size(); ++i) CHECK(feeder.feed(packets[i]) == PacketFate::late);
  const auto band = feeder.assembler.take_finished(never);
  REQUIRE(band);
  CHECK_FALSE(band->whole);
}

// A band of pixel rows 10 to 30, in which five rows of blocks begin; the last block of each extends beyond the tile.
TEST_CASE("of compressed blocks, no packet cuts one, and a missing packet leaves its rows of blocks missing") {
  const auto format = GENERATE(PixelFormat::bc7, PixelFormat::bc1);
  const PacketCut cut{300, GENERATE(PacketLayout::in_rows, PacketLayout::in_slots)};
  constexpr BandGeometry geometry{7, 42, 10, 21};
  constexpr unsigned block_rows = 5;
  const auto row_size = row_bytes(format, geometry.width);
  std::vector<std::byte> memory(band_memory_bytes(geometry.width, geometry.rows, cut) * 2);
  std::vector<std::byte> blocks(row_size * block_rows);
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] = static_cast<std::byte>(i * 31 + i / 257);
  auto templates = PacketTemplates::lay_out(format, geometry.width, block_rows, cut, 1).value();
  const auto packets = templates.packets();
  templates.stamp({Feeder::time(1), 1, 1, 1}, 1000);
  for (std::size_t hole = 0; hole <= packets.size(); ++hole) {  // the last time, there is none
    BandAssembler assembler(geometry, cut, memory.data(), 2, 1);
    for (std::size_t i = 0; i < packets.size(); ++i) {
      const auto& packet = packets[i];
      REQUIRE(packet.pixel_offset % info(format).group_bytes == 0);
      if (i == hole) continue;
      std::vector<std::byte> bytes(templates.header(packet), templates.header(packet) + packet.header_bytes);
      const auto first = blocks.begin() + static_cast<std::ptrdiff_t>(packet.pixel_offset);
      bytes.insert(bytes.end(), first, first + packet.pixel_bytes);
      bytes.insert(bytes.end(), templates.padding(packet), templates.padding(packet) + packet.padding_bytes);
      MediaPacket parsed;
      REQUIRE(parse_media_packet(bytes, parsed).empty());
      REQUIRE(assembler.place(parsed, WallTime{}) == PacketFate::used);
    }
    const auto band = assembler.take_finished(always);
    REQUIRE(band);
    CHECK((band->first_row == 3 && band->rows == block_rows));
    CHECK(band->whole == (hole == packets.size()));
    std::vector<std::byte> row(row_size);
    for (unsigned number = 0; number < block_rows; ++number) {
      const auto from = number * row_size;
      const bool lost = hole < packets.size() && from < packets[hole].pixel_offset + packets[hole].pixel_bytes &&
                        from + row_size > packets[hole].pixel_offset;
      CHECK(band->row_present(number) == !lost);
      if (lost) continue;
      band->pixels.copy(from, row_size, row.data());
      CHECK(std::equal(row.begin(), row.end(), blocks.begin() + static_cast<std::ptrdiff_t>(from)));
    }
  }
}
