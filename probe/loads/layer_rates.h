// Converts rates between layers: pixels, the UDP payload that carries them, IP packets, and their size on an Ethernet
// link. The ratios depend on how a load's packets are laid out. Pure.
#pragma once

#include "common/base/result.h"
#include "probe/loads/load.h"

#include <optional>

namespace lw {

inline constexpr unsigned row_pixels_max = 1920;  // of frames that nobody displays

// Sizes for one frame of a flow.
struct FrameBytes {
  double packets = 0;
  double media = 0;     // pixels
  double udp = 0;       // UDP payload: RTP and RFC 4175 headers, pixels, padding
  double ip = 0;        // with UDP and IP headers
  double ethernet = 0;  // with Ethernet's header, checksum, preamble and gap

  [[nodiscard]] double of(RateLayer layer) const;
};

// How the packets of a flow travel.
struct PathLayers {
  bool ipv6 = false;
  std::optional<unsigned> mtu;  // larger packets are fragmented; empty: unlimited
};

// For a load with frames from memory, whose shape is known.
Result<FrameBytes> frame_bytes_of(const LoadSpec& load, const PathLayers& path);

// Shapes the frames of a load from memory so that each has this many bytes of pixels, within a pixel per row: in as few
// rows as possible, all with the same even number of pixels.
void shape_frames(LoadSpec& load, double media_bytes);
// Shapes them so that all flows of the load together have its rate at its layer, within a pixel per row and the headers
// of a packet.
Result<void> shape_for_rate(LoadSpec& load);

}  // namespace lw
