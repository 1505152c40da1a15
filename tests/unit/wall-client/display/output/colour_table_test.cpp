#include "wall-client/display/output/colour_table.h"

#include "tests/unit/wall-client/display/output_files.h"

#include <catch2/catch.hpp>

#include <random>

using namespace lw;
using namespace lw::test;

namespace {

void check_near(const Rgb& a, const Rgb& b) {
  for (std::size_t i = 0; i < 3; ++i) CHECK(a[i] == Approx(b[i]).margin(2e-5));
}

}  // namespace

TEST_CASE("a table of an affine function is that function, in every domain") {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    std::array<Rgb, 4> rows{};
    for (auto& row : rows)
      for (auto& value : row) value = even(random, -1, 1);
    const auto affine = [&](const Rgb& in) {
      Rgb out = rows[3];
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) out[i] += rows[i][j] * in[j];
      return out;
    };
    const Rgb low{even(random, -1, 0), 0, even(random, -1, 0)}, high{1, even(random, 1, 2), 1};
    const auto table = table_by(one_of(random, 2, 10), affine, low, high);
    for (int i = 0; i < 20; ++i) {
      const Rgb in{even(random, 0, 1), even(random, 0, 1), even(random, 0, 1)};
      check_near(table(in), affine(in));
    }
  }
}

TEST_CASE("a table's entries come out as they are, and colours between them lie between them") {
  std::mt19937 random(4);
  const auto table = table_by(7, [&](const Rgb&) {
    return Rgb{even(random, 0, 1), even(random, 0, 1), even(random, 0, 1)};
  });
  for (unsigned blue = 0; blue < 7; ++blue)
    for (unsigned green = 0; green < 7; ++green)
      for (unsigned red = 0; red < 7; ++red)
        check_near(table({static_cast<float>(red) / 6, static_cast<float>(green) / 6, static_cast<float>(blue) / 6}),
                   table.at(red, green, blue));
  for (int i = 0; i < 1000; ++i)
    for (const float value : table({even(random, 0, 1), even(random, 0, 1), even(random, 0, 1)}))
      CHECK((value >= 0 && value <= 1));
  check_near(table({-5, 9, 0.5F}), table({0, 1, 0.5F}));  // beyond the domain: its end
}

TEST_CASE("greys of a table of greys stay grey") {
  const auto table = table_by(5, [](const Rgb& in) {
    return in[0] == in[1] && in[1] == in[2] ? Rgb{in[0] * in[0], in[0] * in[0], in[0] * in[0]} : Rgb{1, 0, in[0]};
  });
  for (int i = 0; i <= 100; ++i) {
    const auto grey = static_cast<float>(i) / 100;
    const auto out = table({grey, grey, grey});
    CHECK(out[0] == Approx(out[1]));
    CHECK(out[1] == Approx(out[2]));
  }
}

TEST_CASE("curves come before the cube") {
  auto table = table_by(3, [](const Rgb& in) { return in; });
  for (int i = 0; i < 257; ++i) {
    const auto value = static_cast<float>(i) / 256;
    table.curves.push_back({value * value, value, 1 - value});
  }
  const auto out = table({0.5F, 0.25F, 0.125F});
  check_near(out, {0.25F, 0.25F, 0.875F});
  CHECK_FALSE(table.is_identity());
}

TEST_CASE("last curves come after the cube, over square roots") {
  auto table = table_by(2, [](const Rgb& in) { return Rgb{in[0] - 0.5F, in[1] + 0.5F, in[2]}; });
  for (int i = 0; i < 1001; ++i) {
    const auto root = static_cast<float>(i) / 1000;
    table.last_curves.push_back({root, root, 1 - root * root});
  }
  check_near(table({0.75F, 0.25F, 0.3F}), {0.5F, std::sqrt(0.75F), 0.7F});
  check_near(table({0.25F, 0.75F, 0}), {0, 1, 1});
}

TEST_CASE("a table that changes no colour is known") {
  const auto same = [](const Rgb& in) { return in; };
  CHECK(table_by(2, same).is_identity());
  CHECK(table_by(33, same).is_identity());
  CHECK(table_by(9, same, {-1, 0, 0}, {1, 2, 1}).is_identity());
  CHECK_FALSE(table_by(9, same, {0, 0, 0}, {1, 0.5F, 1}).is_identity());
  auto one = table_by(33, same);
  one.cube[20'000][1] += 0.5F / 255;
  CHECK_FALSE(one.is_identity());
}
