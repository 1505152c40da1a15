// Makes texts from outside (nodes, operators, stores, file names, peers' errors) safe to show. All texts for a log, a
// terminal, a page, a metric's label or a window pass through here: they cannot move a terminal's cursor, forge a line,
// or display letters in another order than they are in.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace lw {

enum class Lines : bool { escaped, kept };  // kept: line feeds and tabs stay

inline constexpr std::size_t log_text_bytes_max = 8192;

// Of ASCII; bytes of other characters are not.
constexpr bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// Control characters, direction overrides and other invisible, deceptive characters become visible escapes (`\n`,
// `\u001b`, `\u202e`), invalid UTF-8 becomes `\xff`. Longer texts end with "...". A printable text does not change, and
// JSON keeps its meaning.
std::string printable(std::string_view text, Lines lines = Lines::escaped,
                      std::size_t bytes_max = std::numeric_limits<std::size_t>::max());

// The same for all strings, including escaped ones, in a JSON text that is about to be parsed. Strings may contain line
// feeds and tabs.
std::string printable_json(std::string_view json);

}  // namespace lw
