// Cold matter as what it is: a sheet, folded in space, of which the particles are only the corners (Abel, Hahn and
// Kaehler 2012, arXiv:1111.3944). Drawn as patches between neighbouring particles, stretched as the patch of matter is,
// voids come out smooth and filaments as lines, without the grain of points.
#pragma once

#include "samples/particle_mesh.h"

#include <array>
#include <vector>

namespace lw::cosmos {

// The matter between eight particles that were neighbours on the lattice: mass 1 about `middle`, along three edges.
struct Patch {
  Vec3 middle;  // in the box
  std::array<Vec3, 3> edges;
};

void make_sheet(const Particles& particles, Threads threads, std::vector<Patch>& sheet);

// What the meshes of density and velocity dispersion say at each patch.
struct PatchState {
  float density = 0;     // of the mean
  float dispersion = 0;  // of the velocities in each direction, rms, in units of the momenta
};
std::vector<PatchState> measure(const Particles& particles, const std::vector<Patch>& sheet, Threads threads);

}  // namespace lw::cosmos
