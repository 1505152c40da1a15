#include "common/fec/loss_prediction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace lw {
namespace {

// The probability that more than `allowed` of `packets` are lost, if they are `distance` packets apart.
double more_lost_than(unsigned allowed, std::size_t packets, std::size_t distance, const PathLoss& path) {
  // The remaining influence of a state after that distance. Zero if losses are independent.
  const double memory = std::pow(1 - path.leave_bad() - path.enter_bad(), static_cast<double>(distance));
  const double good_to_bad = path.loss * (1 - memory);
  const double bad_to_bad = path.loss + (1 - path.loss) * memory;

  // state[s][n]: probability of being in state s with n losses so far.
  std::array<std::vector<double>, 2> state;
  for (auto& losses : state) losses.assign(allowed + 2, 0);
  state[0][0] = 1 - path.loss;
  state[1][1] = path.loss;
  for (std::size_t i = 1; i < packets; ++i) {
    std::array<std::vector<double>, 2> next;
    for (auto& losses : next) losses.assign(allowed + 2, 0);
    for (unsigned n = 0; n <= allowed + 1; ++n) {
      const unsigned more = std::min(n + 1, allowed + 1);
      next[0][n] += state[0][n] * (1 - good_to_bad) + state[1][n] * (1 - bad_to_bad);
      next[1][more] += state[0][n] * good_to_bad + state[1][n] * bad_to_bad;
    }
    state = next;
  }
  return state[0][allowed + 1] + state[1][allowed + 1];
}

}  // namespace

double frame_loss_probability(const FecGroups& groups, FecStrength strength, const PathLoss& path) {
  if (path.loss <= 0) return 0;
  if (path.loss >= 1) return 1;
  double sum = 0;
  for (std::size_t group = 0; group < groups.count(); ++group)
    sum += more_lost_than(strength.parity, groups.size(group) + strength.parity, groups.count(), path);
  return std::min(1.0, sum);
}

}  // namespace lw
