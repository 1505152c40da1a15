// Whether a text consists of exactly `count` lower-case hex digits.
#pragma once

#include <cstddef>
#include <string_view>

namespace lw {

constexpr bool are_digits(std::string_view text, std::size_t count) {
  return text.size() == count && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace lw
