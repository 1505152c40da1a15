// The virtual receive buffer of SMPTE ST 2110-21 (section 6.6.2): a receiver that takes packet i of frame j at TVD + j
// * TFRAME + i * TRS. VRX is the maximum number of packets waiting in it.
//
// The standard defines TVD by the sender's PTP clock. A capture uses another clock, with unknown offset and rate. The
// schedule is therefore aligned again in each second of the stream, with the clock rate (within 200 ppm, since each of
// two clocks may be off by 100) that minimizes the variation, and with the smallest offset at which no packet is late.
// VRX is what the stream needs with any such TROFFSET. Changes that take longer than a second are due to the clocks,
// not to the sender's spacing. Pure.
#pragma once

#include "common/base/units.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace lw {

struct PacketArrival {
  WallTime time{};
  std::int64_t frame = 0;  // counted by the stream's frame period, including lost frames
  std::size_t packet = 0;  // within the frame, from 0
};

enum class ReadSchedule : std::uint8_t {
  gapped,  // pauses for the vertical blanking of SDI, section 6.3
  linear,  // over the entire frame, section 6.4
};
// RACTIVE, the share of a frame in which packets are taken: for progressive images (section 6.3.2), and for interlaced
// images of 1080 lines, where a field (all packets with one RTP timestamp) counts as a frame.
constexpr double active_share(ReadSchedule schedule) { return schedule == ReadSchedule::gapped ? 1080.0 / 1125 : 1; }

// In packets; 0 without arrivals. `arrivals` may be in any order.
double vrx_max(ReadSchedule schedule, std::size_t packets_per_frame, double frame_interval_s,
               std::span<const PacketArrival> arrivals);

}  // namespace lw
