// Cold matter is a sheet, folded in space; particles are only its corners (Abel, Hahn and Kaehler 2012,
// arXiv:1111.3944). Drawn as patches between neighbouring particles, stretched like the matter between them, voids come
// out smooth and filaments as lines, without the grain of points.
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

// The density and velocity dispersion at each patch, from their meshes.
struct PatchState {
  float density = 0;     // relative to the mean
  float dispersion = 0;  // of the velocities in each direction, rms, in units of the momenta
};
std::vector<PatchState> measure(const Particles& particles, const std::vector<Patch>& sheet, Threads threads);

}  // namespace lw::cosmos
