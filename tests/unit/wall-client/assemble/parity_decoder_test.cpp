// Pins that lost packets of a band are restored in place from the server's parity, in whatever order packets arrive,
// and that packets that contradict the band are refused.
#include "wall-client/assemble/parity_decoder.h"

#include "common/wall/tile_slots.h"
#include "server/send/parity_encoder.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <random>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr unsigned width = 320;
constexpr unsigned rows = 60;
constexpr std::size_t datagram_max = 1000;
constexpr FecStrength strength{10, 2};
constexpr std::uint32_t ssrc = 5;
constexpr std::uint32_t first = 0xffff'ffc0U;

// A frame as the server sends it, and a receiver that gets some of it.
struct Frame {
  PacketCut cut{datagram_max, GENERATE(PacketLayout::in_rows, PacketLayout::in_slots)};
  PacketTemplates templates = PacketTemplates::lay_out(PixelFormat::rgb8, width, rows, cut, ssrc).value();
  std::vector<std::byte> picture = std::vector<std::byte>(row_bytes(PixelFormat::rgb8, width) * rows);
  ParityEncoder encoder{strength, {.parity_ssrc = 77}};
  std::vector<std::byte> memory = std::vector<std::byte>(band_memory_bytes(width, rows, cut) * 3);
  BandAssembler assembler{{0, width, 0, rows}, cut, memory.data(), 3, 3};
  unsigned rebuilt = 0;
  ParityDecoder decoder{strength, width, {0, rows}, cut, 3, [this](std::int64_t) { ++rebuilt; }};

