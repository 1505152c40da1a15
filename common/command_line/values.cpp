#include "common/command_line/values.h"

#include "common/base/whole_number.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <filesystem>
#include <functional>
#include <system_error>

namespace lw {

namespace {

constexpr double no_limit = 1e9;  // is not shown: such limits are no help to people

using Check = std::function<std::string(const std::string&)>;

CLI::Validator validator(const Check& check, const std::string& shown) {
  CLI::Validator made([check](std::string& text) { return check(text); }, shown);
  made.non_modifying();
  return made;
}

std::string digits(double number) {
  auto words = fmt::format("{:f}", number);
  words.erase(words.find_last_not_of('0') + 1);
  if (words.ends_with('.')) words.pop_back();
  return words;
}

std::string limits(double min, double max, bool or_zero) {
  return fmt::format("{} to {}{}", digits(min), digits(max), or_zero ? ", or 0" : "");
}

std::string shown_limits(double min, double max, bool or_zero) {
  return max >= no_limit ? "" : "[" + limits(min, max, or_zero) + "]";
}

// "fit, fill or exact"
std::string listed(const std::vector<std::string>& words) {
  if (words.size() < 2) return fmt::format("{}", fmt::join(words, ""));
  return fmt::format("{} or {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

CLI::Validator existing(const Check& check) { return validator(check, ""); }

}  // namespace

CLI::Validator one_of(const std::vector<std::string>& words) {
  return validator(
      [words](const std::string& text) {
        for (const auto& word : words)
          if (text == word) return std::string();
        return fmt::format("'{}' is unknown; use {}", text, listed(words));
      },
      fmt::format("{{{}}}", fmt::join(words, ",")));
}

CLI::Validator number_between(double min, double max, bool or_zero) {
  return validator(
      [=](const std::string& text) -> std::string {
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool is_number = error == std::errc{} && end == text.data() + text.size();
        if (is_number && ((value >= min && value <= max) || (or_zero && value == 0))) return {};
        return fmt::format("'{}' is not valid; write a number from {}", text, limits(min, max, or_zero));
      },
      shown_limits(min, max, or_zero));
}

CLI::Validator whole_between(std::int64_t min, std::int64_t max) {
  return validator(
      [=](const std::string& text) -> std::string {
        const auto value = whole_number<std::int64_t>(text);
        if (value && *value >= min && *value <= max) return {};
        return fmt::format("'{}' is not valid; write a whole number from {} to {}", text, min, max);
      },
      shown_limits(static_cast<double>(min), static_cast<double>(max), false));
}

CLI::Validator existing_folder() {
  return existing([](const std::string& text) -> std::string {
    std::error_code error;
    if (std::filesystem::is_directory(text, error)) return {};
    const bool exists = std::filesystem::exists(text, error);
    return fmt::format("'{}' {}; name a directory", text, exists ? "is not a directory" : "does not exist");
  });
}

CLI::Validator existing_file() {
  return existing([](const std::string& text) -> std::string {
    std::error_code error;
    if (std::filesystem::exists(text, error)) return {};
    return fmt::format("'{}' does not exist; name a file or a directory", text);
  });
}

}  // namespace lw
