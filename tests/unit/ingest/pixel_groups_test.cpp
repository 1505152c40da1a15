#include "ingest/pixel_groups.h"

#include <array>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

TEST_CASE("a 10-bit pixel group is Cb Y0 Cr Y1, the most significant bit first") {
  const std::array<std::uint16_t, 2> luma{0b00'0000'0001, 0b10'0000'0001};
  const std::uint16_t cb = 0b11'1111'1111;
  const std::uint16_t cr = 0b10'1010'1010;
  std::array<std::byte, 5> group{};
  lw::pack_groups_10(luma.data(), &cb, &cr, 1, group.data());
  const std::array<unsigned, 5> expected{0b1111'1111, 0b1100'0000, 0b0001'1010, 0b1010'1010, 0b0000'0001};
  for (std::size_t i = 0; i < 5; ++i) CHECK(std::to_integer<unsigned>(group[i]) == expected[i]);
}

TEST_CASE("four RGB pixels of 10 bits are 15 bytes, the most significant bit first") {
  const std::array<std::uint16_t, 4> red{1023, 0, 1, 512}, green{0, 1023, 2, 0}, blue{0, 0, 1023, 1};
  std::array<std::byte, 15> group{};
  lw::pack_rgb_10(red.data(), green.data(), blue.data(), 1, group.data());
  for (unsigned bit = 0; bit < 120; ++bit) {
    const auto x = bit / 30;
    const auto value = bit % 30 < 10 ? red[x] : bit % 30 < 20 ? green[x] : blue[x];
    CHECK((std::to_integer<unsigned>(group[bit / 8]) >> (7 - bit % 8) & 1U) == (value >> (9 - bit % 10) & 1U));
  }
}

namespace {

std::vector<std::uint16_t> values(std::mt19937& random, std::size_t count) {
  std::vector<std::uint16_t> result(count);
  for (auto& value : result) value = static_cast<std::uint16_t>(random() & 1023U);
  return result;
}

}  // namespace

TEST_CASE("RGB pixels are unpacked as they were packed") {
  std::mt19937 random(8);
  const auto red = values(random, 400), green = values(random, 400), blue = values(random, 400);
  std::vector<std::byte> packed(1500);
  lw::pack_rgb_10(red.data(), green.data(), blue.data(), 100, packed.data());
  std::vector<std::uint16_t> r(400), g(400), b(400);
  lw::unpack_rgb_10(packed.data(), 100, r.data(), g.data(), b.data());
  CHECK(r == red);
  CHECK(g == green);
  CHECK(b == blue);
}

TEST_CASE("groups are unpacked as they were packed") {
  std::mt19937 random(7);
  const auto luma = values(random, 400);
  const auto cb = values(random, 200);
  const auto cr = values(random, 200);
  std::vector<std::byte> packed(1000);
  lw::pack_groups_10(luma.data(), cb.data(), cr.data(), 200, packed.data());
  std::vector<std::uint16_t> y(400);
  std::vector<std::uint16_t> b(200);
  std::vector<std::uint16_t> r(200);
  lw::unpack_groups_10(packed.data(), 200, y.data(), b.data(), r.data());
  CHECK(y == luma);
  CHECK(b == cb);
  CHECK(r == cr);
}
