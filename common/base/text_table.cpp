#include "common/base/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lw {

TextTable::TextTable(std::vector<std::string> heads, std::string aligned) : aligned_(std::move(aligned)) {
  rows_.push_back(std::move(heads));
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths(rows_[0].size());
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string out;
  for (const auto& row : rows_) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i)
      line +=
          aligned_[i] == '<' ? fmt::format(" {:<{}} ", row[i], widths[i]) : fmt::format(" {:>{}} ", row[i], widths[i]);
    line.resize(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace lw
