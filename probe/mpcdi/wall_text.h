// The wall file of imported projectors: complete, with examples where MPCDI says nothing, which comments ask to edit.
#pragma once

#include "common/wall/tile.h"

#include <string>
#include <string_view>
#include <vector>

namespace lw {

// A name of a file is empty if there is none.
struct ImportedProjector {
  std::string tile;    // its name
  std::string region;  // of the MPCDI file
  Rect place;
  unsigned columns = 0, rows = 0;  // of the projector
  std::string warp, blend, black;
  double blend_gamma = 2.2;
};

struct ImportedNode {
  std::string name;
  std::vector<ImportedProjector> projectors;  // on its monitors, in this order
};

// A name that tiles, nodes and files may have, made of an id; `used` has the lower-case names so far, and gets it.
std::string name_of_id(std::string_view id, std::vector<std::string>& used);

// `source`: the MPCDI file's name; `version`: of its format.
std::string wall_text(std::string_view source, std::string_view version, const std::vector<ImportedNode>& nodes);

}  // namespace lw
