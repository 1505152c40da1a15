// Any text is a wall that holds together, or an error that names file and line.
#include "common/wall/geometry.h"
#include "common/wall/wall_file.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto wall = lw::parse_wall({reinterpret_cast<const char*>(data), size}, "w");
  if (!wall) {
    if (!wall.error().what.starts_with("w:") || wall.error().text().find('\n') != std::string::npos) std::abort();
    return 0;
  }
  unsigned rows = 0, rows_of_tiles = 0;
  for (const auto& tile : wall->tiles) rows_of_tiles += tile.place.height;
  for (const auto& band : lw::all_bands(*wall)) {
    rows += band.rows;
    if (band.rows == 0 || lw::media_port(*wall, band.flow) < wall->streaming.base_port) std::abort();
    if (!wall->find_node(wall->node_of(band.tile).name)) std::abort();
  }
  if (rows != rows_of_tiles) std::abort();
  return 0;
}
