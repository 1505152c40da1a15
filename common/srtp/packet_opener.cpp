#include "common/srtp/packet_opener.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace lw {
namespace {

constexpr std::size_t header_bytes = 8;  // of RTP 12, of RTCP 8; the context checks the rest
constexpr std::size_t least_bytes = header_bytes + SrtpContext::tag_bytes + SrtpContext::id_bytes;

// In the packet's byte order, because it is only compared.
std::uint32_t ssrc_of(SrtpContext::Kind kind, std::span<const std::byte> packet) {
  std::uint32_t ssrc = 0;
  std::memcpy(&ssrc, packet.data() + SrtpContext::ssrc_at(kind), sizeof(ssrc));
  return ssrc;
}

}  // namespace

PacketOpener::Known* PacketOpener::find(const SrtpContext::Id& id, std::uint32_t ssrc) {
  const auto is_it = [&](const Known& one) { return one.context && one.id == id && one.ssrc == ssrc; };
  if (is_it(known_[latest_])) return &known_[latest_];
  const auto known = std::ranges::find_if(known_, is_it);
  return known == known_.end() ? nullptr : &*known;
}

PacketOpener::Fate PacketOpener::open(SrtpContext::Kind kind, std::span<std::byte>& packet, LocalTime now) {
  if (packet.size() < least_bytes) return Fate::refused;
  SrtpContext::Id id;
  std::memcpy(id.data(), packet.last(id.size()).data(), id.size());
  const auto ssrc = ssrc_of(kind, packet);
  auto* known = find(id, ssrc);
  std::unique_ptr<SrtpContext> made;
  if (known == nullptr) {
    if (!limit_.take(now)) return Fate::refused;
    made = SrtpContext::create(key_, id, SrtpContext::Direction::opening);
    if (!made) return Fate::refused;
  }
  const auto fate = (made ? *made : *known->context).open(kind, packet);
  if (fate != Fate::done) return fate;
  if (made) {
    known = &*std::ranges::min_element(known_, {}, &Known::used);
    *known = {id, ssrc, std::move(made)};
  }
  known->used = ++uses_;
  latest_ = static_cast<std::size_t>(known - known_.data());
  return fate;
}

}  // namespace lw
