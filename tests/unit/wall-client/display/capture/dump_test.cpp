// Dumps as other programs find them: PNG files read back with libpng, a line per swap, errors reported and survived.
#include "wall-client/display/capture/dump.h"

#include <png.h>
#include <unistd.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <bit>
#include <cstring>
#include <fstream>
#include <string>

using namespace lw;

namespace {

struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("lambdawall-dump-" + std::to_string(getpid()));
  Folder() { std::filesystem::remove_all(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
};

Picture picture_of(bool sixteen) {
  Picture picture{5, 3, sixteen, std::vector<std::byte>(5 * 3 * 3 * (sixteen ? 2U : 1U))};
  for (std::size_t i = 0; i < picture.pixels.size(); ++i) picture.pixels[i] = static_cast<std::byte>(i * 37);
  return picture;
}

// Samples in PNG's byte order, which is the file's.
std::vector<unsigned> samples_in(const std::filesystem::path& file, int& depth) {
  std::FILE* in = std::fopen(file.c_str(), "rb");
  REQUIRE(in != nullptr);
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, in);
  png_read_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
  depth = png_get_bit_depth(png, info);
  std::vector<unsigned> samples;
  png_bytepp rows = png_get_rows(png, info);
  for (png_uint_32 y = 0; y < png_get_image_height(png, info); ++y)
    for (std::size_t i = 0; i < png_get_rowbytes(png, info); i += depth == 16 ? 2 : 1)
      samples.push_back(depth == 16 ? rows[y][i] * 256U + rows[y][i + 1] : rows[y][i]);
  png_destroy_read_struct(&png, &info, nullptr);
  std::fclose(in);
  return samples;
}

}  // namespace

TEST_CASE("a dump holds the frames and a line per swap") {
  const Folder folder;
  auto dump = FrameDump::open(folder.path).value();
  REQUIRE(dump->add({{"tile-2-1", {}, {2, 1}},
                     7,
                     WallTime(Nanoseconds(1'700'000'000'000'000'001)),
                     WallTime(Nanoseconds(1'700'000'000'000'000'999)),
                     SystemTime(Nanoseconds(1'600'000'000'000'000'001)),
                     true},
                    picture_of(false))
              .has_value());
  REQUIRE(dump->add({{"tile-0-0", {}, {0, 0}}, 123456, WallTime(Nanoseconds(5)), WallTime(Nanoseconds(6)), {}, false},
                    picture_of(true))
              .has_value());
  REQUIRE(dump->close().has_value());

  int depth = 0;
  const auto eight = samples_in(folder.path / "tile-2-1" / "00000007.png", depth);
  CHECK(depth == 8);
  const auto picture = picture_of(false);
  REQUIRE(eight.size() == picture.pixels.size());
  for (std::size_t i = 0; i < eight.size(); ++i) CHECK(eight[i] == std::to_integer<unsigned>(picture.pixels[i]));

  const auto sixteen = samples_in(folder.path / "tile-0-0" / "00123456.png", depth);
  CHECK(depth == 16);
  const auto wide = picture_of(true);
  REQUIRE(sixteen.size() * 2 == wide.pixels.size());
  for (std::size_t i = 0; i < sixteen.size(); ++i) {
    std::uint16_t value = 0;
    std::memcpy(&value, wide.pixels.data() + i * 2, 2);
    CHECK(sixteen[i] == value);
  }

  std::ifstream shown(folder.path / "shown.ndjson");
  std::string line;
  REQUIRE(std::getline(shown, line));
  CHECK(nlohmann::json::parse(line) == nlohmann::json({{"tile", {2, 1}},
                                                       {"frame", 7},
                                                       {"pts_ns", 1'700'000'000'000'000'001},
                                                       {"swap_ns", 1'700'000'000'000'000'999},
                                                       {"system_ns", 1'600'000'000'000'000'001},
                                                       {"whole", true}}));
  REQUIRE(std::getline(shown, line));
  CHECK(nlohmann::json::parse(line)["whole"] == false);
  CHECK_FALSE(std::getline(shown, line));
}

TEST_CASE("a directory that cannot be created is an error that says so") {
  const Folder folder;
  std::ofstream(folder.path) << "a file in the way";
  const auto dump = FrameDump::open(folder.path / "dump");
  REQUIRE_FALSE(dump.has_value());
  CHECK(dump.error().what.find(folder.path.string()) != std::string::npos);
  CHECK_FALSE(dump.error().mend.empty());
}

TEST_CASE("an image that cannot be written ends the dump with an error, not the program") {
  const Folder folder;
  auto dump = FrameDump::open(folder.path).value();
  std::ofstream(folder.path / "tile-0-0") << "a file where the folder should be";
  // The write happens on the dump's thread: the error comes with the next call, at the latest with close().
  (void)dump->add({{"tile-0-0", {}, {0, 0}}, 1, {}, {}, {}, true}, picture_of(false));
  const auto closed = dump->close();
  REQUIRE_FALSE(closed.has_value());
  CHECK(closed.error().what.find("tile-0-0") != std::string::npos);
  CHECK_FALSE(dump->add({{"tile-0-0", {}, {0, 0}}, 2, {}, {}, {}, true}, picture_of(false)).has_value());
}

TEST_CASE("a full disk is reported") {
  const auto written = write_png(picture_of(false), "/dev/full");
  REQUIRE_FALSE(written.has_value());
  CHECK(written.error().what.find("No space left") != std::string::npos);
}
