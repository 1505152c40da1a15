// Any bytes are a map of a possible size, or an error of one line.
#include "wall-client/display/output/grey_map.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto map = lw::parse_grey_map({reinterpret_cast<const char*>(data), size});
  if (!map) {
    if (map.error().text().find('\n') != std::string::npos) std::abort();
    return 0;
  }
  if (map->width == 0 || map->height == 0 || map->values.size() != std::size_t{map->width} * map->height) std::abort();
  for (int x = 0; x < 7; ++x)
    if (const float value = map->over(x, x, 7, 7); !(value >= 0 && value <= 1)) std::abort();
  return 0;
}
