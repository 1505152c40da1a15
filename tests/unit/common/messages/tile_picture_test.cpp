// A preview passes unchanged; an invalid one, or one that is too large to decode, does not.
#include "common/messages/tile_picture.h"

#include <catch2/catch.hpp>

#include <string>

#include "tests/unit/common/messages/told.h"

using namespace lw;
using namespace lw::test;

namespace {

std::string png_head(unsigned width, unsigned height) {
  std::string png("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", 16);
  for (const unsigned side : {width, height})
    for (const unsigned shift : {24U, 16U, 8U, 0U}) png += static_cast<char>(side >> shift & 255U);
  return png + std::string("\x08\x02\0\0\0", 5);
}

Json preview(const std::string& png) { return to_json(tile_picture({1, 2}, 7, png)); }

bool passes(const std::string& png) { return read_message<TilePictureMessage>(preview(png)).has_value(); }

}  // namespace

TEST_CASE("a tile's preview arrives with its known members only") {
  auto json = preview(png_head(192, 120) + "pixels");
  json["more"] = 1;
  const auto read = read_message<TilePictureMessage>(json);
  REQUIRE(read.has_value());
  json.erase("more");
  CHECK(to_json(*read) == json);
  CHECK(json["mime"] == "image/png");
  CHECK(json["tile"] == Json{1, 2});
  CHECK(json["frame"] == 7);
  CHECK_FALSE(to_json(tile_picture({1, 2}, std::nullopt, "x")).contains("frame"));
}

TEST_CASE("previews are accepted by their header") {
  CHECK(passes(png_head(256, 256)));
  CHECK(passes(png_head(1, 1)));
  CHECK_FALSE(passes(png_head(257, 1)));
  CHECK_FALSE(passes(png_head(1, 60'000)));
  CHECK_FALSE(passes(png_head(0, 10)));
  CHECK_FALSE(passes(png_head(192, 120).replace(1, 3, "GIF")));
  CHECK_FALSE(passes(""));
  CHECK(passes(png_head(192, 120) + std::string(tile_picture_bytes_max - 30, 'x')));
  CHECK_FALSE(passes(png_head(192, 120) + std::string(tile_picture_bytes_max, 'x')));
}

TEST_CASE("an invalid preview is refused") {
  const auto good = preview(png_head(192, 120) + "pixels");
  const auto problem = [&](const char* place, const Json& value) {
    return problem_with<TilePictureMessage>(good, place, value);
  };
  const auto text = good["base64"].get<std::string>();
  const std::string wrong = "base64 must be a PNG of at most 256 pixels each way and 192 KiB, in base64";
  CHECK(problem("/base64", text).empty());
  CHECK(problem("/frame", 9).empty());
  CHECK(problem("/frame", "nine").empty());
  CHECK(problem("/tile", {1}) == "tile must be [column, row]");
  CHECK(problem("/tile", {1, -1}) == "tile must be [column, row]");
  CHECK(problem("/tile", "1,2") == "tile must be [column, row]");
  CHECK(problem("/mime", "image/svg+xml") == "mime must be image/png");
  CHECK(problem("/base64", 5) == "base64 must be a string of at most 262144 bytes");
  CHECK(problem("/base64", text + "A") == wrong);
  CHECK(problem("/base64", text + "A<>=") == wrong);
  CHECK(problem("/base64", text + "=AAA") == wrong);
  CHECK(problem_of<TilePictureMessage>(Json::array()) == "it must be an object");
  CHECK(problem_of<TilePictureMessage>(Json::object()) == "tile is missing");
}
