#include "probe/loads/layer_rates.h"

#include "common/wire/layer_bytes.h"
#include "common/wire/media_packet.h"

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr unsigned rgb8_bytes = 3;

// All fragments except the last hold a multiple of 8 bytes (RFC 791, RFC 8200 section 4.5).
std::size_t fragments_of(std::size_t udp_payload, const PathLayers& path) {
  const auto carried = wire::udp_header_bytes + udp_payload;
  const auto header = wire::ip_header_bytes(path.ipv6);
  if (!path.mtu || header + carried <= *path.mtu) return 1;
  const auto around = header + (path.ipv6 ? wire::ipv6_fragment_bytes : 0);
  if (*path.mtu < around + 8) return 1;  // too small for IP
  const auto each = (*path.mtu - around) / 8 * 8;
  return (carried + each - 1) / each;
}

}  // namespace

double FrameBytes::of(RateLayer layer) const {
  switch (layer) {
    case RateLayer::media:
      return media;
    case RateLayer::udp:
      return udp;
    case RateLayer::ip:
      return ip;
    case RateLayer::ethernet:
      return ethernet;
  }
  return 0;
}

Result<FrameBytes> frame_bytes_of(const LoadSpec& load, const PathLayers& path) {
  const auto templates = PacketTemplates::lay_out(PixelFormat::rgb8, load.width, load.rows, {load.datagram_bytes}, 0);
  if (!templates) return templates.error();
  FrameBytes frame;
  const auto ip_header = wire::ip_header_bytes(path.ipv6);
  for (const auto& packet : templates->packets()) {
    const auto fragments = fragments_of(packet.bytes(), path);
    const auto fragment_headers = path.ipv6 && fragments > 1 ? fragments * wire::ipv6_fragment_bytes : 0;
    const auto headers = wire::udp_header_bytes + fragments * ip_header + fragment_headers;
    frame.packets += 1;
    frame.media += packet.pixel_bytes;
    frame.udp += static_cast<double>(packet.bytes());
    frame.ip += static_cast<double>(packet.bytes() + headers);
    frame.ethernet += static_cast<double>(packet.bytes() + headers + fragments * wire::ethernet_bytes);
  }
  return frame;
}

void shape_frames(LoadSpec& load, double media_bytes) {
  const double pixels = std::max(media_bytes / rgb8_bytes, 2.0);
  load.rows = static_cast<unsigned>(std::ceil(pixels / row_pixels_max));
  load.width = std::max(2 * static_cast<unsigned>(std::lround(pixels / load.rows / 2)), 2U);
  load.frame_bytes = std::size_t{rgb8_bytes} * load.width * load.rows;
}

Result<void> shape_for_rate(LoadSpec& load) {
  const PathLayers path{.ipv6 = load.to.find(':') != std::string::npos, .mtu = {}};
  const double wanted = load.gbit_per_s * 1e9 / 8 / load.frame_rate / load.flows;
  double media = wanted;
  for (int i = 0; i < 8; ++i) {
    shape_frames(load, media);
    const auto frame = frame_bytes_of(load, path);
    if (!frame) return frame.error();
    media *= wanted / frame->of(load.rate_of);
  }
  return {};
}

}  // namespace lw
