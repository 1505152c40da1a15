#include "common/srtp/packet_opener.h"

#include <algorithm>
#include <cstring>

namespace lw {
namespace {

constexpr std::size_t header_bytes = 8;  // of RTP 12, of RTCP 8; libsrtp checks the rest
constexpr std::size_t least_bytes = header_bytes + SrtpContext::tag_bytes + SrtpContext::id_bytes;

}  // namespace

PacketOpener::Fate PacketOpener::open(SrtpContext::Kind kind, std::span<std::byte>& packet, LocalTime now) {
  if (packet.size() < least_bytes) return Fate::refused;
  SrtpContext::Id id;
  std::memcpy(id.data(), packet.last(id.size()).data(), id.size());
  const auto known = std::ranges::find_if(known_, [&](const Known& one) { return one.context && one.id == id; });
  if (known != known_.end()) {
    const auto fate = known->context->open(kind, packet);
    if (fate == Fate::done) known->used = ++uses_;
    return fate;
  }
  if (!limit_.take(now)) return Fate::refused;
  auto context = SrtpContext::create(key_, id, SrtpContext::Direction::opening);
  if (!context) return Fate::refused;
  const auto fate = context->open(kind, packet);
  if (fate == Fate::done) *std::ranges::min_element(known_, {}, &Known::used) = {id, std::move(context), ++uses_};
  return fate;
}

}  // namespace lw
