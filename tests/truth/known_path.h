// A path that is completely known: for each packet of a stream, whether it arrives, when, by which way and how often.
// Drawn from a seed before anything is sent; uses whole numbers only, so that all compilers give the same.
#pragma once

#include "common/base/units.h"
#include "common/fec/fec_groups.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lw::truth {

enum class Delays : std::uint8_t {
  constant,    // packets leave in bursts, and the kernel coalesces them
  queueing,    // 0 to 6 ms more, in order
  reordering,  // 0 to 6 ms more, independently for each packet
};

enum class Recovery : std::uint8_t { none, parity, resends };

struct KnownPath {
  std::string name = {};
  std::uint64_t seed = 0;
  unsigned frames = 400;
  unsigned loss_per_mille = 0;    // of each way
  unsigned loss_run = 1;          // mean number of packets lost together
  unsigned repeat_per_mille = 0;  // arrive twice
  unsigned drop_per_mille = 0;    // at the receiver's full socket
  unsigned late_per_mille = 0;    // arrive 150 ms later than the others
  Delays delays = Delays::constant;
  bool two_ways = false;
  Nanoseconds sender_late{0};   // frames leave up to this long after their media time
  bool intruders = false;       // others send to the flow's port
  Nanoseconds clock_offset{0};  // of the receiver's clock
  std::int64_t clock_drift_ppm = 0;
  Recovery recovery = Recovery::none;
  bool discards = false;  // the receiver is that of wall-probe which throws packets away

  // Bands are dropped by the receiver's clock, as in playback; else when their place is needed, as in measurements.
  [[nodiscard]] bool plays() const { return late_per_mille > 0 || recovery == Recovery::resends; }
  [[nodiscard]] FrameRate rate() const { return {plays() ? 25 : 50, 1}; }
  [[nodiscard]] unsigned burst() const { return delays == Delays::constant ? 7 : 1; }
  // The receiver's clock when the sender's shows `begin` + `passed`.
  [[nodiscard]] WallTime arrival_clock(WallTime begin, Nanoseconds passed) const {
    return begin + passed + clock_offset + passed * clock_drift_ppm / 1'000'000;
  }
};

inline constexpr FecStrength known_fec{10, 2};
// Paths lose nothing of the first frame and of this many packets at the end: all losses are then settled, and lie
// between a first and a last packet that arrived.
inline constexpr unsigned spared_packets = 1'200;

// A datagram that reaches the receiver's host.
struct Crossing {
  unsigned frame = 0;
  unsigned packet = 0;  // index in the frame in the order of sending; parity follows the frame's own packets
  unsigned way = 0;     // 0 or 1
  bool resent = false;
  bool dropped = false;  // at the full socket
  WallTime arrival{};    // by the receiver's clock
  Nanoseconds delay{0};  // by a clock without error
};

struct Flight {
  unsigned packets = 0;  // of a frame, without parity
  unsigned parity = 0;   // of a frame
  std::vector<WallTime> media_times;
  std::vector<WallTime> departures;  // of the frames' first packets
  std::vector<Crossing> crossings;   // in the order of arrival
};

// `begin`: the media time of the first frame.
Flight fly(const KnownPath& path, unsigned packets, unsigned parity, WallTime begin);

// All paths of the tables. Another seed means other losses and delays.
std::vector<KnownPath> known_paths(std::uint64_t seed);

}  // namespace lw::truth
