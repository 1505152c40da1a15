#include "ingest/float_table.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <random>

namespace lw {
namespace {

TEST_CASE("a table is as exact for small numbers as for large ones") {
  const FloatTable power([](double x) { return std::pow(x, 0.3); });
  std::mt19937 random(7);
  std::uniform_real_distribution<double> exponent(-32, 7);
  for (int i = 0; i < 100'000; ++i) {
    const auto x = static_cast<float>(std::exp2(exponent(random)));
    REQUIRE(power(x) == Approx(std::pow(double{x}, 0.3)).epsilon(2e-6));
  }
}

TEST_CASE("numbers beyond a table are those of its ends") {
  const FloatTable table([](double x) { return x; });
  CHECK(table(1000) == 128);
  CHECK(table(std::numeric_limits<float>::infinity()) == 128);
  for (const float small : {0.0F, -0.0F, -3.0F, 1e-30F}) CHECK(table(small) == std::exp2(-32.0F));
}

}  // namespace
}  // namespace lw
