#include "common/srtp/srtp_context.h"

#include "common/wire/media_packet.h"

#include <boost/endian/conversion.hpp>

#include <cstring>
#include <optional>
#include <utility>

namespace lw {
namespace {

constexpr std::size_t rtcp_header_bytes = 8;
constexpr std::uint32_t encrypted_flag = 0x80000000;  // E, before the index of an RTCP compound
constexpr std::uint32_t rtcp_index_max = 0x7fffffff;
constexpr std::uint64_t first_rtcp_index = 1;

constexpr std::size_t media_sequence_at = 2;  // in the RTP header

std::uint32_t load32(const std::byte* octets) {
  return boost::endian::load_big_u32(reinterpret_cast<const unsigned char*>(octets));
}

std::uint16_t load16(const std::byte* octets) {
  return boost::endian::load_big_u16(reinterpret_cast<const unsigned char*>(octets));
}

// Octets of the RTP header with its extension; empty if the packet does not contain them.
std::optional<std::size_t> header_bytes_of(std::span<const std::byte> packet) {
  constexpr std::size_t extension_head = 4;
  if (packet.size() < sizeof(wire::RtpHeader)) return std::nullopt;
  const auto first = static_cast<unsigned>(packet[0]);
  std::size_t bytes = sizeof(wire::RtpHeader) + std::size_t{4} * (first & 0x0fU);
  if ((first & 0x10U) != 0) {
    if (packet.size() < bytes + extension_head) return std::nullopt;
    bytes += extension_head + std::size_t{4} * load16(&packet[bytes + 2]);
  }
  if (packet.size() < bytes) return std::nullopt;
  return bytes;
}

SrtpContext::Fate fate_of(ReplayWindow::Verdict verdict) {
  switch (verdict) {
    case ReplayWindow::Verdict::fresh:
      return SrtpContext::Fate::done;
    case ReplayWindow::Verdict::repeated:
      return SrtpContext::Fate::repeated;
    case ReplayWindow::Verdict::too_old:
      return SrtpContext::Fate::too_old;
  }
  return SrtpContext::Fate::refused;
}

}  // namespace

SrtpContext::Half::Half(GcmCipher&& own, const SessionKey& key, std::uint64_t first)
    : cipher(std::move(own)),
      salt_begin(boost::endian::load_big_u64(key.salt.data())),
      salt_end(boost::endian::load_big_u32(key.salt.data() + sizeof(salt_begin))),
      next(first) {}

// The salt, changed by SSRC and number (RFC 7714 sections 8.1 and 9.1).
GcmCipher::Iv SrtpContext::Half::iv_of(const std::byte* ssrc, std::uint32_t number) const {
  GcmCipher::Iv iv;
  boost::endian::store_big_u64(iv.data(), salt_begin ^ std::uint64_t{load32(ssrc)} << 16U);
  boost::endian::store_big_u32(iv.data() + sizeof(salt_begin), salt_end ^ number);
  return iv;
}

SrtpContext::SrtpContext(Half&& media, Half&& rtcp, const Id& id)
    : media_(std::move(media)), rtcp_(std::move(rtcp)), id_(id) {}

std::unique_ptr<SrtpContext> SrtpContext::create(const MediaKey& key, const Id& id, Direction direction) {
  const auto master = master_key_of(key, id);
  if (!master) return nullptr;
  const auto keys = session_keys_of(*master);
  return keys ? create(*keys, id, direction) : nullptr;
}

std::unique_ptr<SrtpContext> SrtpContext::create(const SessionKeys& keys, const Id& id, Direction direction) {
  auto media = GcmCipher::create(keys.media.key, direction);
  auto rtcp = GcmCipher::create(keys.rtcp.key, direction);
  if (!media || !rtcp) return nullptr;
  return std::unique_ptr<SrtpContext>(
      new SrtpContext(Half(std::move(*media), keys.media, 0), Half(std::move(*rtcp), keys.rtcp, first_rtcp_index), id));
}

std::size_t SrtpContext::seal(std::span<const iovec> packet, std::byte* to) {
  const std::span head(static_cast<const std::byte*>(packet.front().iov_base), packet.front().iov_len);
  const auto header_bytes = header_bytes_of(head);
  if (!header_bytes) return 0;
  const auto sequence = load16(head.data() + media_sequence_at);
  if (sequence < media_.next) return 0;
  media_.next = sequence + std::uint64_t{1};

  auto& cipher = media_.cipher;
  std::memcpy(to, head.data(), *header_bytes);
  bool done = cipher.begin_sealing(media_.iv_of(head.data() + ssrc_at(Kind::media), sequence)) &&
              cipher.authenticate(head.first(*header_bytes));
  std::size_t bytes = *header_bytes;
  auto text = head.subspan(bytes);
  for (std::size_t piece = 0; done;) {
    done = text.empty() || cipher.cipher(text, to + bytes);
    bytes += text.size();
    if (++piece == packet.size()) break;
    text = {static_cast<const std::byte*>(packet[piece].iov_base), packet[piece].iov_len};
  }
  if (!done || !cipher.finish_sealing(to + bytes)) return 0;
  bytes += tag_bytes;
  std::memcpy(to + bytes, id_.data(), id_.size());
  return bytes + id_.size();
}

std::size_t SrtpContext::seal_rtcp(std::span<const std::byte> compound, std::byte* to) {
  if (compound.size() < rtcp_header_bytes || rtcp_.next > rtcp_index_max) return 0;
  const auto index = static_cast<std::uint32_t>(rtcp_.next++);
  const auto header = compound.first(rtcp_header_bytes);
  const auto text = compound.subspan(rtcp_header_bytes);
  const std::span index_octets(to + compound.size() + tag_bytes, rtcp_index_bytes);
  boost::endian::store_big_u32(reinterpret_cast<unsigned char*>(index_octets.data()), encrypted_flag | index);

  auto& cipher = rtcp_.cipher;
  std::memcpy(to, header.data(), header.size());
  if (!cipher.begin_sealing(rtcp_.iv_of(header.data() + ssrc_at(Kind::rtcp), index)) || !cipher.authenticate(header) ||
      !cipher.authenticate(index_octets) || !(text.empty() || cipher.cipher(text, to + header.size())) ||
      !cipher.finish_sealing(to + compound.size()))
    return 0;
  std::memcpy(index_octets.data() + rtcp_index_bytes, id_.data(), id_.size());
  return compound.size() + tag_bytes + rtcp_index_bytes + id_.size();
}

SrtpContext::Fate SrtpContext::open(Kind kind, std::span<std::byte>& packet) {
  std::size_t bytes = 0;
  const auto fate = kind == Kind::media ? open_media(packet, bytes) : open_rtcp(packet, bytes);
  if (fate == Fate::done) packet = packet.first(bytes);
  return fate;
}

SrtpContext::Fate SrtpContext::open_media(std::span<std::byte> packet, std::size_t& bytes) {
  const auto header_bytes = header_bytes_of(packet);
  if (!header_bytes || packet.size() < *header_bytes + tag_bytes + id_bytes) return Fate::refused;
  const auto sequence = load16(packet.data() + media_sequence_at);
  if (const auto fate = fate_of(media_.accepted.look(sequence)); fate != Fate::done) return fate;

  auto& cipher = media_.cipher;
  bytes = packet.size() - tag_bytes - id_bytes;
  const auto text = packet.first(bytes).subspan(*header_bytes);
  if (!cipher.begin_opening(media_.iv_of(packet.data() + ssrc_at(Kind::media), sequence), packet.data() + bytes) ||
      !cipher.authenticate(packet.first(*header_bytes)) || !(text.empty() || cipher.cipher(text, text.data())) ||
      !cipher.finish_opening())
    return Fate::refused;
  media_.accepted.take(sequence);
  return Fate::done;
}

SrtpContext::Fate SrtpContext::open_rtcp(std::span<std::byte> packet, std::size_t& bytes) {
  if (packet.size() < rtcp_header_bytes + tag_bytes + rtcp_index_bytes + id_bytes) return Fate::refused;
  bytes = packet.size() - tag_bytes - rtcp_index_bytes - id_bytes;
  const auto index_octets = packet.subspan(bytes + tag_bytes, rtcp_index_bytes);
  const auto flag_and_index = load32(index_octets.data());
  if ((flag_and_index & encrypted_flag) == 0) return Fate::refused;
  const auto index = flag_and_index & rtcp_index_max;
  if (const auto fate = fate_of(rtcp_.accepted.look(index)); fate != Fate::done) return fate;

  auto& cipher = rtcp_.cipher;
  const auto text = packet.first(bytes).subspan(rtcp_header_bytes);
  if (!cipher.begin_opening(rtcp_.iv_of(packet.data() + ssrc_at(Kind::rtcp), index), packet.data() + bytes) ||
      !cipher.authenticate(packet.first(rtcp_header_bytes)) || !cipher.authenticate(index_octets) ||
      !(text.empty() || cipher.cipher(text, text.data())) || !cipher.finish_opening())
    return Fate::refused;
  rtcp_.accepted.take(index);
  return Fate::done;
}

}  // namespace lw
