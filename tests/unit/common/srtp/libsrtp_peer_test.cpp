// libsrtp, another implementation of SRTP, opens what we encrypt, and we open what it encrypts: octet for octet.
#include "common/srtp/packet_opener.h"
#include "common/srtp/packet_sealer.h"
#include "common/srtp/session_keys.h"

#include <srtp2/srtp.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

using namespace lw;
using Bytes = std::vector<std::byte>;

namespace {

constexpr LocalTime now{std::chrono::hours{1}};
constexpr std::size_t growth_max = SRTP_MAX_TRAILER_LEN + SRTP_MAX_MKI_LEN;

MediaKey media_key(std::minstd_rand& random) {
  MediaKey key;
  for (auto& byte : key.bytes) byte = static_cast<unsigned char>(random());
  return key;
}

class Libsrtp {
public:
  Libsrtp(const MediaKey& key, const KeyId& id, srtp_ssrc_type_t direction) : id_(id) {
    static const bool started = srtp_init() == srtp_err_status_ok;
    REQUIRE(started);
    const auto derived = master_key_of(key, id);
    REQUIRE(derived);
    std::array<unsigned char, SRTP_AES_GCM_256_KEY_LEN_WSALT> secret{};
    std::ranges::copy(derived->key, secret.begin());
    std::ranges::copy(derived->salt, secret.begin() + derived->key.size());
    srtp_master_key_t master{secret.data(), id_.data(), static_cast<unsigned>(id_.size())};
    srtp_master_key_t* masters[] = {&master};
    srtp_policy_t policy{};
    srtp_crypto_policy_set_aes_gcm_256_16_auth(&policy.rtp);
    srtp_crypto_policy_set_aes_gcm_256_16_auth(&policy.rtcp);
    policy.ssrc.type = direction;
    policy.keys = masters;
    policy.num_master_keys = 1;
    policy.window_size = 8192;
    srtp_t context = nullptr;
    REQUIRE(srtp_create(&context, &policy) == srtp_err_status_ok);
    context_.reset(context);
  }

  Bytes seal(Bytes packet, bool rtcp) {
    int bytes = static_cast<int>(packet.size());
    packet.resize(packet.size() + growth_max);
    REQUIRE((rtcp ? srtp_protect_rtcp_mki(context_.get(), packet.data(), &bytes, 1, 0)
                  : srtp_protect_mki(context_.get(), packet.data(), &bytes, 1, 0)) == srtp_err_status_ok);
    packet.resize(static_cast<std::size_t>(bytes));
    return packet;
  }

  Bytes open(Bytes packet, bool rtcp) {
    int bytes = static_cast<int>(packet.size());
    REQUIRE((rtcp ? srtp_unprotect_rtcp_mki(context_.get(), packet.data(), &bytes, 1)
                  : srtp_unprotect_mki(context_.get(), packet.data(), &bytes, 1)) == srtp_err_status_ok);
    packet.resize(static_cast<std::size_t>(bytes));
    return packet;
  }

private:
  struct Free {
    void operator()(srtp_ctx_t_* context) const { srtp_dealloc(context); }
  };
  KeyId id_;
  std::unique_ptr<srtp_ctx_t_, Free> context_;
};

KeyId id_of(const Bytes& packet) {
  KeyId id;
  std::memcpy(id.data(), packet.data() + packet.size() - id.size(), id.size());
  return id;
}

Bytes random_octets(std::minstd_rand& random, std::size_t count) {
  Bytes bytes(count);
  for (auto& byte : bytes) byte = static_cast<std::byte>(random() >> 8U);
  return bytes;
}

void put16(Bytes& bytes, std::size_t at, std::size_t value) {
  bytes[at] = static_cast<std::byte>(value >> 8U);
  bytes[at + 1] = static_cast<std::byte>(value);
}

// Also with contributing sources, with a header extension, and without a payload.
struct Packet {
  Bytes bytes;
  std::size_t header_bytes = 12;
};
Packet media_packet(std::minstd_rand& random, std::uint16_t sequence, std::uint32_t ssrc) {
  const std::size_t sources = random() % 4 == 0 ? random() % 16 : 0;
  const bool extended = random() % 2 == 0;
  const std::size_t words = extended ? random() % 8 : 0;
  const std::size_t sizes[] = {0, 1, 15, 16, 17, random() % 100, random() % 1500, 1400, 8900};
  const auto payload = sizes[random() % std::size(sizes)];
  Packet packet;
  packet.header_bytes += 4 * sources + (extended ? 4 + 4 * words : 0);
  packet.bytes = random_octets(random, packet.header_bytes + payload);
  packet.bytes[0] = static_cast<std::byte>(0x80U | (extended ? 0x10U : 0U) | sources);
  put16(packet.bytes, 2, sequence);
  put16(packet.bytes, 8, ssrc >> 16U);
  put16(packet.bytes, 10, ssrc & 0xffffU);
  if (extended) put16(packet.bytes, 12 + 4 * sources + 2, words);
  return packet;
}

// A sender report and what may follow it.
Bytes compound(std::minstd_rand& random, std::uint32_t ssrc) {
  Bytes bytes = random_octets(random, 28 + 4 * (random() % 300));
  bytes[0] = std::byte{0x80};
  bytes[1] = std::byte{200};
  put16(bytes, 2, 6);
  put16(bytes, 4, ssrc >> 16U);
  put16(bytes, 6, ssrc & 0xffffU);
  return bytes;
}

// In up to three pieces, of which the first contains the header.
DatagramPieces in_pieces(std::minstd_rand& random, const Packet& packet) {
  const auto* data = packet.bytes.data();
  const auto payload = packet.bytes.size() - packet.header_bytes;
  const auto first = packet.header_bytes + random() % (payload + 1);
  const auto rest = packet.bytes.size() - first;
  const auto second = random() % (rest + 1);
  DatagramPieces pieces{{piece_of(data, first), piece_of(data + first, second), {}}, 2};
  if (second < rest) pieces.pieces[pieces.count++] = piece_of(data + first + second, rest - second);
  return pieces;
}

struct Peers {
  Peers(const MediaKey& key, const KeyId& id)
      : opening(key, id, ssrc_any_inbound), sealing(key, id, ssrc_any_outbound) {}
  Libsrtp opening, sealing;
};

Bytes sealed(PacketSealer& sealer, const DatagramPieces& packet) {
  const auto run = sealer.seal({&packet, 1});
  REQUIRE(run.size() == 1);
  REQUIRE(run[0].count == 1);
  const auto* data = static_cast<const std::byte*>(run[0].pieces[0].iov_base);
  return {data, data + run[0].pieces[0].iov_len};
}

}  // namespace

