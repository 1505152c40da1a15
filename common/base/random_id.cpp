#include "common/base/random_id.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <array>
#include <cassert>
#include <cstdint>

namespace lw {

std::string random_id() {
  std::array<std::uint64_t, 2> bits{};
  // A few bytes are returned completely and, once the host has started, without waiting.
  [[maybe_unused]] const auto got = ::getrandom(bits.data(), sizeof(bits), 0);
  assert(got == sizeof(bits));
  return fmt::format("{:016x}{:016x}", bits[0], bits[1]);
}

}  // namespace lw
