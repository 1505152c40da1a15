#include "probe/report/quantity.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace lw {
namespace {

TEST_CASE("times and sizes have the unit that suits them") {
  CHECK(quantity_text(10'000, "µs") == "10 ms");
  CHECK(quantity_text(61.26, "µs") == "61.26 µs");
  CHECK(quantity_text(0.5, "µs") == "500 ns");
  CHECK(quantity_text(0.25, "s") == "250 ms");
  CHECK(quantity_text(90, "s") == "90 s");
  CHECK(quantity_text(999.999, "ms") == "1000 ms");
  CHECK(quantity_text(-2000, "ms") == "-2 s");
  CHECK(quantity_text(0, "ms") == "0");
  CHECK(quantity_text(1 << 20, "bytes") == "1 MiB");
  CHECK(quantity_text(1536 * 1024, "bytes") == "1.5 MiB");
  CHECK(quantity_text(1472, "bytes") == "1472 B");
  CHECK(quantity_text(8900, "bytes") == "8900 B");
  CHECK(quantity_text(8192, "bytes") == "8 KiB");
  CHECK(quantity_text(100'000'000, "bytes") == "95.37 MiB");
  CHECK(quantity_text(26.754321, "Gbit/s") == "26.754 Gbit/s");
  CHECK(quantity_text(6, "") == "6");
}

TEST_CASE("ticks are round") {
  using Ticks = std::vector<double>;
  CHECK(round_ticks(0, 4, false, "") == Ticks{0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4});
  CHECK(round_ticks(0, 700, false, "µs") == Ticks{0, 100, 200, 300, 400, 500, 600, 700});
  CHECK(round_ticks(1, 1000, true, "ms") == Ticks{1, 10, 100, 1000});
  CHECK(round_ticks(3, 60, true, "Gbit/s") == Ticks{5, 10, 20, 50});
  CHECK(round_ticks(1024, 65'536, true, "bytes") == Ticks{1024, 2048, 4096, 8192, 16'384, 32'768, 65'536});
  CHECK(round_ticks(0, 3 << 20, false, "bytes") == Ticks{0, 1 << 19, 1 << 20, 3 << 19, 2 << 20, 5 << 19, 3 << 20});
  CHECK(round_ticks(5, 5, false, "").empty());
}

TEST_CASE("ticks lie within any range, are few, ascend, and have different texts") {
  std::mt19937 random(24);
  std::uniform_real_distribution<double> exponent(-9, 12), share(0, 1);
  constexpr std::array units{"", "µs", "bytes", "Gbit/s", "s"};
  for (int i = 0; i < 4000; ++i) {
    const bool log = i % 2 == 0;
    const std::string unit = units[static_cast<std::size_t>(i / 2) % units.size()];
    // No axis shows parts of a byte, and none a thousandth of its values' size.
    const double low =
        unit == "bytes" ? std::floor(std::pow(10, std::abs(exponent(random)))) + 1 : std::pow(10, exponent(random));
    const double high = low * (1.5 + std::pow(10, 6 * share(random))) + (unit == "bytes" ? 16 : 0);
    const auto ticks = round_ticks(low, high, log, unit);
    INFO(low << " to " << high << " " << unit << (log ? " log" : ""));
    REQUIRE(!ticks.empty());
    CHECK(ticks.size() <= 12);
    CHECK(std::ranges::adjacent_find(ticks, std::greater_equal{}) == ticks.end());
    std::string before;
    for (const double tick : ticks) {
      CHECK(tick >= low * (1 - 1e-6));
      CHECK(tick <= high * (1 + 1e-6));
      const auto text = quantity_text(tick, unit);
      CHECK(text != before);
      before = text;
    }
  }
}

}  // namespace
}  // namespace lw
