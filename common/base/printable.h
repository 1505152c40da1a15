// Texts from outside (nodes, operators, stores, file names, peers' errors) where a person reads them. Whatever goes to
// a log, a terminal, a page, a metric's label or a window passes through here: nobody's text can move a terminal's
// cursor, forge a line, or show letters in another order than they stand.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace lw {

enum class Lines : bool { escaped, kept };  // kept: line feeds and tabs stay

inline constexpr std::size_t log_text_bytes_max = 8192;

// Control characters, overrides of the direction of writing, and other invisible characters that deceive as visible
// escapes (`\n`, `\u001b`, `\u202e`), bytes that are no UTF-8 as `\xff`. What is longer ends with "...". Text that has
// passed once is not changed again, and JSON means the same as before.
std::string printable(std::string_view text, Lines lines = Lines::escaped,
                      std::size_t bytes_max = std::numeric_limits<std::size_t>::max());

// The same for all texts, also escaped ones, in a JSON text that is about to be read. Its texts may hold line feeds and
// tabs.
std::string printable_json(std::string_view json);

}  // namespace lw
