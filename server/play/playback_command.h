// Commands for the playback thread, each with its own parameters.
#pragma once

#include "common/wire/playout_ramp.h"
#include "server/play/line.h"
#include "server/read/frame_buffer.h"
#include "server/read/open_store.h"
#include "server/send/stream_numbers.h"

#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace lw {

namespace playback_command {

// Plays this line from the store, from the line's first tick on. Replaces lines that begin at that tick or later.
struct Play {
  Line line;
  std::shared_ptr<const OpenStore> store;  // null if nothing plays
  Nanoseconds shifted{0};                  // PlaybackStatus::shifted when the line was computed
  std::optional<WallStart> start = {};     // whose streams the frames belong to; empty: those that the flows have
};
// The same frames, from files that were opened again.
struct Reopen {
  std::shared_ptr<const OpenStore> before;
  std::shared_ptr<const OpenStore> store;
};

// Room for the reads of a store with copies: a pool for each tile that the server sends.
struct MakeRoom {
  std::vector<std::unique_ptr<FramePool>> spares;
};

// The playout delay, as another server has decided.
struct KeepTo {
  PlayoutRamp delay;
};

}  // namespace playback_command

using PlaybackCommand = std::variant<playback_command::Play, playback_command::Reopen, playback_command::MakeRoom,
                                     playback_command::KeepTo>;

}  // namespace lw
