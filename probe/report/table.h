// Rows of text with a head for each column, written as CSV (RFC 4180) or HTML.
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

// Columns from `numbers_from` on are figures, which stand to the right.
std::string html(const Table& table, std::size_t numbers_from);

// Text in HTML and SVG, in elements and in attributes: made printable (common/base/printable); a line feed becomes a
// space.
std::string escaped(std::string_view text);

}  // namespace lw
