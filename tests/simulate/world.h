// A complete wall in one thread on virtual time: the server's and the nodes' own agents, with a network, disks,
// screens, clocks and operators that follow the seed. The laws are checked after every step:
//
//   No row that is shown as present differs from what was stored. A store that changes is neither loaded nor shown
//   before it is complete. Frames are shown once and in order. The ledgers of
//   receivers and tiles balance. A refused request changes nothing. After a seek no frame is reported that follows
//   those before it. And once faults stop, within 2 s every tile shows complete frames of whatever plays, in order,
//   and all tiles the same one; also when the server stalls for less than the playout delay allows. Of packets that
//   are then lost alone, resends or FEC recover at least 60 %. Where all tiles must show the same frame, they do.
//   Sound that is played is a store's; once faults stop, none is lost, and it belongs to the frame that is seen.
#pragma once

#include "tests/simulate/drawn_wall.h"
#include "tests/simulate/node.h"
#include "tests/simulate/schedule.h"
#include "tests/simulate/server.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace lw::simulate {

struct Outcome {
  std::string broken;       // the broken law; empty: none
  std::size_t episode = 0;  // in which
  Nanoseconds at{0};        // after that began
  std::uint64_t steps = 0;
  std::uint64_t packets = 0;
  std::uint64_t lost = 0;
  std::uint64_t shown_whole = 0;
  std::uint64_t shown_concealed = 0;
  std::uint64_t repaired = 0;
  std::uint64_t rebuilt = 0;
};

// Plays the episodes in turn on one wall, until a law breaks. `content`: an empty folder for its stores.
Outcome play(const Settings& settings, const std::vector<Episode>& episodes, const std::filesystem::path& content);

}  // namespace lw::simulate
