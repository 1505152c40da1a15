#include "probe/results/statistics.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <numeric>

namespace lw {
namespace {

std::vector<double> ranks(std::size_t count) {
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

TEST_CASE("quantiles equal NumPy's") {
  // numpy.quantile([1, 2, 3, 4], [0, .25, .5, .9, 1])
  const auto values = ranks(4);
  CHECK(quantile(values, 0) == Approx(1));
  CHECK(quantile(values, 0.25) == Approx(1.75));
  CHECK(quantile(values, 0.5) == Approx(2.5));
  CHECK(quantile(values, 0.9) == Approx(3.7));
  CHECK(quantile(values, 1) == Approx(4));
  CHECK(quantile(ranks(1), 0.25) == Approx(1));
}

TEST_CASE("a median's interval lies between the ranks in tables of the sign test") {
  // Ranks for 95 % as in Conover, Practical Nonparametric Statistics, table A3, and Hahn and Meeker, table A.15a.
  struct Case {
    std::size_t count;
    double low, high, coverage;
  };
  for (const auto& known : {Case{6, 1, 6, 0.96875}, Case{8, 1, 8, 0.9921875}, Case{9, 2, 8, 0.9609375},
                            Case{10, 2, 9, 0.978515625}, Case{20, 6, 15, 0.958610535}, Case{30, 10, 21, 0.957226114}}) {
    const auto interval = median_interval(ranks(known.count)).value();
    CHECK(interval.low == known.low);
    CHECK(interval.high == known.high);
    CHECK(interval.coverage == Approx(known.coverage).epsilon(1e-6));
  }
}

TEST_CASE("too few values for 95 % are reported as such") {
  const auto five = median_interval(ranks(5)).value();
  CHECK(five.low == 1);
  CHECK(five.high == 5);
  CHECK(five.coverage == Approx(0.9375));
  CHECK(median_interval(ranks(2)).value().coverage == Approx(0.5));
  CHECK_FALSE(median_interval(ranks(1)).has_value());
  CHECK_FALSE(median_figure({}).has_value());
  const auto one = median_figure(ranks(1)).value();
  CHECK(one.median == 1);
  CHECK(one.runs == 1);
}

TEST_CASE("captions state the coverage that intervals have") {
  const auto text = [](std::vector<std::size_t> counts) { return coverage_text(counts); };
  CHECK(text({10, 6}) ==
        "Intervals contain the median with a probability of 97.9 % (10 runs: 2nd to 9th), 96.9 % (6 runs: least to "
        "greatest).");
  CHECK(text({6, 7, 8, 9, 10, 3}) ==
        "Intervals contain the median with a probability of at least 95 % (6 runs or more), 75 % (3 runs: least to "
        "greatest).");
  CHECK(text({31}) == "Intervals contain the median with a probability of 97.1 % (31 runs: 10th to 22nd).");
  CHECK(text({3, 5, 3, 1}) ==
        "Intervals contain the median with a probability of 93.8 % (5 runs: least to greatest), 75 % (3 runs: least to "
        "greatest).");
  CHECK(text({7, 2}) ==
        "Intervals contain the median with a probability of 98.4 % (7 runs: least to greatest), 50 % (2 runs: least to "
        "greatest).");
  CHECK(text({1, 0}).empty());
  for (std::size_t count = 2; count < 6; ++count)
    CHECK(median_interval(ranks(count)).value().coverage == Approx(1 - std::exp2(1 - static_cast<double>(count))));
}

}  // namespace
}  // namespace lw
