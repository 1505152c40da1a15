#include "probe/report/flow_sum.h"

#include <catch2/catch.hpp>

namespace lw {
namespace {

ResultFlow flow_of(double begin_s, double length_s, const std::vector<double>& rates) {
  ResultFlow flow;
  for (const double rate : rates) {
    flow.intervals.push_back({begin_s, begin_s + length_s, {{"gbit_per_s", rate}}});
    begin_s += length_s;
  }
  return flow;
}

TEST_CASE("flows with equal intervals are added up") {
  const auto a = flow_of(0, 1, {1, 2, 3}), b = flow_of(0, 1, {10, 10, 10});
  const auto sum = sum_over_time(std::vector{&a, &b}, "gbit_per_s");
  REQUIRE(sum.size() == 3);
  CHECK(sum[0].value == Approx(11));
  CHECK(sum[2].value == Approx(13));
  CHECK(sum[2].end_s == Approx(3));
}

TEST_CASE("intervals that overlap in part count by their overlap") {
  const auto a = flow_of(0, 1, {4, 4, 4, 4}), late = flow_of(1.5, 1, {2, 2});
  const auto sum = sum_over_time(std::vector{&a, &late}, "gbit_per_s");
  REQUIRE(sum.size() == 4);
  CHECK(sum[0].value == Approx(4));
  CHECK(sum[1].value == Approx(5));
  CHECK(sum[2].value == Approx(6));
  CHECK(sum[3].value == Approx(5));
}

TEST_CASE("an interval without a length or a figure adds nothing") {
  const auto empty = flow_of(0, 0, {1, 1}), other = flow_of(0, 1, {1});
  CHECK(sum_over_time(std::vector{&empty}, "gbit_per_s").empty());
  CHECK(sum_over_time(std::vector{&other}, "loss").empty());
}

}  // namespace
}  // namespace lw
