// Whether a text is so many lower-case hex digits, and nothing else.
#pragma once

#include <cstddef>
#include <string_view>

namespace lw {

constexpr bool are_digits(std::string_view text, std::size_t count) {
  return text.size() == count && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace lw
