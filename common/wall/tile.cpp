#include "common/wall/tile.h"

#include <fmt/format.h>

namespace lw {

std::string Tile::number() const { return fmt::format("{},{}", cell.column, cell.row); }

}  // namespace lw
