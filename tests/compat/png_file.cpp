#include "tests/compat/png_file.h"

#include <png.h>
#include <catch2/catch.hpp>

#include <bit>
#include <cstdio>
#include <memory>

namespace lw::test {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

// libpng's own error handler ends the program: these files are part of the tests.
void read_into(std::FILE* file, Picture& picture) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file);
  const int transforms =
      std::endian::native == std::endian::little ? PNG_TRANSFORM_SWAP_ENDIAN : PNG_TRANSFORM_IDENTITY;
  png_read_png(png, info, transforms, nullptr);
  picture.width = png_get_image_width(png, info);
  picture.height = png_get_image_height(png, info);
  picture.sixteen_bits = png_get_bit_depth(png, info) == 16;
  const auto row_size = png_get_rowbytes(png, info);
  const auto* rows = png_get_rows(png, info);
  for (unsigned row = 0; row < picture.height; ++row) {
    const auto* first = reinterpret_cast<const std::byte*>(rows[row]);
    picture.pixels.insert(picture.pixels.end(), first, first + row_size);
  }
  png_destroy_read_struct(&png, &info, nullptr);
}

}  // namespace

Picture read_png(const std::filesystem::path& file) {
  INFO(file);
  const std::unique_ptr<std::FILE, CloseFile> in(std::fopen(file.c_str(), "rb"));
  REQUIRE(in != nullptr);
  Picture picture;
  read_into(in.get(), picture);
  return picture;
}

}  // namespace lw::test
