#include "common/wall/burst.h"

#include <algorithm>
#include <chrono>

namespace lw {
namespace {

constexpr std::chrono::microseconds burst_time{50};
constexpr double packets_least = 7;
constexpr double packets_most = 64;  // of a segmented send

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
  return static_cast<unsigned>(std::clamp(packets, 1.0, packets_most));
}

}  // namespace lw
