// The SDP of a flow (RFC 8866, RFC 4175 section 6, ST 2110-20 section 7; to a group of source-specific multicast also
// RFC 4570), with which any RTP receiver can show the flow as a video stream. Flows of compressed blocks are described
// in the same way, as a format of our own (docs/protocol.md).
#pragma once

#include "common/base/units.h"
#include "common/pixel/colour.h"
#include "common/pixel/pixel_format.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lw {

struct FlowDescription {
  std::string session_name;
  std::string source_address;
  std::string destination_address;
  std::optional<unsigned> group_ttl = {};  // the destination is a group of source-specific multicast
  std::uint16_t port = 0;
  PixelFormat format = PixelFormat::rgb8;
  Colour colour;
  unsigned width = 0;
  unsigned height = 0;  // of the band
  FrameRate frame_rate;
  bool extended_packets = false;  // UDP payloads above ST 2110-10's standard limit of 1460 bytes
  unsigned udp_payload_bytes = 0;
  bool sealed = false;  // SRTP; its key is not included
};

std::string to_sdp(const FlowDescription& flow);

// Of a stream of sound (RFC 3190, AES67, ST 2110-30 section 6).
struct SoundDescription {
  std::string session_name;
  std::string source_address;
  std::string destination_address;
  std::uint16_t port = 0;
  unsigned channels = 0;
  bool sealed = false;
};
std::string to_sdp(const SoundDescription& sound);

}  // namespace lw
