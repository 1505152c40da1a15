// The virtual receive buffer of SMPTE ST 2110-21 (section 6.6.2): a receiver that takes packet i of frame j at
// TVD + j * TFRAME + i * TRS. VRX is how many packets wait for it at most.
//
// The standard places TVD by the sender's PTP clock. A capture's clock is another one: how far it is off, and how much
// faster or slower it runs, is not known. The schedule is therefore anchored anew in each second of the stream, with
// the clock rate (within 200 ppm, since each of two clocks may be off by 100) that leaves the least variation, and with
// the smallest offset at which no packet comes after its time. VRX is what the stream needs with any such TROFFSET.
// Changes that take longer than a second are the clocks' wander, not the sender's spacing. Pure.
#pragma once

#include "common/base/units.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace lw {

struct PacketArrival {
  WallTime time{};
  std::int64_t frame = 0;  // counted by the stream's frame period; lost frames also have a number
  std::size_t packet = 0;  // of the frame, from 0
};

enum class ReadSchedule : std::uint8_t {
  gapped,  // pauses for the vertical blanking of SDI, section 6.3
  linear,  // over the entire frame, section 6.4
};
// RACTIVE, the share of a frame in which packets are taken: of progressive images (section 6.3.2), and of interlaced
// ones of 1080 lines, where what has one RTP timestamp, a field, counts as a frame.
constexpr double active_share(ReadSchedule schedule) { return schedule == ReadSchedule::gapped ? 1080.0 / 1125 : 1; }

// In packets. `arrivals` in any order; none: 0.
double vrx_max(ReadSchedule schedule, std::size_t packets_per_frame, double frame_interval_s,
               std::span<const PacketArrival> arrivals);

}  // namespace lw
