#include "common/wire/sound_packet.h"

#include <catch2/catch.hpp>

#include <random>
#include <vector>

namespace lw {
namespace {

std::vector<std::byte> packet_of(const SoundHeader& header, const std::vector<std::int32_t>& samples) {
  std::vector<std::byte> packet(sound_header_bytes + samples.size() * sound_sample_bytes);
  write_header(header, std::span(packet).first<sound_header_bytes>());
  write_samples(samples, packet.data() + sound_header_bytes);
  return packet;
}

TEST_CASE("a packet of sound is read back as written") {
  std::mt19937 chance(5);
  for (int round = 0; round < 2000; ++round) {
    const unsigned channels = 1 + chance() % 8;
    std::vector<std::int32_t> samples(48 * channels);
    for (auto& sample : samples) sample = static_cast<std::int32_t>(chance() & ~0xffU);
    const auto packet = packet_of({channels, static_cast<std::uint16_t>(chance()), static_cast<std::uint32_t>(chance()),
                                   static_cast<std::uint32_t>(chance())},
                                  samples);
    SoundPacket read;
    REQUIRE(parse_sound(packet, read).empty());
    CHECK(read.header.channels == channels);
    std::vector<std::int32_t> again(samples.size());
    read_samples(read.payload, again.data());
    CHECK(again == samples);
    CHECK(packet_of(read.header, again) == packet);
  }
}

TEST_CASE("the bytes of a packet are those of RFC 3190") {
  const auto packet = packet_of({2, 0x1234, 0xa1b2c3d4, 0x01020304},
                                std::vector<std::int32_t>(96, static_cast<std::int32_t>(0x81828300U)));
  CHECK(packet.size() == 12 + 288);
  const unsigned char begin[] = {0x80, 112, 0x12, 0x34, 0xa1, 0xb2, 0xc3, 0xd4, 1, 2, 3, 4, 0x81, 0x82, 0x83, 0x81};
  for (std::size_t i = 0; i < sizeof(begin); ++i) CHECK(std::to_integer<unsigned>(packet[i]) == begin[i]);
}

TEST_CASE("other datagrams are not sound") {
  const auto good = packet_of({2, 1, 2, 3}, std::vector<std::int32_t>(96));
  SoundPacket read;
  for (std::size_t bytes = 0; bytes < good.size(); ++bytes)
    CHECK_FALSE(parse_sound(std::span(good).first(bytes), read).empty());
  auto longer = good;
  longer.push_back({});
  CHECK_FALSE(parse_sound(longer, read).empty());
  for (const unsigned first : {0x00U, 0x40U, 0x90U, 0xa0U, 0x81U}) {
    auto wrong = good;
    wrong[0] = static_cast<std::byte>(first);
    CHECK_FALSE(parse_sound(wrong, read).empty());
  }
  for (const unsigned type : {96U, 110U, 111U, 119U}) {
    auto wrong = good;
    wrong[1] = static_cast<std::byte>(type);
    CHECK_FALSE(parse_sound(wrong, read).empty());
  }
}

TEST_CASE("timestamps count samples on across their wrap") {
  for (const std::int64_t sample : {std::int64_t{0}, std::int64_t{1} << 32U, std::int64_t{48} * 1'700'000'000'000})
    for (const std::int64_t off : {0, 1, -1, 48'000, -48'000, 1 << 30, -(1 << 30)})
      CHECK(sample_near(sample + off, static_cast<std::uint32_t>(sample)) == sample);
  const auto last = sound_header_of(48 * 65'535, 2, 1, 7), next = sound_header_of(48 * 65'536, 2, 1, 7);
  CHECK(next.sequence == static_cast<std::uint16_t>(last.sequence + 1));
}

}  // namespace
}  // namespace lw
