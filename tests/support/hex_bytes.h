// Recorded packets in tests: hex digits as bytes.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace lw {

inline std::vector<std::byte> hex_bytes(std::string_view digits) {
  const auto value = [](char digit) { return static_cast<unsigned>(digit <= '9' ? digit - '0' : digit - 'a' + 10); };
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(value(digits[i]) << 4U | value(digits[i + 1])));
  return bytes;
}

}  // namespace lw
