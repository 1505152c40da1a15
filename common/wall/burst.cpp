#include "common/wall/burst.h"

#include "common/wire/packet_slots.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace lw {
namespace {

constexpr std::chrono::microseconds burst_time{50};
constexpr double packets_least = 7;
constexpr double packets_most = 64;  // of a segmented send

// Otherwise each block would end with a short burst: 34 and 12 packets instead of 46.
double equal_in_blocks(double packets, bool may_grow, std::size_t per_block) {
  const auto block = static_cast<double>(per_block);
  const double bursts = may_grow ? std::max(1.0, std::round(block / packets)) : std::ceil(block / packets);
  return std::ceil(block / bursts);
}

}  // namespace

unsigned burst_packets(const Wall& wall, const Band& band) {
  const auto& streaming = wall.streaming;
  if (streaming.burst_packets > 0) return streaming.burst_packets;
  const auto packet_bytes = static_cast<double>(media_datagram_max(wall, band.tile));
  const double seconds = std::chrono::duration<double>(burst_time).count();
  const double paced = band_rate_max(wall, band).bits_per_second / 8 * seconds / packet_bytes;
  double packets = std::max(packets_least, paced);
  if (streaming.switch_buffer_kib > 0) {
    const auto flows = static_cast<double>(wall.node_of(band.tile).tiles.size() * streaming.flows_per_tile);
    packets = std::min(packets, 1024.0 * streaming.switch_buffer_kib / flows / packet_bytes);
  }
  packets = std::floor(std::clamp(packets, 1.0, packets_most));
  const auto slots = PacketSlots::of(PixelFormat::rgb8, wall.tile(band.tile).place.width, band.rows,
                                     packet_cut(wall, band.tile).slot_bytes());
  if (slots) packets = equal_in_blocks(packets, streaming.switch_buffer_kib == 0, slots->slots_per_block());
  return static_cast<unsigned>(packets);
}

}  // namespace lw
