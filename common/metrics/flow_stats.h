// The figures of a flow and of a tile, as plain values: what a data thread passes to the control plane. docs/metrics.md
// defines each one and names its source. All counts are totals since the program started; to show a rate, take the
// difference of two.
#pragma once

#include "common/base/units.h"
#include "common/wall/wall_file.h"

#include <cstdint>
#include <optional>

namespace lw {

// How long the newest 256 frames took for a stage.
struct StageQuantiles {
  std::optional<double> p50, p99;  // us
};

// Kept by a flow sender (server).
struct SenderFlowStats {
  unsigned flow = 0;
  std::uint32_t ssrc = 0;
  int cpu = -1;                           // the core to which its thread is pinned; -1: none
  std::uint64_t packets = 0;              // RTP packets handed to the kernel
  std::uint64_t bytes = 0;                // UDP payload of those packets
  std::uint64_t payload_bytes = 0;        // RTP payload octets, as in RTCP sender reports
  std::uint64_t frames = 0;               // bands sent completely
  std::uint64_t frames_skipped = 0;       // bands not sent, or sent in part, because they were read or sent too late
  std::uint64_t send_errors = 0;          // packets of the stream (no resends, no parity) that the kernel refused
  std::uint64_t not_sent = 0;             // packets of the stream that have numbers, but whose frames were not sent
  std::uint64_t resent = 0;               // packets resent as requested by the receiver; not in packets
  std::uint64_t resent_bytes = 0;         // UDP payload of those
  std::uint64_t parity = 0;               // packets of forward error correction; not in packets
  std::uint64_t parity_bytes = 0;         // UDP payload of those
  std::uint64_t resends_refused = 0;      // packets requested, but no longer kept or over the budget
  std::uint64_t resend_errors = 0;        // resends that the kernel refused
  std::uint64_t parity_errors = 0;        // packets of forward error correction that the kernel refused
  std::uint64_t rtcp_refused = 0;         // RTCP packets that were not accepted
  std::uint64_t calls = 0;                // system calls made to send
  std::uint64_t zero_copy_calls = 0;      // of those, the calls that asked the kernel not to copy the pixels
  double cpu_s = 0;                       // CPU time of its thread
  Nanoseconds late_max{0};                // longest delay of a burst behind its time, over the last 1 to 2 s
  std::optional<Nanoseconds> round_trip;  // RFC 3550 section 6.4.1, from RTCP
  StageQuantiles read, queue, send;
};

// Kept by a flow receiver (wall-client). received = used + duplicates + late + invalid + parity.
struct ReceiverFlowStats {
  unsigned flow = 0;
  std::optional<std::uint32_t> ssrc;  // of the stream being received
  int cpu = -1;
  std::uint64_t packets = 0;                 // received, of any kind
  std::uint64_t bytes = 0;                   // UDP payload
  std::optional<std::uint64_t> second_path;  // of packets, those received by the second path, if there is one
  // From the sender's host, by traffic class: absent where the kernel does not report it.
  std::optional<unsigned> dscp;                             // of the newest packets
  std::optional<std::uint64_t> dscp_changed;                // packets with another DSCP than the wall file's
  std::optional<std::uint64_t> ecn_ect0, ecn_ect1, ecn_ce;  // packets by their ECN field (RFC 3168 section 5)
  // Absent if the kernel stamps arrivals, as it does unless the card's stamps are requested.
  std::optional<std::uint64_t> card_stamped;  // of packets, those whose arrival the network card stamped
  std::optional<Nanoseconds> card_error;      // bound of the error of these stamps as system time, so far
  std::uint64_t calls = 0;                    // system calls made to receive
  double cpu_s = 0;                           // CPU time of its thread
  std::uint64_t used = 0;                     // placed in a band
  std::uint64_t in_place = 0;                 // of those, put in place by the kernel, as forecast
  std::uint64_t resends_asked = 0;            // different packets requested again
  std::uint64_t resent = 0;                   // packets received as resends
  std::uint64_t parity = 0;                   // packets of forward error correction received
  std::uint64_t repaired = 0;                 // of lost, those recovered by a resend
  std::uint64_t rebuilt = 0;                  // of lost, those rebuilt from parity
  std::uint64_t duplicates = 0;               // already received (RFC 5560)
  std::uint64_t late = 0;                     // the band was already dropped or shown, or the packet recovered
  std::uint64_t invalid = 0;                  // not RTP of this flow, or contradicts its geometry
  std::uint64_t strangers = 0;                // not from the flow's sender; those that reached us are in invalid too
  std::optional<std::uint64_t> unauthentic;   // of invalid: not encrypted with this wall's key
  std::uint64_t rtcp_refused = 0;             // RTCP packets that were not accepted
  std::uint64_t lost = 0;     // RFC 3550 cumulative: expected by sequence number, minus received without duplicates
  std::uint64_t arrived = 0;  // different packets of the stream: expected = arrived + lost
  std::uint64_t lost_settled = 0;             // of lost, those not received within the next 1024 packets: never falls
  std::uint64_t loss_runs = 0;                // RFC 3611 / RFC 7680: uninterrupted runs of lost packets
  std::uint64_t loss_run_max = 0;             // packets in the longest run
  std::uint64_t reordered = 0;                // RFC 4737: arrived with a sequence number below the highest so far
  std::optional<std::uint64_t> kernel_drops;  // of lost, those dropped because the socket was full
  std::optional<std::uint64_t> kernel_drops_settled;  // the same of lost_settled: never falls
  std::uint64_t parity_lost = 0;                      // missing packets of forward error correction
  std::optional<std::uint64_t> parity_drops;          // of those, dropped because the socket was full
  std::uint64_t resends_lost = 0;                     // missing resends
  std::optional<std::uint64_t> resend_drops;          // of those, dropped because the socket was full
  std::uint64_t bands_whole = 0;
  std::uint64_t bands_incomplete = 0;
  std::uint64_t bands_dropped = 0;         // complete or not: no room in the playout buffer
  std::uint64_t frames_without_first = 0;  // finished before their first packet arrived
  std::optional<double> jitter_us;         // RFC 3550 section 6.4.1 over the first packets of frames, smoothed
  double jitter_max_us = 0;                // largest over the last 1 to 2 s
  // Arrival of a frame's first packet minus its media time: one-way delay plus the difference of the hosts' clocks (RFC
  // 7679 only if the clocks' error is known). Of the newest 256 frames.
  std::optional<double> delay_us_min, delay_us_p50, delay_us_p99;
  // Arrival of a frame's last packet, even if late, minus its media time: of the newest 512 frames.
  std::optional<double> completion_us_p50, completion_us_p99;
  StageQuantiles assemble;
  bool receiving = false;  // a packet arrived within the last second
};

// When a tile showed a frame.
struct SwapTime {
  WallTime pts{};
  Nanoseconds lateness{0};  // time after the swap minus the PTS
};

// Kept by the presenter for each tile. frames_due = shown_whole + shown_concealed + not_shown.
struct TileStats {
  TileIndex tile;
  std::optional<std::uint32_t> frame;  // of the visualization, shown now
  std::uint64_t frames_due = 0;        // frames whose PTS has passed
  std::uint64_t shown_whole = 0;
  std::uint64_t shown_repaired = 0;   // of those, with packets that were lost and recovered
  std::uint64_t shown_concealed = 0;  // shown with rows of the previous frame in place of missing packets
  std::uint64_t not_shown = 0;        // too late, or another frame was due at the same swap
  std::uint64_t not_committed = 0;    // of those, complete here, but not in all tiles ([sync] mode = "wall")
  std::uint64_t cut_at_start = 0;     // already being sent when the node started: neither due nor shown
  // Bands that were received in time, but not decoded until their frame was shown; absent if none needed decoding.
  std::optional<std::uint64_t> undecoded;
  std::uint64_t late = 0;  // of those shown: swapped more than one frame interval after their PTS
  std::uint64_t swaps = 0;
  std::optional<double> lateness_us_p50, lateness_us_p99, lateness_us_max;  // swap time minus PTS, newest 256 frames
  std::optional<double> scanout_us_p50, scanout_us_p99;  // time on the screen minus PTS, of the same, if known
  StageQuantiles wait, upload, swap;
  unsigned playout_frames = 0;  // complete frames waiting for their PTS
};

}  // namespace lw
