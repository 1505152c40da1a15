// Rows of text with a heading for each column, written as CSV (RFC 4180) or HTML.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lw {

struct Table {
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;
};

std::string csv(const Table& table);

// Columns from `numbers_from` on are figures and right-aligned.
std::string html(const Table& table, std::size_t numbers_from);

// Escapes text for elements and attributes of HTML and SVG: made printable (common/base/printable); a line feed becomes
// a space.
std::string escaped(std::string_view text);

}  // namespace lw
