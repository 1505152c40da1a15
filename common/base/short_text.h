// Cuts a text from outside to a length that fits into a reply, an event or a log line.
#pragma once

#include <string>
#include <string_view>

namespace lw {

// At most `bytes_max` bytes, of which the last three are dots if something was cut off. UTF-8 stays valid.
inline std::string short_text(std::string_view text, std::size_t bytes_max) {
  constexpr std::string_view dots = "...";
  if (text.size() <= bytes_max) return std::string(text);
  auto end = bytes_max > dots.size() ? bytes_max - dots.size() : 0;
  // Not within a character: its other bytes are 10xxxxxx.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)).append(dots);
}

}  // namespace lw
