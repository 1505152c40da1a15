// Laws of the conversion between colours. tests/e2e/colour_test.py compares its values with the standards'.
#include "ingest/colour_map.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <vector>

namespace lw {
namespace {

using Pixel = std::array<float, 3>;

Pixel mapped(const ColourMap& map, Pixel pixel) {
  map.apply({&pixel[0], 1}, {&pixel[1], 1}, {&pixel[2], 1});
  return pixel;
}

std::vector<Colour> all_colours() {
  std::vector<Colour> colours;
  for (const auto primaries : all_primaries)
    for (const auto transfer : all_transfers) colours.push_back({primaries, transfer});
  return colours;
}

template <class Check>
void for_each_pair(Check check) {
  for (const auto& from : all_colours())
    for (const auto& to : all_colours()) {
      if (from == to) continue;
      INFO(to_text(from) << " to " << to_text(to));
      check(ColourMap(as_source(from), to, 1000), from, to);
    }
}

TEST_CASE("black stays black, and greys stay grey and in their order") {
  for_each_pair([](const ColourMap& map, const Colour&, const Colour&) {
    for (const auto value : mapped(map, {0, 0, 0})) CHECK(value * 1023 < 0.2F);
    float before = 0;
    for (int step = 1; step <= 1000; ++step) {
      const auto value = static_cast<float>(step) / 1000;
      const auto grey = mapped(map, {value, value, value});
      const auto [least, most] = std::ranges::minmax(grey);
      REQUIRE(most - least < 1e-4F);
      REQUIRE(least >= before - 1e-5F);
      before = least;
    }
  });
}

TEST_CASE("no value leaves the range of code values, whatever comes in") {
  std::mt19937 random(11);
  std::uniform_real_distribution<float> any(-0.5F, 1.5F);
  for_each_pair([&](const ColourMap& map, const Colour&, const Colour&) {
    for (int i = 0; i < 500; ++i)
      for (const auto value : mapped(map, {any(random), any(random), any(random)})) REQUIRE((value >= 0 && value <= 1));
    constexpr auto nothing = std::numeric_limits<float>::quiet_NaN();
    for (const auto value : mapped(map, {nothing, nothing, nothing})) REQUIRE(value * 1023 < 0.2F);
  });
}

TEST_CASE("SDR survives HDR and wider primaries") {
  std::mt19937 random(5);
  std::uniform_int_distribution<int> code(0, 255);
  const Colour sdr;
  for (const auto& wide : all_colours()) {
    // HDR would be mapped to less light on the way back.
    if (wide == sdr || wide.transfer != Transfer::sdr) continue;
    const ColourMap there(as_source(sdr), wide, 1000), back(as_source(wide), sdr, 1000);
    for (int i = 0; i < 2000; ++i) {
      const Pixel pixel{static_cast<float>(code(random)) / 255, static_cast<float>(code(random)) / 255,
                        static_cast<float>(code(random)) / 255};
      const auto again = mapped(back, mapped(there, pixel));
      // The dark channel of a saturated colour is a small difference of bright ones.
      for (std::size_t c = 0; c < 3; ++c)
        REQUIRE(again[c] * 255 == Approx(pixel[c] * 255).margin(pixel[c] * 255 < 8 ? 1 : 0.1));
    }
  }
}

TEST_CASE("the white of SDR is the reference white of HDR") {
  const auto white = [](const Colour& to) { return mapped(ColourMap(SourceColour{}, to, 1000), {1, 1, 1})[0]; };
  CHECK(white({Primaries::bt2020, Transfer::pq}) == Approx(0.5807).margin(0.0005));  // BT.2408: 58 %
  CHECK(white({Primaries::bt2020, Transfer::hlg}) == Approx(0.75).margin(0.002));    // BT.2408: 75 %
}

TEST_CASE("the brightest content of HDR is the white of SDR, and what is brighter also") {
  for (const double peak : {400.0, 1000.0, 4000.0}) {
    const ColourMap map({AVCOL_PRI_BT2020, Transfer::pq}, {}, peak);
    CHECK(mapped(map, {1, 1, 1})[0] == Approx(1));
  }
  const ColourMap from_hlg({AVCOL_PRI_BT2020, Transfer::hlg}, {}, 1000);
  CHECK(mapped(from_hlg, {1, 1, 1})[0] == Approx(1).margin(1e-4));
}

TEST_CASE("red of BT.709 is inside BT.2020, and the white of DCI is white") {
  const auto red = mapped(ColourMap(SourceColour{}, {Primaries::bt2020, Transfer::sdr}, 1000), {1, 0, 0});
  // BT.2087, table 1: 0.6274, 0.0691 and 0.0164 of light.
  CHECK(red[0] == Approx(0.8235).margin(0.0005));
  CHECK(red[1] == Approx(0.3284).margin(0.0005));
  CHECK(red[2] == Approx(0.1805).margin(0.001));
  const auto white = mapped(ColourMap({AVCOL_PRI_SMPTE431, Transfer::sdr}, {}, 1000), {1, 1, 1});
  for (const auto value : white) CHECK(value == Approx(1).margin(1e-4));
}

}  // namespace
}  // namespace lw
