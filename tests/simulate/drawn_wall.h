// The wall drawn from a seed.
#pragma once

#include "common/wall/wall_file.h"

#include <cstdint>
#include <string>

namespace lw::simulate {

struct Settings {
  std::uint64_t seed = 1;
  unsigned tiles = 4;
};

Wall wall_of(const Settings& settings);
// How long the wall's screens show an image; 0: swaps do not wait for them.
Nanoseconds refresh_of(const Settings& settings);
// A text on one line.
std::string describe(const Settings& settings);

}  // namespace lw::simulate
