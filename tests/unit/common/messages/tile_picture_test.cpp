// A preview passes unchanged; an invalid one, or one that is too large to decode, does not.
#include "common/messages/tile_picture.h"

#include <catch2/catch.hpp>

#include <string>

namespace {

using namespace lw;

std::string png_head(unsigned width, unsigned height) {
  std::string png("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", 16);
  for (const unsigned side : {width, height})
    for (const unsigned shift : {24U, 16U, 8U, 0U}) png += static_cast<char>(side >> shift & 255U);
  return png + std::string("\x08\x02\0\0\0", 5);
}

bool passes(const std::string& png) { return checked_tile_picture(tile_picture_json({1, 2}, 7, png)).has_value(); }

}  // namespace

TEST_CASE("a tile's preview arrives with its known members only") {
  auto message = tile_picture_json({1, 2}, 7, png_head(192, 120) + "pixels");
  message["more"] = 1;
  const auto checked = checked_tile_picture(message);
  REQUIRE(checked);
  message.erase("more");
  CHECK(*checked == message);
  CHECK((*checked)["frame"] == 7);
  CHECK_FALSE(tile_picture_json({1, 2}, std::nullopt, "x").contains("frame"));
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
  const auto good = tile_picture_json({1, 2}, 7, png_head(192, 120) + "pixels");
  const auto with = [&](const char* member, const Json& value) {
    auto changed = good;
    changed[member] = value;
    return checked_tile_picture(changed).has_value();
  };
  CHECK(with("base64", good["base64"]));
  CHECK(with("frame", 9));
  CHECK_FALSE(with("tile", {1}));
  CHECK_FALSE(with("tile", {1, -1}));
  CHECK_FALSE(with("tile", "1,2"));
  CHECK_FALSE(with("mime", "image/svg+xml"));
  CHECK_FALSE(with("base64", 5));
  CHECK_FALSE(with("base64", good["base64"].get<std::string>() + "A"));
  CHECK_FALSE(with("base64", good["base64"].get<std::string>() + "A<>="));
  CHECK_FALSE(with("base64", good["base64"].get<std::string>() + "=AAA"));
  CHECK_FALSE(checked_tile_picture(Json::array()).has_value());
  CHECK_FALSE(checked_tile_picture(Json::object()).has_value());
}
