// Files for the output stage as bytes, and images to send through it.
#pragma once

#include "wall-client/display/capture/picture.h"
#include "wall-client/display/output/colour_table.h"
#include "wall-client/display/output/grey_map.h"
#include "wall-client/display/output/warp_mesh.h"

#include <fmt/format.h>
#include <png.h>
#include <catch2/catch.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>

namespace lw::test {

inline float even(std::mt19937& random, double low, double high) {
  return static_cast<float>(std::uniform_real_distribution<double>(low, high)(random));
}

// At least `first`, and `count` different ones.
inline unsigned one_of(std::mt19937& random, unsigned first, unsigned count) {
  return first + static_cast<unsigned>(random() % count);
}

// A mesh by a function from the place on the panel to the place on the tile, both from 0 to 1.
template <class Shown>
WarpMesh mesh_of(unsigned columns, unsigned rows, Shown shown) {
  WarpMesh mesh{columns, rows, {}};
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned column = 0; column < columns; ++column)
      mesh.places.push_back(
          shown((static_cast<double>(column) + 0.5) / columns, (static_cast<double>(row) + 0.5) / rows));
  return mesh;
}
inline WarpMesh identity_mesh(unsigned columns, unsigned rows) {
  return mesh_of(columns, rows, [](double x, double y) {
    return WarpMesh::Place{static_cast<float>(x), static_cast<float>(y)};
  });
}

inline std::string pfm_of(const WarpMesh& mesh, bool big_endian = false) {
  auto bytes = fmt::format("PF\n{} {}\n{}\n", mesh.columns, mesh.rows, big_endian ? "1.0" : "-1.0");
  const auto add = [&](float value) {
    auto bits = std::bit_cast<std::uint32_t>(value);
    if (big_endian) bits = __builtin_bswap32(bits);
    bytes.append(reinterpret_cast<const char*>(&bits), sizeof bits);
  };
  for (const auto& place : mesh.places) {
    add(place.shown() ? place.x : std::numeric_limits<float>::quiet_NaN());
    add(place.y);
    add(std::numeric_limits<float>::quiet_NaN());
  }
  return bytes;
}

// A cube by a function from colour to colour.
template <class Colour>
ColourTable table_by(unsigned side, Colour colour, const Rgb& low = {0, 0, 0}, const Rgb& high = {1, 1, 1}) {
  ColourTable table{low, high, {}, side, {}, {}};
  const auto input = [&](std::size_t channel, unsigned n) {
    return low[channel] + (high[channel] - low[channel]) * static_cast<float>(n) / static_cast<float>(side - 1);
  };
  for (unsigned blue = 0; blue < side; ++blue)
    for (unsigned green = 0; green < side; ++green)
      for (unsigned red = 0; red < side; ++red)
        table.cube.push_back(colour(Rgb{input(0, red), input(1, green), input(2, blue)}));
  return table;
}

inline std::string cube_of(const ColourTable& table) {
  auto text =
      fmt::format("TITLE \"a test\"\n# made by a test\nLUT_3D_SIZE {}\nDOMAIN_MIN {} {} {}\nDOMAIN_MAX {} {} {}\n",
                  table.side, table.low[0], table.low[1], table.low[2], table.high[0], table.high[1], table.high[2]);
  for (const auto& entry : table.cube) text += fmt::format("{:.9g} {:.9g} {:.9g}\n", entry[0], entry[1], entry[2]);
  return text;
}

// `format`: PNG_FORMAT_GRAY, PNG_FORMAT_RGB, PNG_FORMAT_GA (8 bits), PNG_FORMAT_LINEAR_Y (16).
template <class T>
std::string png_of(unsigned width, unsigned height, png_uint_32 format, const std::vector<T>& samples) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = format;
  png_alloc_size_t size = 0;
  REQUIRE(png_image_write_to_memory(&image, nullptr, &size, 0, samples.data(), 0, nullptr) != 0);
  std::string bytes(size, '\0');
  REQUIRE(png_image_write_to_memory(&image, bytes.data(), &size, 0, samples.data(), 0, nullptr) != 0);
  bytes.resize(size);
  return bytes;
}
inline std::string png_of(const GreyMap& map) { return png_of(map.width, map.height, PNG_FORMAT_LINEAR_Y, map.values); }

template <class T>
Picture picture_of(unsigned width, unsigned height, const std::vector<T>& samples) {
  Picture picture{width, height, sizeof(T) == 2, std::vector<std::byte>(samples.size() * sizeof(T))};
  std::memcpy(picture.pixels.data(), samples.data(), picture.pixels.size());
  return picture;
}
// `value(x, y, channel)`, from 0 to 1.
template <class Value>
Picture deep_picture(unsigned width, unsigned height, Value value) {
  std::vector<std::uint16_t> samples;
  for (unsigned y = 0; y < height; ++y)
    for (unsigned x = 0; x < width; ++x)
      for (unsigned channel = 0; channel < 3; ++channel)
        samples.push_back(static_cast<std::uint16_t>(std::lround(value(x, y, channel) * 65535)));
  return picture_of(width, height, samples);
}
inline Picture noise_picture(unsigned width, unsigned height, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> samples(std::size_t{width} * height * 3);
  for (auto& sample : samples) sample = static_cast<std::uint8_t>(random());
  return picture_of(width, height, samples);
}

// In 8-bit code values, whatever the depth.
inline double code_at(const Picture& picture, unsigned x, unsigned y, unsigned channel) {
  const auto index = (std::size_t{y} * picture.width + x) * 3 + channel;
  if (!picture.sixteen_bits) return std::to_integer<int>(picture.pixels[index]);
  std::uint16_t sample = 0;
  std::memcpy(&sample, picture.pixels.data() + index * 2, 2);
  return sample / 257.0;
}

}  // namespace lw::test
