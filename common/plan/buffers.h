// How many frames the programs keep in memory. Server and clients allocate by these numbers, and the plan counts with
// them.
#pragma once

#include "common/base/units.h"
#include "common/wall/wall_file.h"

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace lw {

// How long before its media time the server begins to read a frame.
inline constexpr std::chrono::milliseconds read_ahead{100};

constexpr std::size_t frames_in(std::chrono::milliseconds time, FrameRate rate) {
  return static_cast<std::size_t>(static_cast<double>(time.count()) / 1000 * rate.hertz());
}

// Frames of a tile that are being read or in memory before they are due.
constexpr std::size_t read_ahead_frames(FrameRate rate) { return frames_in(read_ahead, rate) + 1; }

// Frames of a tile that wait in a node for resent packets, as long as these can be used.
constexpr std::size_t resend_frames(const StreamingSettings& streaming, FrameRate rate) {
  return streaming.resend ? frames_in(streaming.longest_playout_delay(), rate) + 1 : 0;
}

// Frames of a tile that the server keeps to resend lost packets, as long as any node can use these.
constexpr std::size_t kept_frames(const StreamingSettings& streaming, FrameRate rate) {
  return streaming.resend ? frames_in(streaming.resend_time(), rate) + 1 : 0;
}

// Frames of a tile that a disk still owes when it no longer answers, of a store with copies: their other disk reads
// them into other buffers. At most every other frame is on it; one is read to try it again, and one of another such
// disk.
constexpr std::size_t owed_frames(FrameRate rate) { return (read_ahead_frames(rate) + 1) / 2 + 2; }

// A delayed flow catches up with everything that can still be shown in time, but is never further behind than this,
// because a seek must wait for what is queued.
inline constexpr std::chrono::milliseconds behind_most{250};

// Frames of a tile that a flow may be behind.
constexpr std::size_t frames_behind(const StreamingSettings& streaming, FrameRate rate) {
  return frames_in(std::min(streaming.longest_playout_delay(), behind_most), rate);
}

// Frame buffers of a tile in the server: those read ahead, the one shown again while paused, two being sent, one spare,
// and those kept or still to be sent.
constexpr std::size_t server_frames_per_tile(const StreamingSettings& streaming, FrameRate rate) {
  return read_ahead_frames(rate) + 4 + std::max(kept_frames(streaming, rate), frames_behind(streaming, rate));
}

// Bands of a flow for which a client accepts packets at the same time: the one that is arriving, one that still lacks
// packets, one for reordering; with resends, also all that wait for packets until their presentation.
constexpr std::size_t client_bands_open(const StreamingSettings& streaming, FrameRate rate) {
  return 3 + resend_frames(streaming, rate);
}

// A bit for each pixel of every open band: whether it has arrived.
constexpr std::size_t client_coverage_bytes(const StreamingSettings& streaming, FrameRate rate, std::size_t pixels) {
  return client_bands_open(streaming, rate) * ((pixels + 63) / 64 * 8);
}

// Band buffers of a flow in its client: those waiting for their presentation or for packets until then, three more that
// are open, the one shown, one being uploaded, one spare.
constexpr std::size_t client_bands_per_flow(const StreamingSettings& streaming, FrameRate rate) {
  return frames_in(streaming.longest_playout_delay(), rate) + 1 + 3 + 3;
}

// Without windows: the image of each tile. With windows: the buffers from which textures are filled.
inline constexpr std::size_t picture_frames_per_tile = 1;
inline constexpr std::size_t window_frames_per_tile = 3;

// Memory of the programs besides frames, as measured with walls of a few pixels; a test compares the sum with a program
// that plays.
inline constexpr std::size_t program_bytes = std::size_t{12} << 20U;
inline constexpr std::size_t sender_flow_bytes = std::size_t{192} << 10U;
inline constexpr std::size_t receiver_flow_bytes = std::size_t{576} << 10U;

// Size of the receive buffer that the client requests for a flow's socket: for what arrives while its thread is off its
// core. That is two ticks of a 250 Hz kernel on a busy host, and 20 ms on a busy virtual machine. The limit for users
// is often far lower.
inline constexpr std::chrono::milliseconds receive_buffer_time{25};
constexpr std::size_t client_receive_buffer(BitRate flow) {
  constexpr std::size_t least = std::size_t{4} << 20U;
  constexpr std::size_t most = std::size_t{128} << 20U;
  const double bytes = flow.bits_per_second / 8 * static_cast<double>(receive_buffer_time.count()) / 1000;
  return std::clamp(static_cast<std::size_t>(bytes), least, most);
}

// Size of the send buffer that the server requests for a flow's socket.
inline constexpr std::size_t server_send_buffer = std::size_t{4} << 20U;

}  // namespace lw
