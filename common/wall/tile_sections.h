// The [[tile]] sections of a wall file, which describe tiles one by one.
#pragma once

#include "common/wall/toml_section.h"
#include "common/wall/wall_file.h"

#include <vector>

namespace lw {

// Gives the wall its tiles. `section`: [wall], which has no grid then; `tables`: at least one.
void read_tile_sections(TomlSection& section, const std::vector<const toml::table*>& tables, Wall& wall,
                        WallFileErrors& errors);

}  // namespace lw