  Frame() {
    std::minstd_rand random(3);
    for (auto& byte : picture) byte = static_cast<std::byte>(random());
    encoder.lay_out(templates, ssrc);
    const FrameStamp stamp{WallTime{1'700'000'000s}, 9, 1, 77};
    templates.stamp(stamp, first);
    encoder.begin(stamp, first, picture.data());
    encoder.encode_for(templates.packets().size());
  }
  void send_media(std::uint32_t index) {
    const auto& packet = templates.packets()[index];
    std::vector<std::byte> bytes(templates.header(packet), templates.header(packet) + packet.header_bytes);
    bytes.insert(bytes.end(), picture.begin() + static_cast<std::ptrdiff_t>(packet.pixel_offset),
                 picture.begin() + static_cast<std::ptrdiff_t>(packet.pixel_offset + packet.pixel_bytes));
    bytes.resize(bytes.size() + packet.padding_bytes, static_cast<std::byte>(packet.padding_bytes));
    MediaPacket parsed;
    REQUIRE(parse_media_packet(bytes, parsed).empty());
    REQUIRE(assembler.place(parsed, WallTime{}) == PacketFate::used);
    note(parsed.timestamp, index);
  }
  void note(std::uint32_t timestamp, std::size_t index) {
    const auto sequence = std::int64_t{first} + static_cast<std::int64_t>(index);
    decoder.note(timestamp, sequence, sequence + 1);
    decoder.rebuild(assembler);
  }
  ParityPacket parity(std::size_t number) const {
    const auto& piece = encoder.datagrams()[number].pieces[0];
    ParityPacket parsed;
    REQUIRE(parse_parity_packet({static_cast<const std::byte*>(piece.iov_base), piece.iov_len}, parsed).empty());
    return parsed;
  }
  ParityDecoder::Fate send_parity(std::size_t number) {
    const auto fate = decoder.take(parity(number), first, assembler);
    decoder.rebuild(assembler);
    return fate;
  }
  void check_whole() {
    const auto band = assembler.take_finished([](WallTime) { return false; });
    REQUIRE(band);
    CHECK(band->whole);
    CHECK(band->repaired);
    std::vector<std::byte> pixels(picture.size());
    band->pixels.copy(0, pixels.size(), pixels.data());
    CHECK(pixels == picture);
  }
};

}  // namespace

TEST_CASE("a run of lost packets is rebuilt up to the length that groups and parity allow") {
  Frame frame;
  const auto& groups = frame.encoder.groups();
  const auto packets = static_cast<std::uint32_t>(groups.packets());
  const auto run = static_cast<std::uint32_t>(groups.longest_run());
  const auto lost = GENERATE_COPY(1U, packets / 2, packets - run);  // also the frame's end, with its short packet
  for (std::uint32_t i = 0; i < packets; ++i)
    if (i < lost || i >= lost + run) frame.send_media(i);
  for (std::size_t i = 0; i < groups.parity_packets(); ++i) CHECK(frame.send_parity(i) == ParityDecoder::Fate::taken);
  CHECK(frame.rebuilt == run);
  frame.check_whole();
}

TEST_CASE("parity that arrives first waits for the packets that make it useful") {
  Frame frame;
  const auto& groups = frame.encoder.groups();
  for (std::uint32_t i = 0; i < groups.packets(); ++i)
    if (groups.group_of(i) != 0) frame.send_media(i);
  CHECK(frame.send_parity(groups.parity_number(0, 1)) == ParityDecoder::Fate::taken);
  for (std::uint32_t i = 2; i < groups.size(0); ++i) frame.send_media(static_cast<std::uint32_t>(groups.packet(0, i)));
  CHECK(frame.rebuilt == 0);
  frame.send_media(static_cast<std::uint32_t>(groups.packet(0, 0)));
  CHECK(frame.rebuilt == 1);
  frame.check_whole();
}

TEST_CASE("parity of another frame with the same numbers rebuilds nothing") {
  Frame frame;
  const auto packets = static_cast<std::uint32_t>(frame.encoder.groups().packets());
  for (std::uint32_t i = 1; i < packets; ++i) frame.send_media(i);
  const FrameStamp same{WallTime{1'700'000'000s}, 9, 1, 77};
  auto other = same;
  const int change = GENERATE(0, 1, 2);
  if (change == 0) other.frame += 1;
  if (change == 1) other.generation += 1;
  if (change == 2) other.tick += 1;
  frame.encoder.begin(other, first, frame.picture.data());
  frame.encoder.encode_for(packets);
  const auto number = frame.encoder.groups().parity_number(0, 0);
  CHECK(frame.send_parity(number) == ParityDecoder::Fate::invalid);
  CHECK(frame.rebuilt == 0);
  auto without_tag = frame.parity(number);  // of an older sender
  without_tag.frame_tag = 0;
  CHECK(frame.decoder.take(without_tag, first, frame.assembler) == ParityDecoder::Fate::taken);
}

TEST_CASE("parity of a complete group is not needed, and parity that contradicts the band is refused") {
  Frame frame;
  const auto packets = static_cast<std::uint32_t>(frame.encoder.groups().packets());
  for (std::uint32_t i = 0; i + 1 < packets; ++i) frame.send_media(i);
  const auto group = frame.encoder.groups().group_of(packets - 1);
  CHECK(frame.send_parity(frame.encoder.groups().parity_number(group == 0 ? 1 : 0, 0)) ==
        ParityDecoder::Fate::not_needed);
  auto wrong = frame.parity(frame.encoder.groups().parity_number(group, 0));
  const int change = GENERATE(0, 1, 2, 3);
  if (change == 0) wrong.packets += 1;
  if (change == 1) wrong.groups += 1;
  if (change == 2) wrong.parity += 1;
  if (change == 3) wrong.symbol = wrong.symbol.first(wrong.symbol.size() - 1);
  CHECK(frame.decoder.take(wrong, first, frame.assembler) == ParityDecoder::Fate::invalid);
  wrong = frame.parity(frame.encoder.groups().parity_number(group, 0));
  wrong.timestamp += 1;  // of no open band
  CHECK(frame.decoder.take(wrong, first, frame.assembler) == ParityDecoder::Fate::not_needed);
  CHECK(frame.rebuilt == 0);
}

TEST_CASE("sequence numbers of parity grow in the order in which it leaves, also over frames") {
  // Encryption takes a smaller number for the next 65,536, which have another key.
  Frame frame;
  std::optional<std::uint16_t> before;
  for (int i = 0; i < 3; ++i) {
    for (const auto& datagram : frame.encoder.datagrams()) {
      wire::RtpHeader rtp;
      std::memcpy(&rtp, datagram.pieces[0].iov_base, sizeof(rtp));
      if (before) REQUIRE(rtp.sequence.value() == static_cast<std::uint16_t>(*before + 1));
      before = rtp.sequence.value();
    }
    frame.encoder.sent(frame.encoder.datagrams().size());
    frame.encoder.begin({WallTime{1'700'000'001s}, 10, 1, 78}, first + 500, frame.picture.data());
    frame.encoder.encode_for(frame.templates.packets().size());
  }
}

TEST_CASE("a packet that found no place is not used to rebuild others") {
  Frame frame;
  const auto& groups = frame.encoder.groups();
  // Two packets of a group are missing, whatever the stream's numbers say: one parity packet restores nothing.
  for (std::uint32_t i = 0; i < groups.packets(); ++i)
    if (i != groups.packet(0, 1) && i != groups.packet(0, 2)) frame.send_media(i);
  CHECK(frame.send_parity(groups.parity_number(0, 0)) == ParityDecoder::Fate::taken);
  frame.note(frame.parity(groups.parity_number(0, 0)).timestamp, groups.packet(0, 1));
  CHECK(frame.rebuilt == 0);
  CHECK(frame.send_parity(groups.parity_number(0, 1)) == ParityDecoder::Fate::taken);
  CHECK(frame.rebuilt == 2);
  frame.check_whole();
}
