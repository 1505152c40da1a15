// Frames for displays: made-up pixels in bands, complete or with rows missing.
#pragma once

#include "common/wall/geometry.h"
#include "common/wall/wall_file.h"
#include "wall-client/assemble/assembled_frame.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace lw::test {

// A wall of one node and two tiles side by side; the second window is to the right of the first.
inline Wall small_wall(unsigned width = 64, unsigned height = 48, unsigned flows = 2) {
  const auto text = [&](const char* key, unsigned value) {
    return std::string(key) + " = " + std::to_string(value) + "\n";
  };
  const auto toml = "[wall]\nname = \"test\"\ncolumns = 2\nrows = 1\n" + text("tile_width", width) +
                    text("tile_height", height) +
                    "bezel_x = 8\nframe_rate = 30\n[[node]]\nname = \"left\"\naddress = \"127.0.0.1\"\ntiles = [{ "
                    "column = 0, row = 0, window = [0, 0] }, { column = 1, "
                    "row = 0, window = [" +
                    std::to_string(width + 8) +
                    ", 0] }]\n[[server]]\nname = \"s\"\ncontrol = \"127.0.0.1:9010\"\ninterfaces = [\"127.0.0.1\"]\n"
                    "[streaming]\n" +
                    text("flows_per_tile", flows);
  return parse_wall(toml, "small_wall").value();
}

// A frame with its bands' memory.
struct TestFrame {
  std::vector<std::vector<std::byte>> pixels;
  std::vector<std::vector<std::uint64_t>> present;
  AssembledFrame frame;

  void lose_row(unsigned band, unsigned row) {
    present[band][row / 64] &= ~(std::uint64_t{1} << (row % 64));
    frame.bands[band].whole = frame.whole = false;
  }
  void lose_band(unsigned band) {
    frame.bands.erase(frame.bands.begin() + band);
    frame.whole = false;
  }
};

// `byte(row, column)` returns the bytes, counted over the tile.
template <class Byte>
TestFrame make_frame(const Wall& wall, TileIndex tile, PixelFormat format, Byte byte) {
  TestFrame made;
  made.frame.format = format;
  made.frame.whole = true;
  const std::size_t row_size = row_bytes(format, wall.tile(tile).place.width);
  for (const auto& band : bands_of(wall, tile)) {
    const auto rows = band.rows_in(format);
    auto& pixels = made.pixels.emplace_back(row_size * rows.count);
    for (unsigned row = 0; row < rows.count; ++row)
      for (std::size_t i = 0; i < row_size; ++i)
        pixels[row * row_size + i] = std::byte{static_cast<unsigned char>(byte(rows.first + row, i))};
    made.present.emplace_back((rows.count + 63) / 64, ~std::uint64_t{0});
    ReceivedBand received;
    received.flow = band.flow;
    received.pixels = pixels.data();
    received.format = format;
    received.first_row = rows.first;
    received.rows = rows.count;
    received.whole = true;
    received.rows_present = made.present.back().data();
    made.frame.bands.push_back(received);
  }
  return made;
}

inline TestFrame noise_frame(const Wall& wall, TileIndex tile, PixelFormat format, unsigned seed) {
  std::mt19937 random(seed);
  return make_frame(wall, tile, format, [&](unsigned, std::size_t) { return random() & 255U; });
}

}  // namespace lw::test
