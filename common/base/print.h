// The output of programs for people and other programs. Arguments are made printable (common/base/printable); the
// format itself is printed unchanged, so that only the program can control its terminal.
#pragma once

#include "common/base/printable.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace lw {

template <class T>
auto printed(const T& value) {
  if constexpr (std::is_convertible_v<const T&, std::string_view>)
    return printable(std::string_view(value), Lines::kept);
  else
    return value;
}
template <class T>
using Printed = decltype(printed(std::declval<const T&>()));

template <class... Args>
void print_to(std::FILE* file, fmt::format_string<Printed<Args>...> format, const Args&... args) {
  const auto text = fmt::vformat(format, fmt::make_format_args(printed(args)...));
  std::fwrite(text.data(), 1, text.size(), file);
}
template <class... Args>
void print_out(fmt::format_string<Printed<Args>...> format, const Args&... args) {
  print_to(stdout, format, args...);
}
// One line for a person: line feeds in the arguments are escaped.
template <class... Args>
void print_error(fmt::format_string<Args...> format, const Args&... args) {
  const auto text = printable(fmt::vformat(format, fmt::make_format_args(args...))) + "\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace lw
