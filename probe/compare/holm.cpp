#include "probe/compare/holm.h"

#include "probe/compare/least_p.h"

#include <algorithm>

namespace lw {
namespace {

// For those that count, from the smallest p on.
std::vector<std::size_t> counted_in_order(std::span<const TestedP> tests, double alpha) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < tests.size(); ++i)
    if (at_most_alpha(tests[i].least_p, alpha)) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return tests[i].p; });
  return order;
}

// The number of tests that a figure would be counted among if its p were least_p: those that do not differ, itself, and
// those that differ with a larger p.
std::size_t factor_of(const TestedP& test, std::span<const double> differing, std::size_t counted) {
  const auto before = std::ranges::upper_bound(differing, test.least_p) - differing.begin();
  const auto others = std::max<std::size_t>(counted, 1);
  return others - std::min(static_cast<std::size_t>(before), others - 1);
}

}  // namespace

AdjustedTests holm(std::span<const TestedP> tests, double alpha) {
  const auto order = counted_in_order(tests, alpha);
  AdjustedTests out{std::vector<AdjustedP>(tests.size()), order.size()};
  std::vector<double> differing;
  double so_far = 0;
  for (std::size_t place = 0; place < order.size(); ++place) {
    const auto& test = tests[order[place]];
    so_far = std::min(1.0, std::max(so_far, test.p * static_cast<double>(order.size() - place)));
    out.tests[order[place]].p = so_far;
    if (at_most_alpha(so_far, alpha)) differing.push_back(test.p);
  }
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const bool counts = at_most_alpha(tests[i].least_p, alpha);
    auto& adjusted = out.tests[i];
    adjusted.factor = factor_of(tests[i], differing, order.size() + (counts ? 0 : 1));
    adjusted.can_differ = at_most_alpha(tests[i].least_p * static_cast<double>(adjusted.factor), alpha);
  }
  return out;
}

}  // namespace lw
