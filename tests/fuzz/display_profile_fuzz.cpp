// Any bytes are a profile whose table maps every colour to one, or an error: lcms2 stays within its bytes.
#include "wall-client/display/output/display_profile.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto table = lw::table_of_profile({reinterpret_cast<const char*>(data), size}, lw::Primaries::bt709, 5);
  if (!table) return 0;
  for (const auto& colour : {lw::Rgb{0, 0, 0}, lw::Rgb{1, 1, 1}, lw::Rgb{0.3F, 0.7F, 0.5F}})
    for (const float value : (*table)(colour))
      if (!(value >= -1e-5F && value <= 1.00001F)) std::abort();
  return 0;
}
