// How evenly a video flow's packets arrive, and which sender types of SMPTE ST 2110-21 (2022) they conform to. The
// network compatibility model (section 6.6.1) is a leaky bucket that drains a tenth faster than the mean packet rate;
// Cinst is its fill level. virtual_receive_buffer.h has the other model, which yields VRX. Pure.
//
// Cinst and all limits are computed as in the EBU's LIST project (pi-list, cpp/libs/st2110, d21): the bucket is empty
// after the first packet, is never reset, and drains at the same rate for both schedules.
#pragma once

#include "common/metrics/virtual_receive_buffer.h"
#include "common/wire/layer_bytes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace lw {

struct SpacingModel {
  std::size_t packets_per_frame = 0;  // NPACKETS
  double frame_interval_s = 0;        // TFRAME
  // MAXIP (MAXUDP in the 2022 edition): that of standard datagrams, or the largest IP packet if that is larger.
  std::size_t maxip_bytes = 1500;
  // Adds the headers of IP (without options) and UDP.
  void include_datagram(std::size_t udp_payload_bytes, bool ipv6) {
    maxip_bytes = std::max(maxip_bytes, udp_payload_bytes + wire::udp_header_bytes + wire::ip_header_bytes(ipv6));
  }
};

struct Spacing {
  double cinst_max = 0;  // in packets, as are the next two
  double vrx_max_gapped = 0;
  double vrx_max_linear = 0;
};
// `arrivals`: in order of arrival.
Spacing packet_spacing(const SpacingModel& model, std::span<const PacketArrival> arrivals);

// Section 7.1.
enum class SenderType : std::uint8_t {
  narrow,         // N: narrow limits, gapped schedule
  narrow_linear,  // NL: narrow limits, linear schedule
  wide,           // W: wide limits, linear schedule
  none,
};
std::string_view name_of(SenderType type);

struct SpacingLimits {
  double cinst = 0;  // CMAX, packets
  double vrx = 0;    // VRXFULL, packets
};
// The limits of a type other than none.
SpacingLimits limits_of(SenderType type, const SpacingModel& model);
bool conforms(const Spacing& spacing, SenderType type, const SpacingModel& model);
// The strictest type to which the packets conform. If both narrow types apply, the one whose schedule they follow more
// closely.
SenderType sender_type(const Spacing& spacing, const SpacingModel& model);

}  // namespace lw
