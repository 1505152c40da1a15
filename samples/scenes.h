// The two visualizations: the whole domain in 2D while it evolves, and a flight through it in 3D.
//
// Matter is drawn as a sheet: between the particles, which began on a lattice, more points are interpolated, so that
// voids are smooth and filaments are lines (after Abel, Hahn and Kaehler 2012, arXiv:1111.3944).
#pragma once

#include "samples/light_map.h"
#include "samples/simulation.h"

#include <cstdint>
#include <vector>

namespace lw::cosmos {

struct SheetPoint {
  Vec3 position;
  float speed = 0;  // 0 to 1, for colour
};
// Eight points for each particle, anywhere in the cell between it and its lattice neighbours. `drift` moves the
// particles along their momenta, for moments between two steps.
std::vector<SheetPoint> sheet(const Simulation& simulation, int particles_per_side, double drift);

// RGB, 8 bits, rows from top to bottom.
using Pixels = std::vector<std::uint8_t>;

// The domain seen from the front, as wide as the picture; `phase` 0 to 1 goes slowly around it.
Pixels draw_domain(const std::vector<SheetPoint>& points, int width, int height, double brightness, double phase);
// A flight along the periodic box: `phase` from 0 to 1 comes back to where it began.
Pixels draw_flight(const std::vector<SheetPoint>& points, int width, int height, double phase);

}  // namespace lw::cosmos
