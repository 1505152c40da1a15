// The packets of RFC 7714, in both directions, and what a context refuses.
#include "common/srtp/srtp_context.h"
#include "common/net/datagram_sender.h"
#include "tests/support/hex_bytes.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

using namespace lw;
using Bytes = std::vector<std::byte>;
using Direction = SrtpContext::Direction;
using Fate = SrtpContext::Fate;
using Kind = SrtpContext::Kind;

namespace {

constexpr SrtpContext::Id id{1, 2, 3, 4, 5, 6, 7, 8};

Bytes octets(std::string_view hex) {
  const auto values = hex_bytes(hex);
  Bytes bytes;
  for (const auto value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

Bytes with_id(Bytes packet) {
  for (const auto octet : id) packet.push_back(static_cast<std::byte>(octet));
  return packet;
}

// RFC 7714 section 15: key 00 01 ... 1f and the salt "Quid pro quo", for media and RTCP.
SessionKeys keys_of_rfc_7714() {
  SessionKeys keys;
  std::iota(keys.media.key.begin(), keys.media.key.end(), static_cast<unsigned char>(0));
  std::ranges::copy(std::string_view("Quid pro quo"), keys.media.salt.begin());
  keys.rtcp = keys.media;
  return keys;
}

// Section 16.2.
const Bytes media =
    octets("8040f17b8041f8d35501a0b247616c6c696120657374206f6d6e69732064697669736120696e207061727465732074726573");
const Bytes media_encrypted = with_id(octets(
    "8040f17b8041f8d35501a0b232b1de78a822fe12ef9f78fa332e33aab18012389a58e2f3b50b2a0276ffae0f1ba63799b87b7aa3db36"
    "dfffd6b0f9bb7878d7a76c13"));
// Section 17.2.
const Bytes rtcp =
    octets("81c8000d4d6172734e5450314e545032525450200000042a0000e9304c756e61deadbeefdeadbeefdeadbeefdeadbeefdeadbeef");
const Bytes rtcp_encrypted = with_id(octets(
    "81c8000d4d617273d50ae4d1f5ce5d304ba297e47d470c282c3ece5dbffe0a50a2eaa5c1110555be8415f658c61de0476f1b6fad1d1e"
    "b30c4446839f57ff6f6cb26ac3be800005d4"));
constexpr unsigned rtcp_index = 0x5d4;

struct Opened {
  Fate fate;
  Bytes bytes;
};
Opened opened(SrtpContext& context, Kind kind, Bytes packet) {
  std::span<std::byte> span(packet);
  const auto fate = context.open(kind, span);
  return {fate, {span.begin(), span.end()}};
}

Bytes sealed(SrtpContext& context, const Bytes& packet) {
  const iovec piece = piece_of(packet.data(), packet.size());
  Bytes out(packet.size() + 24);
  const auto bytes = context.seal({&piece, 1}, out.data());
  CHECK((bytes == 0 || bytes == out.size()));
  out.resize(bytes);
  return out;
}

}  // namespace

TEST_CASE("packets are encrypted as RFC 7714 shows") {
  const auto sealing = SrtpContext::create(keys_of_rfc_7714(), id, Direction::sealing);
  const auto opening = SrtpContext::create(keys_of_rfc_7714(), id, Direction::opening);
  REQUIRE((sealing && opening));
  CHECK(sealed(*sealing, media) == media_encrypted);
  const auto plain = opened(*opening, Kind::media, media_encrypted);
  CHECK(plain.fate == Fate::done);
  CHECK(plain.bytes == media);
}

TEST_CASE("reports are encrypted as RFC 7714 shows") {
  const auto sealing = SrtpContext::create(keys_of_rfc_7714(), id, Direction::sealing);
  const auto opening = SrtpContext::create(keys_of_rfc_7714(), id, Direction::opening);
  REQUIRE((sealing && opening));
  Bytes out(rtcp.size() + 28);
  for (unsigned index = 1; index <= rtcp_index; ++index) REQUIRE(sealing->seal_rtcp(rtcp, out.data()) == out.size());
  CHECK(out == rtcp_encrypted);
  const auto plain = opened(*opening, Kind::rtcp, rtcp_encrypted);
  CHECK(plain.fate == Fate::done);
  CHECK(plain.bytes == rtcp);
}

// Encrypting two packets with one IV would reveal both.
TEST_CASE("a sequence number is encrypted once") {
  const auto context = SrtpContext::create(keys_of_rfc_7714(), id, Direction::sealing);
  const auto packet = [](unsigned sequence) {
    Bytes bytes = media;
    bytes[2] = static_cast<std::byte>(sequence >> 8U);
    bytes[3] = static_cast<std::byte>(sequence);
    return bytes;
  };
  CHECK(!sealed(*context, packet(1000)).empty());
  CHECK(sealed(*context, packet(1000)).empty());
  CHECK(sealed(*context, packet(999)).empty());
  CHECK(!sealed(*context, packet(65'535)).empty());
  CHECK(sealed(*context, packet(0)).empty());
}

TEST_CASE("headers that do not fit their packets are refused") {
  const auto sealing = SrtpContext::create(keys_of_rfc_7714(), id, Direction::sealing);
  const auto opening = SrtpContext::create(keys_of_rfc_7714(), id, Direction::opening);
  // Contributing sources, or an extension of 65,535 words, beyond the packet's end.
  for (const auto first : {0x8f, 0x90}) {
    auto packet = media;
    packet[0] = static_cast<std::byte>(first);
    for (std::size_t i = 12; i < packet.size(); ++i) packet[i] = std::byte{0xff};
    CHECK(sealed(*sealing, packet).empty());
    CHECK(opened(*opening, Kind::media, with_id(packet)).fate == Fate::refused);
  }
  for (std::size_t bytes = 0; bytes < media_encrypted.size(); ++bytes) {
    INFO(bytes);
    const auto end = static_cast<std::ptrdiff_t>(bytes);
    CHECK(opened(*opening, Kind::media, {media_encrypted.begin(), media_encrypted.begin() + end}).fate ==
          Fate::refused);
    if (bytes < rtcp_encrypted.size())
      CHECK(opened(*opening, Kind::rtcp, {rtcp_encrypted.begin(), rtcp_encrypted.begin() + end}).fate == Fate::refused);
  }
  // Neither has changed the context.
  CHECK(opened(*opening, Kind::media, media_encrypted).fate == Fate::done);
  CHECK(opened(*opening, Kind::rtcp, rtcp_encrypted).fate == Fate::done);
}

TEST_CASE("a report without the flag of encrypted ones is refused") {
  const auto keys = keys_of_rfc_7714();
  auto cipher = GcmCipher::create(keys.rtcp.key, Direction::sealing);
  REQUIRE(cipher);
  // Authentic with the index 0x5d4, whose IV section 17.2 gives.
  const GcmCipher::Iv iv{0x51, 0x75, 0x24, 0x05, 0x52, 0x03, 0x72, 0x6f, 0x20, 0x71, 0x70, 0xbb};
  const auto report = [&](const char* flag_and_index) {
    const auto index = octets(flag_and_index);
    auto packet = rtcp;
    Bytes tag(GcmCipher::tag_bytes);
    const std::span head(std::as_const(packet).data(), 8);
    const std::span text(packet.begin() + 8, packet.end());
    REQUIRE((cipher->begin_sealing(iv) && cipher->authenticate(head) && cipher->authenticate(index) &&
             cipher->cipher(text, text.data()) && cipher->finish_sealing(tag.data())));
    packet.insert(packet.end(), tag.begin(), tag.end());
    packet.insert(packet.end(), index.begin(), index.end());
    return with_id(packet);
  };
  const auto opening = SrtpContext::create(keys, id, Direction::opening);
  CHECK(opened(*opening, Kind::rtcp, report("000005d4")).fate == Fate::refused);
  CHECK(report("800005d4") == rtcp_encrypted);
  CHECK(opened(*opening, Kind::rtcp, report("800005d4")).fate == Fate::done);
}
