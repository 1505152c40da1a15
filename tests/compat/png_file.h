// Reads the images of `shown/`, which wall-client --dump wrote: RGB with 8 or 16 bits per channel.
#pragma once

#include "wall-client/display/capture/picture.h"

#include <filesystem>

namespace lw::test {

// Fails the test if the file cannot be read. 16 bits are in host byte order, as in Display::read_back.
Picture read_png(const std::filesystem::path& file);

}  // namespace lw::test
