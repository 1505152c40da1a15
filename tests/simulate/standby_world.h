// A simulated wall with two servers: again and again one of them is killed, frozen or cut off, or both of their paths
// lose packets, while a playlist plays and operators change what plays, and all is well again. The laws: with a hot
// standby no tile misses a frame, whatever happens to one of the two; with a cold one no tile stops for more than half
// a second. Without a standby, each sends half of the tiles: those of the server that does not coordinate miss no frame
// while the coordinator is away, and both play the same line if it still runs. Afterwards exactly one coordinates.
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
  Nanoseconds longest_gap{0};  // between two frames of a tile
};

StandbyOutcome play_with_standby(const Settings& settings, Standby standby, unsigned harms,
                                 const std::filesystem::path& content);

}  // namespace lw::simulate
