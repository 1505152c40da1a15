// Law: whatever a band's size, its packets have one shape, each pixel has one place, and the headers fit.
#include "common/wire/packet_slots.h"

#include "common/wire/media_packet.h"
#include "tests/support/network.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <vector>

using namespace lw;

namespace {

struct DrawnBand {
  PixelFormat format;
  unsigned width, rows;
  std::size_t slot_bytes;
};

DrawnBand draw(truth::Random& random) {
  const auto format = all_pixel_formats[random.below(all_pixel_formats.size())];
  // Rows of a single group need as many headers as groups, for which a slot may have no shape.
  const auto groups = random.between(2, random.once_in(2) ? 40 : 700);
  return {format, static_cast<unsigned>(groups * info(format).group_pixels),
          static_cast<unsigned>(random.between(1, random.once_in(2) ? 8 : 90)), 64 * random.between(8, 30)};
}

FrameStamp whole_frame(PixelFormat format, const PacketSlots& slots) {
  FrameStamp stamp{WallTime{std::chrono::seconds{1'700'000'000}}, 4711, 3, 17};
  if (info(format).varies_in_length()) stamp.used = static_cast<std::uint32_t>(slots.frame_bytes());
  return stamp;
}

std::size_t bytes_before(PixelFormat format, unsigned offset) {
  return std::size_t{offset} / info(format).group_pixels * info(format).group_bytes;
}

}  // namespace

TEST_CASE("the slots of Ethernet's usual packets fill 64 KiB") {
  const auto of = [](std::size_t datagram_max) {
    return PacketSlots::of(PixelFormat::rgb8, 3840, 2160, PacketSlots::slot_bytes_for(datagram_max)).value();
  };
  for (const bool ipv6 : {false, true}) {
    const auto slots = of(udp_payload_of_mtu(1500, ipv6) - wire::resend_bytes);
    CHECK((slots.slot_bytes() == 1408 && slots.slots_per_block() == 46 && slots.block_bytes() == 65'536));
    CHECK((slots.row_headers() == 2 && slots.pixel_bytes() == 1356 && slots.padding_bytes() == 2));
    const auto jumbo = of(udp_payload_of_mtu(9000, ipv6) - wire::resend_bytes);
    CHECK(
        (jumbo.slot_bytes() == (ipv6 ? 8896 : 8960) && jumbo.slots_per_block() == 7 && jumbo.block_bytes() == 65'536));
  }
}

TEST_CASE("every pixel of a band has its own place in the slots") {
  truth::Random random(GENERATE(1U, 2U, 3U));
  for (int i = 0; i < 300; ++i) {
    const auto band = draw(random);
    CAPTURE(info(band.format).name, band.width, band.rows, band.slot_bytes);
    const auto slots = PacketSlots::of(band.format, band.width, band.rows, band.slot_bytes);
    REQUIRE(slots);
    REQUIRE(slots->frame_bytes() == row_bytes(band.format, band.width) * band.rows);
    std::vector<int> used(slots->memory_bytes());
    std::size_t next = 0;
    slots->for_each_piece(0, slots->frame_bytes(), [&](std::size_t offset, std::size_t place, std::size_t bytes) {
      REQUIRE(offset == next);
      next += bytes;
      REQUIRE(place + bytes <= used.size());
      for (std::size_t at = place; at < place + bytes; ++at) ++used[at];
    });
    REQUIRE(next == slots->frame_bytes());
    REQUIRE(std::ranges::all_of(used, [](int times) { return times <= 1; }));
    for (std::size_t packet = 0; packet < slots->packets(); ++packet) {
      const auto head = used.begin() + static_cast<std::ptrdiff_t>(slots->slot(packet));
      const auto pixels = used.begin() + static_cast<std::ptrdiff_t>(slots->place(packet * slots->pixel_bytes()));
      REQUIRE(std::all_of(head, pixels, [](int n) { return n == 0; }));
      if (packet + 1 == slots->packets()) continue;
      REQUIRE(slots->slot(packet) % PacketSlots::alignment == 0);
      REQUIRE(pixels - head == static_cast<std::ptrdiff_t>(slots->header_bytes()));
    }
  }
}

TEST_CASE("packets laid out for slots have one shape, and carry every pixel once") {
  truth::Random random(GENERATE(4U, 5U, 6U));
  for (int i = 0; i < 100; ++i) {
    const auto band = draw(random);
    CAPTURE(info(band.format).name, band.width, band.rows, band.slot_bytes);
    auto templates =
        PacketTemplates::lay_out(band.format, band.width, band.rows, {band.slot_bytes, PacketLayout::in_slots}, 7)
            .value();
    const auto& slots = *templates.slots();
    templates.stamp(whole_frame(band.format, slots), 0);
    REQUIRE(templates.packets().size() == slots.packets());
    REQUIRE(templates.datagram_bytes() == slots.slot_bytes());
    std::vector<int> times(slots.frame_bytes());
    for (const auto& packet : templates.packets()) {
      const bool last = &packet == &templates.packets().back();
      REQUIRE((last || packet.header_bytes == slots.header_bytes()));
      REQUIRE((last || packet.bytes() == slots.slot_bytes()));
      const auto number = static_cast<std::size_t>(&packet - templates.packets().data());
      REQUIRE(slots.slot(number) + packet.header_bytes == slots.place(packet.pixel_offset));
      REQUIRE(packet.padding_bytes < info(band.format).group_bytes);
      std::vector<std::byte> bytes(templates.header(packet), templates.header(packet) + packet.header_bytes);
      bytes.resize(bytes.size() + packet.pixel_bytes);
      bytes.insert(bytes.end(), templates.padding(packet), templates.padding(packet) + packet.padding_bytes);
      MediaPacket parsed;
      REQUIRE(parse_media_packet(bytes, parsed).empty());
      std::size_t at = packet.pixel_offset;
      for (const auto& row : parsed.rows) {
        REQUIRE(row.length.value() > 0);
        REQUIRE(row.line() * row_bytes(band.format, band.width) + bytes_before(band.format, row.pixel_offset()) == at);
        for (std::size_t end = at + row.length.value(); at < end; ++at) ++times[at];
      }
      REQUIRE(at == packet.pixel_offset + packet.pixel_bytes);
    }
    REQUIRE(std::ranges::all_of(times, [](int n) { return n == 1; }));
  }
}

TEST_CASE("what is written around pixels in slots makes the packets that are sent from rows") {
  truth::Random random(GENERATE(7U, 8U));
  for (int i = 0; i < 60; ++i) {
    const auto band = draw(random);
    auto templates =
        PacketTemplates::lay_out(band.format, band.width, band.rows, {band.slot_bytes, PacketLayout::in_slots}, 7)
            .value();
    const auto& slots = *templates.slots();
    std::vector<std::byte> memory(slots.memory_bytes());
    for (auto& byte : memory) byte = static_cast<std::byte>(random.below(256));
    std::vector<std::byte> pixels(slots.frame_bytes());
    slots.copy_out(memory.data(), 0, pixels.size(), pixels.data());
    const auto stamp = whole_frame(band.format, slots);
    const auto first = random.below(slots.packets());
    const auto count = 1 + random.below(slots.packets() - first);
    const auto sequence = static_cast<std::uint32_t>(0xffff'fffdU + first);
    templates.write_around(memory.data(), stamp, sequence, first, count);
    templates.stamp(stamp, sequence, first, count);
    for (std::size_t number = first; number < first + count; ++number) {
      const auto& packet = templates.packets()[number];
      std::vector<std::byte> bytes(templates.header(packet), templates.header(packet) + packet.header_bytes);
      const auto from = pixels.begin() + static_cast<std::ptrdiff_t>(packet.pixel_offset);
      bytes.insert(bytes.end(), from, from + packet.pixel_bytes);
      bytes.insert(bytes.end(), templates.padding(packet), templates.padding(packet) + packet.padding_bytes);
      MediaPacket parsed;
      REQUIRE(parse_media_packet(bytes, parsed).empty());
      REQUIRE(std::equal(bytes.begin(), bytes.end(), memory.begin() + static_cast<std::ptrdiff_t>(slots.slot(number))));
    }
  }
}

TEST_CASE("slots without room for pixels are refused") {
  CHECK_FALSE(PacketSlots::of(PixelFormat::rgb8, 64, 4, 0));
  CHECK_FALSE(PacketSlots::of(PixelFormat::rgb8, 0, 4, 1408));
}
