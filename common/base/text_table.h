// A table for a terminal: columns as wide as their longest cell.
#pragma once

#include <string>
#include <vector>

namespace lw {

class TextTable {
public:
  // `aligned` has '<' (left) or '>' (right, for numbers) for each column.
  TextTable(std::vector<std::string> heads, std::string aligned);

  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  [[nodiscard]] bool empty() const { return rows_.size() == 1; }
  [[nodiscard]] std::string text() const;

private:
  std::string aligned_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace lw
