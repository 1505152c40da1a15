#include "probe/mpcdi/region_files.h"

#include "tests/unit/probe/mpcdi/mpcdi_maker.h"
#include "wall-client/display/output/grey_map.h"
#include "wall-client/display/output/warp_mesh.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace lw;
using namespace lw::test;

namespace {

constexpr float none = std::numeric_limits<float>::quiet_NaN();
const PlaceOnTile same{};  // a tile that is the region

std::string error_of(const Result<TileWarp>& made) {
  REQUIRE_FALSE(made.has_value());
  CHECK_FALSE(made.error().mend.empty());
  return made.error().text();
}

}  // namespace

TEST_CASE("a warp of MPCDI, from the bottom, becomes one of a tile, from the top") {
  // Rows of the file from the bottom; the projector shows its lower right vertex at 0.9, 0.1 from the bottom.
  const auto made = tile_warp(pfm(2, 2, {0.1F, 0.2F, none, 0.9F, 0.1F, none, 0.1F, 0.8F, 0, none, 0.9F, 0}), same);
  REQUIRE(made.has_value());
  const auto mesh = parse_warp_mesh(made->pfm);
  REQUIRE(mesh.has_value());
  CHECK(mesh->at(0, 0).x == 0.1F);
  CHECK(mesh->at(0, 0).y == Approx(0.2));
  CHECK_FALSE(mesh->at(1, 0).shown());
  CHECK(mesh->at(0, 1).y == Approx(0.8));
  CHECK(mesh->at(1, 1).x == 0.9F);
  CHECK(mesh->at(1, 1).y == Approx(0.9));
  CHECK((made->x_low == Approx(0.1) && made->x_high == Approx(0.9) && made->y_low == Approx(0.1) &&
         made->y_high == Approx(0.8)));
}

TEST_CASE("the warp that changes nothing stays one") {
  const auto made = tile_warp(plain_pfm(5, 3), same);
  REQUIRE(made.has_value());
  const auto mesh = parse_warp_mesh(made->pfm);
  REQUIRE(mesh.has_value());
  for (unsigned row = 0; row < 3; ++row)
    for (unsigned column = 0; column < 5; ++column) {
      CHECK(mesh->at(column, row).x == Approx((column + 0.5) / 5));
      CHECK(mesh->at(column, row).y == Approx((row + 0.5) / 3));
    }
  const auto plain = parse_warp_mesh(plain_warp(same));
  REQUIRE(plain.has_value());
  CHECK((plain->at(0, 0).x == 0.25F && plain->at(0, 0).y == 0.25F && plain->at(1, 1).x == 0.75F &&
         plain->at(1, 1).y == 0.75F));
}

TEST_CASE("a warp that shows nothing, or is none, is an error") {
  CHECK(error_of(tile_warp(pfm(2, 2, std::vector<float>(12, none)), same)) ==
        "shows nothing: all of its values are NaN or infinite; export the projector's warp again");
  CHECK(error_of(tile_warp(pfm(2, 2, std::vector<float>(12, 800)), same)).find("its values are 800 to 800") !=
        std::string::npos);
  for (const std::string& bytes :
       {std::string(), std::string("PF\n2 2\n-1.0\n"), pfm(1, 4, std::vector<float>(12)),
        std::string("PF\n99999 99999\n-1.0\n"), std::string("Pf\n2 2\n-1.0\n0000000000000000"),
        std::string("PF\n-2 2\n-1.0\n"), std::string("PF\n2 2\nnan\n") + std::string(48, 'a')})
    error_of(tile_warp(bytes, same));
}

TEST_CASE("maps become light, and their colours luminance") {
  const auto grey = png(3, 1, {0, 128, 255});
  const auto kept = tile_map(grey, 1);
  REQUIRE(kept.has_value());
  CHECK(kept->png == grey);
  CHECK_FALSE(kept->coloured);
  const auto light = tile_map(grey, 2.2);
  REQUIRE(light.has_value());
  const auto map = parse_grey_map(light->png);
  REQUIRE(map.has_value());
  CHECK(map->at(0, 0) == 0);
  CHECK(map->at(1, 0) == Approx(std::pow(128 / 255.0, 2.2)).margin(1e-5));
  CHECK(map->at(2, 0) == 1);
  // Three equal channels are grey.
  const auto rgb = tile_map(png(2, 1, {7, 7, 7, 200, 200, 200}, PNG_FORMAT_RGB), 1);
  REQUIRE(rgb.has_value());
  CHECK_FALSE(rgb->coloured);
  const auto coloured = tile_map(png(1, 1, {255, 128, 0}, PNG_FORMAT_RGB), 1);
  REQUIRE(coloured.has_value());
  CHECK(coloured->coloured);
  const auto luminance = parse_grey_map(coloured->png);
  REQUIRE(luminance.has_value());
  CHECK(luminance->at(0, 0) == Approx(std::pow(0.2126 + 0.7152 * std::pow(128 / 255.0, 2.2), 1 / 2.2)).margin(0.01));
}

// After the map, code values are multiplied by what MPCDI's reference multiplies them by.
TEST_CASE("a map of gamma 2.2 blends code values as it says, within 1.2 of 255") {
  std::vector<std::uint8_t> values(256);
  for (unsigned i = 0; i < 256; ++i) values[i] = static_cast<std::uint8_t>(i);
  const auto made = tile_map(png(256, 1, values), 2.2);
  REQUIRE(made.has_value());
  const auto map = parse_grey_map(made->png);
  REQUIRE(map.has_value());
  for (unsigned i = 0; i < 256; ++i) CHECK(std::abs(255 * std::pow(map->at(i, 0), 1 / 2.2) - i) < (i < 3 ? 1.2 : 0.3));
}

TEST_CASE("a file that is not PNG is not a map") {
  const auto good = png(3, 1, {0, 128, 255});
  for (std::size_t size = 0; size < good.size(); ++size) CHECK_FALSE(tile_map(good.substr(0, size), 2).has_value());
}
