// The interface between receiving and presenting. A flow receiver completes bands; the presenter joins the bands of a
// tile into frames by their media time. A band's pixels stay in the buffer into which its packets were placed; nobody
// copies them before the upload.
#pragma once

#include "common/base/units.h"
#include "common/pixel/pixel_format.h"
#include "common/wire/packet_slots.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lw {

// One band of one frame as it leaves the flow receiver. The pixels belong to the receiver; the presenter returns the
// buffer through the flow's return ring when it no longer needs it.
struct ReceivedBand {
  unsigned flow = 0;
  unsigned buffer = 0;                    // index of the buffer within the flow, for returning it
  BandPixels pixels;                      // rows * row_bytes(format, tile_width), rows from top to bottom
  std::uint32_t used = 0;                 // octets of these, of a format that varies in length; else 0
  std::optional<std::size_t> table = {};  // of such a format, incomplete: where a table is that has arrived
  bool decoded = false;                   // of such a format: `pixels` are a decoder's, as is `buffer`
  PixelFormat format = PixelFormat::rgb8;
  unsigned first_row = 0;  // of the band within its tile; rows are those of the format's pixel groups
  unsigned rows = 0;
  WallTime media_time{};         // RFC 6051 NTP time of the frame, by which bands are joined
  std::uint32_t frame = 0;       // number within the visualization (0 from other vendors' senders)
  std::uint32_t generation = 0;  // grows with every change of what plays; 0 from other vendors' senders
  std::uint16_t tick = 0;        // grows by one with every frame of the wall; valid only if has_stamp
  bool has_stamp = false;        // the packets carried frame, generation and tick
  std::uint32_t stream = 0;      // of the flow: grows when its sender restarts, and ticks restart too
  bool whole = false;
  bool repaired = false;  // packets of it were lost and recovered
  WallTime arrived{};     // when a packet of it arrived first, whichever it was
  // When the packet arrived that was sent first; WallTime{}: it did not, or only as a resend.
  WallTime first_arrived{};
  WallTime finished{};      // when it was completed or dropped
  std::uint32_t bytes = 0;  // received
  // One bit per row, set if every byte of the row has arrived; points into the receiver's buffer. Read only if the band
  // is not complete.
  const std::uint64_t* rows_present = nullptr;

  [[nodiscard]] bool row_present(unsigned row) const {
    return whole || ((rows_present[row / 64] >> (row % 64)) & 1U) != 0;
  }
};

// In the bits of rows_present.
inline void mark_rows(std::vector<std::uint64_t>& present, unsigned first, unsigned count) {
  for (auto row = first; row < first + count; ++row) present[row / 64] |= std::uint64_t{1} << (row % 64);
}

// A tile's frame: all its bands with the same media time. Bands that never arrived are missing from the list.
struct AssembledFrame {
  WallTime media_time{};
  std::uint32_t frame = 0;
  std::uint32_t generation = 0;
  std::uint16_t tick = 0;
  bool has_stamp = false;
  PixelFormat format = PixelFormat::rgb8;
  std::vector<ReceivedBand> bands;  // reserved for flows_per_tile once; never grows while playing
  bool whole = false;
  bool committed = false;  // all tiles hold it ([sync] mode = "wall")
};

}  // namespace lw
