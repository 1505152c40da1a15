// The entries of a node's `tiles`: which tile, and where the node shows it. check_wall finds tiles that the wall does
// not have; it needs `lines`.
#pragma once

#include "common/wall/toml_section.h"
#include "common/wall/wall_checks.h"
#include "common/wall/wall_file.h"

#include <string>

namespace lw {

// "{ column = 0, row = 0, monitor = 0 }" or "{ tile = \"left\", window = [0, 0] }".
TilePlacement read_placement(TomlSection section, const Wall& wall, TileLines& lines);
// "left" alone: in a window.
TilePlacement named_placement(const Wall& wall, const std::string& name, TileLines& lines);

}  // namespace lw
