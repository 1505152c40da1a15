// Any text is a LUT that maps every colour to a number, or an error of one line.
#include "wall-client/display/output/cube_file.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto table = lw::parse_cube({reinterpret_cast<const char*>(data), size});
  if (!table) {
    if (table.error().text().find('\n') != std::string::npos) std::abort();
    return 0;
  }
  for (const auto& colour : {lw::Rgb{0, 0, 0}, lw::Rgb{1, 1, 1}, lw::Rgb{0.3F, 0.7F, 0.5F}, lw::Rgb{1, 0, 0.999F}})
    for (const float value : (*table)(colour))
      if (!std::isfinite(value)) std::abort();
  (void)table->is_identity();
  return 0;
}
