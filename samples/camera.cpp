#include "samples/camera.h"

#include <cmath>
#include <numbers>

namespace lw::cosmos {
namespace {

Vec3 path(double phase, const Lattice& box) {
  const double turn = 2 * std::numbers::pi * phase;
  return {static_cast<float>(phase * box.nx),
          static_cast<float>(box.ny * (0.5 + 0.13 * std::sin(turn) + 0.03 * std::cos(2 * turn))),
          static_cast<float>(box.nz * (0.5 + 0.09 * std::cos(turn) + 0.05 * std::sin(2 * turn)))};
}

}  // namespace

Camera camera_at(double phase, const Lattice& box, int picture_width) {
  Camera camera;
  camera.position = path(phase, box);
  // It looks where it is about to be: turns come early and gently.
  camera.forward = normalized(path(phase + 0.12, box) - camera.position);
  const double bank = 0.35 * std::sin(2 * std::numbers::pi * phase);
  const Vec3 sky{0, static_cast<float>(std::sin(bank)), static_cast<float>(std::cos(bank))};
  camera.right = normalized(cross(camera.forward, sky));
  camera.up = cross(camera.right, camera.forward);
  camera.focal = 0.8F * static_cast<float>(picture_width);
  return camera;
}

}  // namespace lw::cosmos
