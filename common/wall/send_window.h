// In what time the packets of a frame leave, and what playout delay that asks for. A frame of which the last packet
// leaves too late for its presentation is never complete, so a frame is sent within
//
//   min(pace_fraction * frame interval, playout_delay - margin)
//
// after its media time, whatever the rates of the wall and of the visualization are. One of a slower visualization than
// the wall leaves time for a lost packet to be sent again, too, as the wall's own frames do by default, but is not sent
// faster than these. The flow sender paces by it, the plan counts with it, and the wall file is checked against it.
// Pure.
#pragma once

#include "common/base/units.h"
#include "common/wall/wall_file.h"

#include <chrono>

namespace lw {

// Of the threads between a packet's time and its place in the band: each wakes up somewhat late, and a receiver that
// hears nothing looks for overdue bands only every 4 ms.
inline constexpr std::chrono::milliseconds wake_up_margin{4};
// How long before its presentation a packet must leave, at the latest: receivers drop an incomplete band
// 6 ms before it, so that they can conceal missing rows.
inline constexpr std::chrono::milliseconds arrival_margin{wake_up_margin + std::chrono::milliseconds{6}};

// [sync] mode = "wall": how long before its presentation a frame is committed, at the latest. The decision is sent
// again every few milliseconds; so much, and a round trip, is left for it to arrive;
inline constexpr std::chrono::milliseconds commit_before{8};
// and in what time the server learns that all tiles hold it: one report may be lost, which is repeated after 8 ms, and
// the server looks every 2 ms.
inline constexpr std::chrono::milliseconds commit_report{8 + 2};

// What an exchange with a node may take while nobody has measured it: a lost packet that is asked for and sent again, a
// frame that is reported and committed.
inline constexpr std::chrono::milliseconds assumed_round_trip{30};
// A host that is busy keeps its threads, disks and cards waiting for as long at 60 frame/s as at 25: no default delay
// is shorter, though a short frame interval would allow that.
inline constexpr std::chrono::milliseconds default_delay_least{80};

// How long before its presentation the last packet of a frame must have left.
constexpr std::chrono::milliseconds send_margin(SyncMode mode) {
  return mode == SyncMode::tile ? arrival_margin : wake_up_margin + commit_report + commit_before;
}

// The delay of a wall file that names none. A packet lost at the end of a frame is missed when the next frame begins;
// then there is time for an exchange with the server, and the margin.
std::chrono::milliseconds default_playout_delay(FrameRate rate, SyncMode mode);

class SendWindow {
public:
  // From the least delay where it is adapted: else a longer window would make frames take longer, and the delay grow
  // because of that.
  explicit SendWindow(const Wall& wall);

  // Of a frame with this interval to the next; 0 where packets are not paced.
  [[nodiscard]] Nanoseconds of(Nanoseconds interval) const;
  // What pace_fraction alone would make of it.
  [[nodiscard]] Nanoseconds asked(Nanoseconds interval) const;
  // The time that a frame of any rate has, at most: the delay without its margin.
  [[nodiscard]] Nanoseconds limit() const { return limit_; }
  // How much faster packets leave, while a frame is sent, than pace_fraction asks: 1 where the window is its.
  [[nodiscard]] double haste(Nanoseconds interval) const;

private:
  double fraction_;
  Nanoseconds limit_;
  Nanoseconds longest_;  // window
};

// The delay that leaves time for pace_fraction of such an interval.
std::chrono::milliseconds delay_for_whole_window(const Wall& wall, Nanoseconds interval);
// The least that a wall file may name. A frame is not sent more than ten times as fast as it is shown, as with the
// least pace_fraction.
std::chrono::milliseconds least_playout_delay(const Wall& wall);

}  // namespace lw
