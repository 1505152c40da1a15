// A change that a plan does not need, or that makes an impossible one possible, in the words of the wall file and the
// programs.
#pragma once

#include <string>

namespace lw {

struct Recommendation {
  std::string what;
  std::string why;
};

}  // namespace lw
