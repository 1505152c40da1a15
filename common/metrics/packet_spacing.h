// How evenly a video flow's packets come, by the two models of SMPTE ST 2110-21. Network compatibility: a leaky bucket
// that drains a tenth faster than the mean packet rate, whose peak fill is Cinst. Virtual receive buffer: a receiver
// that takes a packet every TRS from the frame's reading time on; VRX is how many packets wait for it at most.
//
// Formulas as the EBU's LIST project implements them (pi-list, cpp/libs/st2110, d21); the bucket is never reset between
// frames. The reading time's offset (TROFF) is not taken from a default but is the smallest with which the buffer never
// runs empty, so VRX is what the flow needs, whatever the offset of the two clocks.
#pragma once

#include "common/base/units.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace lw {

struct PacketArrival {
  WallTime time{};
  std::uint32_t frame = 0;  // in the order of the stream, from 0
  std::size_t packet = 0;   // of the frame, from 0
};

struct SpacingModel {
  std::size_t packets_per_frame = 0;
  Nanoseconds frame_interval{0};
  double active = 1;  // RACTIVE, share of the interval that packets fill: 1 linear, 1080/1125 gapped
};

struct SpacingLimits {
  double cinst = 0;
  double vrx = 0;
};
// Of a narrow sender (type N, or NL where active is 1) and of a wide one (type W). MAXIP is 1500, as tools take it.
SpacingLimits narrow_limits(const SpacingModel& model);
SpacingLimits wide_limits(const SpacingModel& model);

struct Spacing {
  double cinst_max = 0;
  double vrx_max = 0;
};
// Of packets in the order of their arrival.
Spacing packet_spacing(const SpacingModel& model, std::span<const PacketArrival> arrivals);

}  // namespace lw
