// A simulated wall with two or more servers: again and again one of them is killed, frozen or cut off, or the paths of
// all lose packets, while a playlist plays and operators change what plays, and all is well again. The laws: with a hot
// standby no tile misses a frame, whatever happens to one server; with a cold one no tile misses the frames of more
// than half a second, or of 0.31 s and two more. Tiles that the harmed server has nothing to do with miss no frame. The
// same holds for sound: with a hot standby no packet of it is missing, with a cold one less than half a second, and
// what is heard belongs to the frame that is seen. All servers that run play the same line, keep to the same playout
// delay and send the same parity. Afterwards exactly one coordinates.
#pragma once

#include "common/wall/wall_file.h"
#include "tests/simulate/drawn_wall.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace lw::simulate {

struct StandbyOutcome {
  std::string broken;         // the law; empty: none
  std::string circumstances;  // under which
  unsigned harms = 0;
  std::uint64_t shown_whole = 0;
  Nanoseconds longest_gap{0};      // between two frames of a tile
  Nanoseconds longest_silence{0};  // in the middle of sound
  Nanoseconds lasted{0};
};

// `servers`: with a standby, half of them send a part of the tiles each, and each of these has one of the others.
StandbyOutcome play_with_standby(const Settings& settings, Standby standby, unsigned servers, unsigned harms,
                                 const std::filesystem::path& content);

}  // namespace lw::simulate
