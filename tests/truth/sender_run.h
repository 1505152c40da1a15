// The real sender on virtual time, between a test that offers frames and the real receiver at the end of a path. What
// left, when, and what came back is seen at the sender's sockets: its figures are compared with that.
#pragma once

#include "tests/truth/figure.h"
#include "tests/truth/known_path.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lw::truth {

struct SenderCase {
  std::string name = {};
  std::uint64_t seed = 0;
  unsigned loss_per_mille = 0;     // on the way to the receiver
  unsigned refused_per_mille = 0;  // by the sender's kernel, of media and parity
  unsigned late_per_mille = 0;     // frames that are offered a second after their media time
  Recovery recovery = Recovery::none;
  Nanoseconds clock_offset{0};  // of the sender's clock
  std::int64_t clock_drift_ppm = 0;
};

std::vector<SenderCase> sender_cases(std::uint64_t seed);
std::vector<Figure> figures_of(const SenderCase& chosen);

}  // namespace lw::truth
