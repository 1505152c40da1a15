// A check of numbers on the command line: a number, and within bounds. (CLI::Range accepts NaN, which is neither below
// nor above anything; a bound of 0.0 would accept numbers too small to divide by.)
#pragma once

#include <charconv>
#include <functional>
#include <string>

namespace lw {

// For CLI11's check(): the error, or an empty text. With `or_zero`, 0 is also allowed, where it means "none".
inline std::function<std::string(const std::string&)> number_between(double min, double max, bool or_zero = false) {
  return [=](const std::string& text) -> std::string {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_number = error == std::errc{} && end == text.data() + text.size();
    if (is_number && ((value >= min && value <= max) || (or_zero && value == 0))) return {};
    const auto bound = [](double number) {
      auto words = std::to_string(number);
      words.erase(words.find_last_not_of('0') + 1);
      if (words.ends_with('.')) words.pop_back();
      return words;
    };
    return "'" + text + "' is not a number from " + bound(min) + " to " + bound(max) + (or_zero ? ", or 0" : "");
  };
}

}  // namespace lw
