// Parses a text that is a decimal number and nothing else; empty if it is not, or does not fit the type.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace lw {

template <class T>
std::optional<T> whole_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace lw
