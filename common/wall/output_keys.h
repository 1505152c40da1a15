// The keys of a node's tile for its output: colour and projection.
#pragma once

#include "common/wall/toml_section.h"
#include "common/wall/wall_file.h"

namespace lw {

// `section`: the entry. `tile`: which it shows.
TileOutput read_tile_output(TomlSection& section, const Tile& tile, const Colour& wall);

}  // namespace lw
