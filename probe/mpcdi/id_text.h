// Names from MPCDI files: in errors, and as names of ours.
#pragma once

#include "common/base/printable.h"
#include "common/base/result.h"
#include "common/base/short_text.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace lw {

// For errors and notes: in one line.
inline std::string id_text(std::string_view id) { return "'" + printable(short_text(id, 80)) + "'"; }

inline std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

// A text is a value, not the beginning of an Error.
inline Result<std::string> text_result(std::string text) {
  return Result<std::string>(boost::system::in_place_value, std::move(text));
}

}  // namespace lw
