// Any bytes as a band of `lossless` of any size, as one of its tables, and as a chunk: the decoder writes pixels of the
// rows, and nothing else.
#include "common/pixel/lossless_band.h"
#include "common/pixel/pixel_format.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const unsigned width = 1 + data[0] % 40, rows = 1 + data[1] % 40;
  const std::size_t row = std::size_t{width} * 3;
  const auto* bytes = reinterpret_cast<const std::byte*>(data + 2);
  std::vector<std::byte> band(lw::frame_bytes(lw::PixelFormat::lossless, width, rows));
  std::copy_n(bytes, std::min(band.size(), size - 2), band.begin());
  std::vector<std::byte> rgb(row * rows);
  lw::LosslessDecoder decoder;
  decoder.decode_band(band, width, rows, rgb.data(), row);

  const unsigned rows_of_chunk = std::min(rows, lw::lossless_chunk_rows);
  const std::vector<std::byte> chunk(bytes, bytes + size - 2);
  std::vector<std::byte> chunk_rgb(row * rows_of_chunk);
  decoder.decode(chunk, width, rows_of_chunk, chunk_rgb.data(), row);

  const auto used = lw::lossless_used(band.data(), band.size());
  lw::LosslessTable table;
  const auto table_bytes = std::min(lw::lossless_table_bytes(rows), band.size());
  if (table.read(std::span(band).first(table_bytes), width, rows, used))
    for (const auto& found : table.chunks()) assert(found.offset + found.bytes <= used);
  return 0;
}