TEST_CASE("libsrtp opens our packets, and encrypts to the same octets") {
  const unsigned seed = GENERATE(range(1U, 9U));
  INFO(seed);
  std::minstd_rand random(seed);
  const auto key = media_key(random);
  const auto ssrc = static_cast<std::uint32_t>(random());
  PacketSealer sealer(key);
  std::unique_ptr<Peers> peers;  // of the first packet's key
  auto sequence = static_cast<std::uint16_t>(random() % 60'000);
  for (int i = 0; i < 300; ++i, sequence = static_cast<std::uint16_t>(sequence + 1 + random() % 18)) {
    const auto packet = media_packet(random, sequence, ssrc);
    const auto encrypted = sealed(sealer, in_pieces(random, packet));
    if (!peers) peers = std::make_unique<Peers>(key, id_of(encrypted));
    REQUIRE(peers->opening.open(encrypted, false) == packet.bytes);
    REQUIRE(peers->sealing.seal(packet.bytes, false) == encrypted);
  }
}

TEST_CASE("we open the packets of libsrtp, in any order") {
  const unsigned seed = GENERATE(range(1U, 9U));
  INFO(seed);
  std::minstd_rand random(seed);
  const auto key = media_key(random);
  KeyId id;
  for (auto& octet : id) octet = static_cast<unsigned char>(random());
  Libsrtp peer(key, id, ssrc_any_outbound);
  PacketOpener opener(key);
  // Two streams with one id.
  const std::uint32_t ssrcs[] = {static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random())};
  std::vector<std::pair<Bytes, Bytes>> packets;
  auto sequence = static_cast<std::uint16_t>(random() % 60'000);
  for (int i = 0; i < 300; ++i, sequence = static_cast<std::uint16_t>(sequence + 1 + random() % 10)) {
    for (const auto ssrc : ssrcs) {
      const auto packet = media_packet(random, sequence, ssrc);
      packets.emplace_back(packet.bytes, peer.seal(packet.bytes, false));
    }
  }
  std::shuffle(packets.begin(), packets.end(), random);
  for (const auto& [plain, encrypted] : packets) {
    auto bytes = encrypted;
    std::span<std::byte> span(bytes);
    REQUIRE(opener.open(span, now) == PacketOpener::Fate::done);
    REQUIRE(Bytes(span.begin(), span.end()) == plain);
    bytes = encrypted;
    span = bytes;
    REQUIRE(opener.open(span, now) == PacketOpener::Fate::repeated);
  }
}

TEST_CASE("reports agree with those of libsrtp") {
  const unsigned seed = GENERATE(range(1U, 5U));
  INFO(seed);
  std::minstd_rand random(seed);
  const auto key = media_key(random);
  const auto ssrc = static_cast<std::uint32_t>(random());
  PacketSealer sealer(key);
  PacketOpener opener(key);
  std::unique_ptr<Peers> peers;  // of the first packet's key
  for (int i = 0; i < 200; ++i) {
    const auto plain = compound(random, ssrc);
    const auto out = sealer.seal_rtcp(plain);
    const Bytes ours(out.begin(), out.end());
    REQUIRE(!ours.empty());
    if (!peers) peers = std::make_unique<Peers>(key, id_of(ours));
    REQUIRE(peers->opening.open(ours, true) == plain);
    auto theirs = peers->sealing.seal(plain, true);
    REQUIRE(theirs == ours);
    std::span<std::byte> span(theirs);
    REQUIRE(opener.open_rtcp(span, now) == PacketOpener::Fate::done);
    REQUIRE(Bytes(span.begin(), span.end()) == plain);
  }
}
