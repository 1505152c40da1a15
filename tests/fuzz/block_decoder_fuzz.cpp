// Any bytes are blocks, of frames of any size: the decoder writes their pixels, and nothing else.
#include "common/pixel/block_decoder.h"

#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const unsigned width = 1 + data[0] % 40, height = 1 + data[1] % 40;
  for (const auto format : {lw::PixelFormat::bc7, lw::PixelFormat::bc1}) {
    std::vector<std::byte> blocks(lw::frame_bytes(format, width, height));
    for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] = static_cast<std::byte>(data[2 + i % (size - 2)]);
    std::vector<std::uint8_t> rgb(std::size_t{width} * height * 3);
    lw::decode_blocks(format, blocks.data(), width, height, rgb.data(), std::size_t{width} * 3);
  }
  return 0;
}
