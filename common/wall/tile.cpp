#include "common/wall/tile.h"

#include <fmt/format.h>

namespace lw {

std::string Tile::number() const { return by_name ? name : fmt::format("{},{}", cell.column, cell.row); }

std::string Tile::in_list() const { return by_name ? name : fmt::format("({}, {})", cell.column, cell.row); }

std::string Tile::in_words() const {
  return by_name ? fmt::format("tile '{}'", name) : fmt::format("tile ({}, {})", cell.column, cell.row);
}

}  // namespace lw
