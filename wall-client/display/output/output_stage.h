// The last stage of a node's output: what a panel or projector gets of a tile's image. It is turned as the panel
// hangs, warped by a mesh, corrected in colour, blended at its edges, lifted in its black, and dithered to the panel's
// depth. One shader pass does it (display/gl/gl_output, shaders/output.frag); panel_picture() is the same on the CPU,
// the reference of the tests, and what a node without windows would send out.
#pragma once

#include "common/base/result.h"
#include "common/wall/turn.h"
#include "common/wall/wall_file.h"
#include "wall-client/display/capture/picture.h"
#include "wall-client/display/output/colour_table.h"
#include "wall-client/display/output/grey_map.h"
#include "wall-client/display/output/warp_mesh.h"

#include <map>
#include <optional>
#include <string>

namespace lw {

struct OutputStage {
  Turn turn = Turn::none;
  TurnSize tile, panel;
  TurnMap map;
  bool active = false;  // anything but the turn; without, the panel gets the tile's pixels as they are
  Rgb gain{1, 1, 1};
  Rgb exponent{1, 1, 1};  // 1 / gamma
  std::optional<ColourTable> table;
  bool table_is_idle = false;  // one was read that changes no colour, and is not used
  std::optional<WarpMesh> warp;
  BlendWidths blend;
  std::optional<GreyMap> blend_map;
  float blend_gamma = 2.2F;
  float black_lift = 0;
  std::optional<GreyMap> black_lift_map;

  [[nodiscard]] bool needed() const { return active || turn != Turn::none; }
};

// Without files: the turn alone, or settings that name none.
OutputStage plain_stage(const Tile& tile, const TileOutput& settings);
// Reads the files that a placement names.
Result<OutputStage> load_stage(const Wall& wall, const TilePlacement& placement);
// Those of a node's tiles. Logs which are active.
Result<std::map<TileIndex, OutputStage>> load_stages(const Wall& wall, const WallNode& node);
// "turned 90 degrees, warp of 17 x 9 vertices, LUT of 33^3": for the log; empty if it is not needed.
std::string text_of(const OutputStage& stage);

// What the panel gets of a tile's image. `bits`: of the panel's channels, 8 to 16. Of a stage that is not active, the
// panel gets the image's own depth.
Picture panel_picture(const OutputStage& stage, const Picture& tile, unsigned bits = 8);

// Of 64, in cells of 8 x 8 pixels: a value's fraction is rounded up if it is more than what is left to 1.
unsigned dither_threshold(unsigned x, unsigned y);

}  // namespace lw
