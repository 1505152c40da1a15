#include "probe/capacity/rate_search.h"

#include <algorithm>

namespace lw {
namespace {

constexpr unsigned mbit_of_middle_step = 100, mbit_of_high_step = 1000;
constexpr unsigned steps_back = 3;  // times fast_rows, once: what the fast search went too far

unsigned mbit_of_row(unsigned row) {
  if (row <= rate_row_1_gbit) return row;
  if (row <= rate_row_10_gbit) return 1000 + (row - rate_row_1_gbit) * mbit_of_middle_step;
  return 10'000 + (row - rate_row_10_gbit) * mbit_of_high_step;
}

}  // namespace

BitRate rate_of_row(unsigned row) { return {row == 0 ? 0.5e6 : mbit_of_row(std::min(row, rate_row_last)) * 1e6}; }

unsigned row_of_rate(BitRate rate) {
  unsigned row = 0;
  while (row < rate_row_last && rate_of_row(row + 1) <= rate) ++row;
  return row;
}

void RateSearch::take(const SearchReport& report) {
  if (report.packets == 0) return;
  delay_range_ = report.delay_range.value_or(delay_range_);
  const bool errors = report.sequence_errors > settings_.sequence_errors;
  if (!errors && delay_range_ < settings_.delay_low)
    faster();
  else if (errors || delay_range_ > settings_.delay_high)
    slower();
  row_ = std::min(row_, settings_.last_row);
}

// The fast search ends at 1 Gbit/s, where a row is a larger step.
void RateSearch::faster() {
  if (row_ < rate_row_1_gbit && !congested()) {
    row_ = std::min(row_ + settings_.fast_rows, rate_row_1_gbit);
    bad_reports_ = 0;
  } else {
    ++row_;
  }
}

void RateSearch::slower() {
  ++bad_reports_;
  const unsigned back =
      row_ < rate_row_1_gbit && bad_reports_ == settings_.congested_after ? steps_back * settings_.fast_rows : 1;
  row_ -= std::min(row_, back);
}

}  // namespace lw
