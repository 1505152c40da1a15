// Encrypted packets can be opened only with the key; changed, repeated and forged ones are refused.
#include "common/srtp/packet_opener.h"
#include "common/srtp/packet_sealer.h"
#include "common/wire/media_packet.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <vector>

using namespace lw;
using Fate = PacketOpener::Fate;
using Bytes = std::vector<std::byte>;

namespace {

static_assert(PacketSealer::media_growth == wire::sealed_bytes);

constexpr LocalTime start{std::chrono::hours{1}};

MediaKey key_of(unsigned char first) {
  MediaKey key;
  key.bytes.fill(7);
  key.bytes[0] = first;
  return key;
}

// An RTP packet of this many octets behind its fixed header.
Bytes packet(std::uint16_t sequence, std::size_t payload = 100, std::uint32_t ssrc = 0xabcdef01) {
  wire::RtpHeader header{};
  header.version_padding_extension_count = 0x80;
  header.marker_payload_type = 96;
  header.sequence = sequence;
  header.ssrc = ssrc;
  Bytes bytes(sizeof(header) + payload, static_cast<std::byte>(sequence));
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

// A sender report without blocks.
Bytes compound() {
  Bytes bytes(28, std::byte{3});
  const unsigned char head[] = {0x80, 200, 0, 6, 0xab, 0xcd, 0xef, 1};
  std::memcpy(bytes.data(), head, sizeof(head));
  return bytes;
}

// As a flow passes it: header and pixels apart.
Bytes sealed(PacketSealer& sealer, const Bytes& plain) {
  const DatagramPieces run[] = {{{piece_of(plain.data(), 12), piece_of(plain.data() + 12, plain.size() - 12), {}}, 2}};
  const auto out = sealer.seal(run);
  REQUIRE(out.size() == 1);
  REQUIRE(out[0].count == 1);
  const auto* data = static_cast<const std::byte*>(out[0].pieces[0].iov_base);
  return {data, data + out[0].pieces[0].iov_len};
}

struct Opened {
  Fate fate;
  Bytes bytes;
};
Opened opened(PacketOpener& opener, Bytes packet, LocalTime now = start) {
  std::span<std::byte> span(packet);
  const auto fate = opener.open(span, now);
  return {fate, {span.begin(), span.end()}};
}

}  // namespace

TEST_CASE("a run is encrypted packet by packet, in the clear up to the payload, and decrypted again") {
  PacketSealer sealer(key_of(1));
  PacketOpener opener(key_of(1));
  std::vector<Bytes> plain{packet(65'000, 1400), packet(65'001, 1400), packet(65'002, 17)};
  std::vector<DatagramPieces> run;
  for (const auto& one : plain)
    run.push_back({{piece_of(one.data(), 12), piece_of(one.data() + 12, one.size() - 12), {}}, 2});
  const auto out = sealer.seal(run);
  REQUIRE(out.size() == 3);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto* data = static_cast<const std::byte*>(out[i].pieces[0].iov_base);
    const Bytes on_the_wire(data, data + out[i].pieces[0].iov_len);
    CHECK(on_the_wire.size() == plain[i].size() + PacketSealer::media_growth);
    CHECK(std::memcmp(on_the_wire.data(), plain[i].data(), 12) == 0);
    CHECK(std::memcmp(on_the_wire.data() + 12, plain[i].data() + 12, plain[i].size() - 12) != 0);
    const auto [fate, bytes] = opened(opener, on_the_wire);
    CHECK(fate == Fate::done);
    CHECK(bytes == plain[i]);
  }
}

TEST_CASE("a packet with a changed octet is refused, and the original is still accepted") {
  PacketSealer sealer(key_of(1));
  PacketOpener opener(key_of(1));
  REQUIRE(opened(opener, sealed(sealer, packet(1))).fate == Fate::done);
  const auto good = sealed(sealer, packet(2));
  auto now = start;
  for (std::size_t i = 0; i < good.size(); ++i) {
    auto changed = good;
    changed[i] ^= std::byte{0x40};
    now += std::chrono::milliseconds{10};  // changed ids are as good as new ones
    INFO(i);
    CHECK(opened(opener, changed, now).fate == Fate::refused);
  }
  for (std::size_t bytes = 0; bytes < good.size(); ++bytes) {
    now += std::chrono::milliseconds{10};
    CHECK(opened(opener, Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(bytes)), now).fate ==
          Fate::refused);
  }
  CHECK(opened(opener, good, now).fate == Fate::done);
  CHECK(opened(opener, good, now).fate == Fate::repeated);
}

TEST_CASE("packets may arrive in another order, but not very much later") {
  PacketSealer sealer(key_of(1));
  PacketOpener opener(key_of(1));
  std::vector<Bytes> stream;
  for (std::uint16_t i = 0; i < 10'000; ++i) stream.push_back(sealed(sealer, packet(i, 16)));
  CHECK(opened(opener, stream[9'000]).fate == Fate::done);
  CHECK(opened(opener, stream[2'000]).fate == Fate::done);
  CHECK(opened(opener, stream[2'000]).fate == Fate::repeated);
  CHECK(opened(opener, stream[9'999]).fate == Fate::done);
  CHECK(opened(opener, stream[100]).fate == Fate::too_old);
}

TEST_CASE("sequence numbers wrap around: late joiners and receivers with heavy loss follow") {
  PacketSealer sealer(key_of(1));
  PacketOpener opener(key_of(1));
  std::set<Bytes> ids;
  std::uint32_t next = 60'000;
  Bytes before;
  const auto send = [&](std::uint32_t sequence) {
    return sealed(sealer, packet(static_cast<std::uint16_t>(sequence), 16));
  };
  for (; next < 4 * 65'536; ++next) {
    const auto bytes = send(next);
    ids.insert(Bytes(bytes.end() - 8, bytes.end()));
    // Nothing is received for more than a whole round.
    if (next > 200'000 && next % 5'000 == 0) CHECK(opened(opener, bytes).fate == Fate::done);
    before = bytes;
  }
  CHECK(ids.size() == 4);
  const auto after = send(next);
  CHECK(opened(opener, after).fate == Fate::done);
  CHECK(opened(opener, before).fate == Fate::done);  // the last packet of the previous round, a little late
  CHECK(opened(opener, send(next + 1)).fate == Fate::done);
}

// The law: whatever a path does to the packets, each is opened at most once and as it was, and exactly if it is in
// time: up to 8191 packets behind the newest that was opened of its round of sequence numbers, which has its own key.
TEST_CASE("each packet is opened once, however its path delays, repeats, loses and changes packets") {
  const unsigned seed = GENERATE(range(1U, 7U));
  INFO(seed);
  std::minstd_rand random(seed);
  const auto one_in = [&](unsigned many) { return random() % many == 0; };
  PacketSealer sealer(key_of(1));
  PacketOpener opener(key_of(1));
  struct OnTheWay {
    std::uint64_t number = 0;
    Bytes bytes;
  };
  std::multimap<std::uint64_t, OnTheWay> path;    // by arrival
  std::map<std::uint64_t, std::uint64_t> newest;  // of the rounds
  std::set<std::uint64_t> taken;
  auto now = start;
  const auto arrive = [&](const OnTheWay& one) {
    const auto plain = packet(static_cast<std::uint16_t>(one.number), 16);
    if (one_in(8)) {
      auto changed = one.bytes;
      changed[random() % changed.size()] ^= static_cast<std::byte>(1U << random() % 8);
      now += std::chrono::milliseconds{10};
      REQUIRE(opened(opener, changed, now).fate != Fate::done);
    }
    const auto [fate, bytes] = opened(opener, one.bytes, now);
    const auto round = newest.find(one.number / 65'536);
    if (round != newest.end() && one.number + 8192 <= round->second) {
      REQUIRE(fate == Fate::too_old);
    } else if (taken.contains(one.number)) {
      REQUIRE(fate == Fate::repeated);
    } else {
      REQUIRE(fate == Fate::done);
      REQUIRE(bytes == plain);
      taken.insert(one.number);
      auto& last = newest[one.number / 65'536];
      last = std::max(last, one.number);
    }
  };
  std::uint64_t number = 20'000 + random() % 40'000;
  const auto end = number + 70'000;
  std::uint64_t sent = 0;
  while (number < end) {
    const OnTheWay one{number, sealed(sealer, packet(static_cast<std::uint16_t>(number), 16))};
    ++sent;
    if (!one_in(20)) path.emplace(number + random() % 30, one);
    if (one_in(10)) path.emplace(number + random() % 12'000, one);
    number += one_in(5) ? 1 + random() % 6 : 1;
    for (; !path.empty() && path.begin()->first < number; path.erase(path.begin())) arrive(path.begin()->second);
  }
  for (const auto& [arrival, one] : path) arrive(one);
  CHECK(newest.size() >= 2);
  CHECK(taken.size() > sent * 9 / 10);
}

TEST_CASE("each of a sender's streams has its own key, and so has each start") {
  PacketSealer one(key_of(1));
  PacketSealer other(key_of(1));
  const auto id_of = [](const Bytes& bytes) { return Bytes(bytes.end() - 8, bytes.end()); };
  const std::set<Bytes> ids{id_of(sealed(one, packet(1))), id_of(sealed(one, packet(1, 100, 2))),
                            id_of(sealed(other, packet(1)))};
  CHECK(ids.size() == 3);
}

TEST_CASE("nothing is decrypted with another key, and forged ids take at most a share of the time") {
  PacketSealer sealer(key_of(1));
  PacketSealer stranger(key_of(2));
  PacketOpener opener(key_of(1));
  const auto good = sealed(sealer, packet(1));
  for (std::uint16_t i = 0; i < 100; ++i) CHECK(opened(opener, sealed(stranger, packet(i))).fate == Fate::refused);
  CHECK(opened(opener, good).fate == Fate::refused);  // too many unknown ids at once
  CHECK(opened(opener, good, start + std::chrono::seconds{1}).fate == Fate::done);
  // Known streams are not delayed.
  for (std::uint16_t i = 100; i < 200; ++i) CHECK(opened(opener, sealed(stranger, packet(i))).fate == Fate::refused);
  CHECK(opened(opener, sealed(sealer, packet(2)), start + std::chrono::seconds{1}).fate == Fate::done);
}

TEST_CASE("reports are also encrypted") {
  PacketSealer sealer(key_of(1));
  PacketOpener opener(key_of(1));
  const auto plain = compound();
  const auto out = sealer.seal_rtcp(plain);
  REQUIRE(out.size() == plain.size() + PacketSealer::rtcp_growth);
  const Bytes on_the_wire(out.begin(), out.end());
  auto bytes = on_the_wire;
  std::span<std::byte> span(bytes);
  REQUIRE(opener.open_rtcp(span, start) == Fate::done);
  CHECK(Bytes(span.begin(), span.end()) == plain);
  bytes = on_the_wire;
  span = bytes;
  CHECK(opener.open_rtcp(span, start) == Fate::repeated);
  bytes = on_the_wire;
  bytes[20] ^= std::byte{1};
  span = bytes;
  CHECK(PacketOpener(key_of(1)).open_rtcp(span, start) == Fate::refused);
  PacketOpener other(key_of(2));
  bytes = on_the_wire;
  span = bytes;
  CHECK(other.open_rtcp(span, start) == Fate::refused);
}
