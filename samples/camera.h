// A perspective camera and its closed path through the periodic box.
#pragma once

#include "samples/lattice.h"

namespace lw::cosmos {

struct Camera {
  Vec3 position;
  Vec3 right, up, forward;  // orthonormal
  float focal = 1;          // in pixels: an object as wide as its distance appears this wide

  // In the camera's axes: right, up, forward.
  [[nodiscard]] Vec3 turned(const Vec3& v) const { return {dot(v, right), dot(v, up), dot(v, forward)}; }
};

// One period of the box along x, swinging to the sides and banking: phase 1 is at the same place as phase 0 in the
// periodic box, and the path is smooth there too.
Camera camera_at(double phase, const Lattice& box, int picture_width);

}  // namespace lw::cosmos
