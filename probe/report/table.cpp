#include "probe/report/table.h"

#include "common/base/printable.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {
namespace {

void append_row(std::string& out, const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) out += ',';
    const auto& cell = cells[i];
    if (cell.find_first_of(",\"\r\n") == std::string::npos) {
      out += cell;
      continue;
    }
    out += '"';
    for (const char c : cell) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    out += '"';
  }
  out += "\r\n";
}

}  // namespace

std::string csv(const Table& table) {
  std::string out;
  append_row(out, table.heads);
  for (const auto& row : table.rows) append_row(out, row);
  return out;
}

std::string html(const Table& table, std::size_t numbers_from) {
  std::string out = "<div class=\"wide\"><table><thead><tr>";
  const auto is_number = [&](std::size_t column) { return column >= numbers_from; };
  for (std::size_t i = 0; i < table.heads.size(); ++i)
    out += fmt::format("<th scope=\"col\"{}>{}</th>", is_number(i) ? " class=\"n\"" : "", escaped(table.heads[i]));
  out += "</tr></thead><tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      out += fmt::format("<td{}>{}</td>", is_number(i) ? " class=\"n\"" : "", escaped(row[i]));
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable(text, Lines::kept)) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else
      out += is_control(c) ? ' ' : c;
  }
  return out;
}

}  // namespace lw
