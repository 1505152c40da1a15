// The time in which the packets of a frame leave, and the playout delay that this needs. A frame whose last packet
// leaves too late for its presentation is never complete, so a frame is sent within
//
//   min(pace_fraction * frame interval, playout_delay - margin)
//
// after its media time, at any rates of the wall and the visualization. A frame of a visualization that is slower
// than the wall also leaves time to resend lost packets, as the wall's own frames do by default, but is not sent
// faster than those. The flow sender paces by it, the plan computes with it, and the wall file is checked against it.
// Pure.
#pragma once

#include "common/base/units.h"
#include "common/wall/wall_file.h"

#include <chrono>

namespace lw {

// For threads between a packet's time and its place in the band: each wakes up somewhat late, and a receiver that gets
// no packets looks for overdue bands only every 4 ms.
inline constexpr std::chrono::milliseconds wake_up_margin{4};
// How long before its presentation a packet must leave at the latest: receivers drop an incomplete band 6 ms before it,
// to have time to conceal missing rows.
inline constexpr std::chrono::milliseconds arrival_margin{wake_up_margin + std::chrono::milliseconds{6}};

// [sync] mode = "wall": how long before its presentation a frame is committed at the latest. The decision is repeated
// every few milliseconds; it has this time and a round trip to arrive.
inline constexpr std::chrono::milliseconds commit_before{8};
// The time in which the server learns that all tiles hold the frame: one report may be lost and is repeated after 8 ms,
// and the server checks every 2 ms.
inline constexpr std::chrono::milliseconds commit_report{8 + 2};

// The assumed time for an exchange with a node until it is measured: a lost packet is requested and resent, or a frame
// is reported and committed.
inline constexpr std::chrono::milliseconds assumed_round_trip{30};
// A busy host delays its threads, disks and cards equally long at 60 frame/s and at 25: no default delay is shorter,
// even if a short frame interval would allow that.
inline constexpr std::chrono::milliseconds default_delay_least{80};

// How long before its presentation the last packet of a frame must have left.
constexpr std::chrono::milliseconds send_margin(SyncMode mode) {
  return mode == SyncMode::tile ? arrival_margin : wake_up_margin + commit_report + commit_before;
}

// The delay of a wall file that does not set one. A packet lost at the end of a frame is missed when the next frame
// begins; this leaves time for an exchange with the server, and the margin.
std::chrono::milliseconds default_playout_delay(FrameRate rate, SyncMode mode);

class SendWindow {
public:
  // Uses the least delay if the delay is adapted: a longer window would make frames take longer, which would increase
  // the delay further.
  explicit SendWindow(const Wall& wall);

  // For a frame with this interval to the next; 0 if packets are not paced.
  [[nodiscard]] Nanoseconds of(Nanoseconds interval) const;
  // The window by pace_fraction alone.
  [[nodiscard]] Nanoseconds asked(Nanoseconds interval) const;
  // The maximum time to send a frame at any rate: the delay without its margin.
  [[nodiscard]] Nanoseconds limit() const { return limit_; }
  // How much faster packets leave while a frame is sent than pace_fraction asks for; 1 if the window is not shortened.
  [[nodiscard]] double haste(Nanoseconds interval) const;

private:
  double fraction_;
  Nanoseconds limit_;
  Nanoseconds longest_;  // window
};

// The delay that leaves the time given by pace_fraction for this interval.
std::chrono::milliseconds delay_for_whole_window(const Wall& wall, Nanoseconds interval);
// The least delay that a wall file may set. A frame is sent at most ten times as fast as it is shown, as with the least
// pace_fraction.
std::chrono::milliseconds least_playout_delay(const Wall& wall);

}  // namespace lw
