// `colour` and `transfer` of a wall file's [wall].
#pragma once

#include "common/pixel/colour.h"
#include "common/wall/toml_section.h"

namespace lw {

// Reports unknown names to the section.
Colour read_colour(TomlSection& section);

}  // namespace lw
