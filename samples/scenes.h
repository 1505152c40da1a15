// The two visualizations: the entire domain in 2D while it evolves, and a flight through it in 3D.
#pragma once

#include "samples/light_map.h"
#include "samples/matter_sheet.h"
#include "samples/tone_map.h"

#include <vector>

namespace lw::cosmos {

// The part of the domain that a frame shows. It fills the frame, whatever the aspect ratio.
struct View {
  Vec3 middle;
  double zoom = 1;        // 1: the entire domain
  double brightness = 1;  // for fading
};

// The column density of the domain, seen along z.
void draw_domain(const std::vector<Patch>& sheet, const Lattice& box, const View& view, LightMap& map, Threads threads,
                 Picture& picture);

// The brightest place in a frame that draw_domain drew.
Vec3 brightest(const LightMap& map, const View& view, const Lattice& box);

// The view from the camera's path at `phase`, 0 to 1.
void draw_flight(const std::vector<Patch>& sheet, const std::vector<PatchState>& states, const Lattice& box,
                 double phase, LightMap& map, Threads threads, Picture& picture);

}  // namespace lw::cosmos
