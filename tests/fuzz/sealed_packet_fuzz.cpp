// Every datagram is either refused or is a packet that was encrypted with the key. The input is one of our packets,
// unchanged or with octets changed, or arbitrary data.
#include "common/srtp/packet_opener.h"
#include "common/srtp/packet_sealer.h"

#include <cstdlib>
#include <cstring>
#include <vector>

// The first octet chooses: changes to an encrypted packet (place, value, ...), or an entire datagram.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static lw::PacketSealer sealer(lw::MediaKey{});
  static std::uint16_t sequence = 0;
  static lw::LocalTime now{std::chrono::hours{1}};
  static lw::PacketOpener opener(lw::MediaKey{});
  now += std::chrono::milliseconds{4};
  std::vector<std::byte> plain(60, std::byte{5});
  const unsigned char head[] = {0x80, 96};
  std::memcpy(plain.data(), head, sizeof(head));
  ++sequence;
  plain[2] = static_cast<std::byte>(sequence >> 8U);
  plain[3] = static_cast<std::byte>(sequence);
  const lw::DatagramPieces run[] = {{{lw::piece_of(plain.data(), plain.size()), {}, {}}, 1}};
  const auto sealed = sealer.seal(run);
  if (sealed.size() != 1) std::abort();
  const auto* wire = static_cast<const std::byte*>(sealed[0].pieces[0].iov_base);
  const std::vector<std::byte> good(wire, wire + sealed[0].pieces[0].iov_len);

  std::vector<std::byte> bytes = good;
  if (data[0] % 2 == 0)
    for (std::size_t i = 1; i + 1 < size; i += 2) bytes[data[i] % bytes.size()] ^= static_cast<std::byte>(data[i + 1]);
  else
    bytes.assign(reinterpret_cast<const std::byte*>(data + 1), reinterpret_cast<const std::byte*>(data + size));
  std::span<std::byte> packet(bytes);
  const bool rtcp = data[0] % 4 > 1;
  const auto fate = rtcp ? opener.open_rtcp(packet, now) : opener.open(packet, now);
  if (fate != lw::PacketOpener::Fate::done) return 0;
  if (rtcp || packet.size() != plain.size() || std::memcmp(packet.data(), plain.data(), plain.size()) != 0)
    std::abort();
  return 0;
}
