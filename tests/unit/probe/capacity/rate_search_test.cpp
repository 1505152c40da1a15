// Pins the search of RFC 9097: the table of section 8.1, and the branches of the pseudo-code in appendix A, each by a
// list of reports and the rows that follow.
#include "probe/capacity/rate_search.h"

#include <catch2/catch.hpp>

#include <vector>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr SearchReport good{100, 0, 1ms};
constexpr SearchReport between{100, 10, 60ms};  // neither: 10 errors are no congestion, nor is this range
constexpr SearchReport lossy{100, 11, 1ms};
constexpr SearchReport slow{100, 0, 91ms};

RateSearch at_row(unsigned row) { return RateSearch({.first_row = row}); }

std::vector<unsigned> rows_of(RateSearch search, const std::vector<SearchReport>& reports) {
  std::vector<unsigned> rows;
  for (const auto& report : reports) {
    search.take(report);
    rows.push_back(search.row());
  }
  return rows;
}
using Rows = std::vector<unsigned>;

}  // namespace

TEST_CASE("the table of rates is that of the RFC") {
  CHECK(rate_of_row(0).bits_per_second == 0.5e6);
  CHECK(rate_of_row(1).bits_per_second == 1e6);
  CHECK(rate_of_row(2).bits_per_second == 2e6);
  CHECK(rate_of_row(rate_row_1_gbit).gbit() == Approx(1));
  CHECK(rate_of_row(rate_row_1_gbit + 1).gbit() == Approx(1.1));
  CHECK(rate_of_row(rate_row_10_gbit).gbit() == Approx(10));
  CHECK(rate_of_row(rate_row_10_gbit + 1).gbit() == Approx(11));
  CHECK(rate_of_row(rate_row_last).gbit() == Approx(400));
  for (unsigned row = 0; row < rate_row_last; ++row) {
    REQUIRE(rate_of_row(row) < rate_of_row(row + 1));
    REQUIRE(row_of_rate(rate_of_row(row)) == row);
  }
  CHECK(row_of_rate({0}) == 0);
  CHECK(row_of_rate(BitRate::gbit(1.05)) == rate_row_1_gbit);
  CHECK(row_of_rate(BitRate::gbit(1e6)) == rate_row_last);
}

TEST_CASE("the search rises fast until the path is congested, and by single rows after") {
  CHECK(rows_of(at_row(0), {good, good, good}) == Rows{10, 20, 30});
  // Congestion of one or two reports costs a row each; the third costs thirty more, once.
  CHECK(rows_of(at_row(100), {lossy, lossy, lossy, lossy, lossy}) == Rows{99, 98, 68, 67, 66});
  CHECK(rows_of(at_row(100), {slow, lossy, slow, good, good}) == Rows{99, 98, 68, 69, 70});
  // Between the thresholds nothing changes, nor are reports of congestion forgotten.
  CHECK(rows_of(at_row(100), {lossy, between, lossy, between, lossy, good}) == Rows{99, 99, 98, 98, 68, 69});
  // A good report before congestion is confirmed restarts the count.
  CHECK(rows_of(at_row(100), {lossy, lossy, good, lossy, lossy, lossy}) == Rows{99, 98, 108, 107, 106, 76});
}

TEST_CASE("the search stays within its table") {
  CHECK(rows_of(at_row(20), {lossy, lossy, lossy, lossy}) == Rows{19, 18, 0, 0});
  CHECK(rows_of(RateSearch({.first_row = 5, .last_row = 12}), {good, good, good}) == Rows{12, 12, 12});
  CHECK(rows_of(at_row(rate_row_last - 1), {good, good, good}) == Rows{rate_row_last, rate_row_last, rate_row_last});
}

TEST_CASE("above 1 Gbit/s, where rows are larger steps, the search moves by single rows") {
  CHECK(rows_of(at_row(995), {good, good, good}) == Rows{1000, 1001, 1002});
  CHECK(rows_of(at_row(1010), {lossy, lossy, lossy, lossy}) == Rows{1009, 1008, 1007, 1006});
}

TEST_CASE("thresholds are those of the settings") {
  CHECK(rows_of(RateSearch({.first_row = 50, .sequence_errors = 11}), {lossy}) == Rows{60});
  CHECK(rows_of(RateSearch({.first_row = 50, .delay_low = 1ms}), {good}) == Rows{50});  // not below it
  CHECK(rows_of(RateSearch({.first_row = 50, .delay_high = 91ms}), {slow}) == Rows{50});
  CHECK(rows_of(RateSearch({.first_row = 50, .congested_after = 1}), {lossy, lossy}) == Rows{20, 19});
  CHECK(rows_of(RateSearch({.first_row = 50, .fast_rows = 3}), {good}) == Rows{53});
}

TEST_CASE("a report without packets says nothing, and one without a delay repeats the one before") {
  CHECK(rows_of(at_row(50), {{0, 0, {}}, {0, 1000, 1s}}) == Rows{50, 50});
  CHECK(rows_of(at_row(50), {{100, 0, {}}}) == Rows{60});
  CHECK(rows_of(at_row(50), {between, {100, 0, {}}, good, {100, 0, {}}}) == Rows{50, 50, 60, 70});
}
