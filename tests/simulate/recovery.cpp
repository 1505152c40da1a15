#include "tests/simulate/recovery.h"

#include "common/plan/rate_verdict.h"
#include "common/wall/geometry.h"
#include "common/wall/send_window.h"
#include "common/wire/media_packet.h"

#include <algorithm>

namespace lw::simulate {
namespace {

constexpr unsigned resend_percent_least = 10;          // that covers such losses
constexpr std::chrono::milliseconds resend_takes{40};  // on a path without faults

// The end of a frame is missed when the next one begins: a resend is only possible if that is some time
// before the presentation, or before the frame must be held where all tiles wait for each other.
bool resends_come_in_time(const Wall& wall, FrameRate rate) {
  return wall.streaming.resend && wall.streaming.resend_percent >= resend_percent_least &&
         rate.duration_of(1) + resend_takes + send_margin(wall.sync.mode) <
             wall.streaming.playout_delay + send_margin(SyncMode::tile);
}

// Parity does not carry the number of its frame. It completes a band of which at least one packet arrived, so a band
// that is a single packet is lost with it.
bool parity_always_helps(const Wall& wall, PixelFormat format) {
  if (wall.streaming.fec != FecUse::always) return false;
  const TileIndex tile;  // the others are the same size
  return std::ranges::all_of(bands_of(wall, tile), [&](const Band& band) {
    const auto cut = PacketTemplates::lay_out(format, wall.tile(tile).place.width, band.rows_in(format).count,
                                              packet_cut(wall, tile), 0);
    return cut && cut->packets().size() > 1;
  });
}

}  // namespace

bool is_promised(const Wall& wall, FrameRate rate) {
  return rate.hertz() <= wall.frame_rate.hertz() || rate_warning(wall, rate).empty();
}

bool recovers_lone_losses(const Wall& wall, FrameRate rate, PixelFormat format) {
  return parity_always_helps(wall, format) || resends_come_in_time(wall, rate);
}

}  // namespace lw::simulate
