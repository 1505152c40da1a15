// Whether lists and objects are nested too deeply in a JSON text. nlohmann's library copies and writes recursively, so
// texts from outside are checked before parsing.
#pragma once

#include <string_view>

namespace lw {

constexpr bool is_json_deeper_than(int depth_max, std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > depth_max) return true;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return false;
}

}  // namespace lw
