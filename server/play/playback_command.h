// Commands for the playback thread, each with its own parameters.
#pragma once

#include "common/base/units.h"
#include "server/play/timeline.h"
#include "server/read/open_store.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>

namespace lw {

namespace playback_command {

struct Stop {};
struct Load {
  std::shared_ptr<const OpenStore> store;
  std::uint32_t frame = 0;
  bool paused = false;
  std::optional<std::uint32_t> times{};  // see Timeline::set_times
  WallTime not_before{};                 // media time of its first frame, while another store plays until then
};
// The same frames, from files that were opened again.
struct Reopen {
  std::shared_ptr<const OpenStore> store;
};
struct Seek {
  std::uint32_t frame = 0;
};
struct SetRate {
  double rate = 1;
};
struct SetLoop {
  bool on = true;
  std::optional<FrameRange> range{};  // empty: nothing is loaded, so there are no frames to limit playing to
};
struct Pause {
  bool on = true;
};

}  // namespace playback_command

using PlaybackCommand =
    std::variant<playback_command::Stop, playback_command::Load, playback_command::Reopen, playback_command::Seek,
                 playback_command::SetRate, playback_command::SetLoop, playback_command::Pause>;

}  // namespace lw
