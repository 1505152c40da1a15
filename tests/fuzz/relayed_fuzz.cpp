// What a relay does with any datagram of a server or of a node: a resend is the original, whatever the original is, and
// a compound without its requests is still a compound that requests what the relay does not have.
#include "common/wire/relayed.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

bool same_frame_part(const lw::MediaPacket& a, const lw::MediaPacket& b) {
  return a.sequence == b.sequence && a.sequence_upper == b.sequence_upper && a.timestamp == b.timestamp &&
         a.marker == b.marker && a.payload_type == b.payload_type && a.stamp == b.stamp &&
         std::ranges::equal(a.pixels, b.pixels);
}

void relay_media(std::span<const std::byte> datagram) {
  lw::MediaPacket packet;
  if (!lw::parse_media_packet(datagram, packet).empty() || !lw::has_our_layout(datagram)) return;
  std::vector<std::byte> again(datagram.begin(), datagram.end());
  if (packet.resent) {
    lw::MediaPacket own;
    require(lw::parse_media_packet(again, own).empty());
    lw::move_resend(again, own, 1, 2);
  } else {
    // Only what a frame of ours can be is a format that a resend can name.
    again.resize(datagram.size() + lw::wire::resend_bytes);
    require(lw::write_resend(datagram, packet, 1, 2, again) == again.size());
  }
  lw::MediaPacket resent;
  if (!lw::parse_media_packet(again, resent).empty() || !resent.resent) return;  // of an unknown payload type
  require(same_frame_part(packet, resent) && resent.ssrc == 1 && resent.resend_sequence == 2);
}

void relay_control(std::span<const std::byte> datagram) {
  lw::RtcpContents contents;
  constexpr std::uint32_t about = 0x01020304;
  if (!lw::parse_rtcp(datagram, about, contents).empty()) return;
  std::vector<std::int64_t> requested;
  lw::for_each_missing(contents, [&](std::uint32_t sequence) {
    if (sequence % 3 != 0 && requested.size() < 512) requested.push_back(sequence);
  });
  std::ranges::sort(requested);
  requested.erase(std::unique(requested.begin(), requested.end()), requested.end());
  std::array<std::byte, lw::rtcp_bytes_max> changed{};
  const auto bytes = lw::replace_nacks(datagram, 7, about, requested, changed);
  if (bytes == 0) return;
  lw::RtcpContents rest;
  require(lw::parse_rtcp(std::span(changed).first(bytes), about, rest).empty());
  require(contents.receiver.has_value() == rest.receiver.has_value());
  std::vector<std::int64_t> still;
  lw::for_each_missing(rest, [&](std::uint32_t sequence) { still.push_back(sequence); });
  std::ranges::sort(still);
  require(still.size() <= requested.size() && std::ranges::includes(requested, still));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span datagram{reinterpret_cast<const std::byte*>(data), size};
  relay_media(datagram);
  relay_control(datagram);
  return 0;
}
