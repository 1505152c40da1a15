// What programs print for people and for other programs. Texts that are printed are made printable (common/base/
// printable); what the format itself holds goes out as it stands, so that only a program can draw on its terminal.
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
// One line for a person: line feeds in the texts are escaped.
template <class... Args>
void print_error(fmt::format_string<Args...> format, const Args&... args) {
  const auto text = printable(fmt::vformat(format, fmt::make_format_args(args...))) + "\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace lw
