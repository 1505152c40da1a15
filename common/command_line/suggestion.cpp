#include "common/command_line/suggestion.h"

#include <algorithm>

namespace lw {

namespace {

constexpr std::size_t letters_max = 64;       // no name is longer, and the time grows with the square
constexpr std::size_t beginning_letters = 3;  // fewer would match by chance
constexpr std::size_t letters_per_error = 3;

std::string_view without_dashes(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
  return word;
}

}  // namespace

std::size_t typing_errors(std::string_view typed, std::string_view meant) {
  const auto width = meant.size() + 1;
  std::vector<std::size_t> before(width), last(width), row(width);
  for (std::size_t j = 0; j < width; ++j) row[j] = j;
  for (std::size_t i = 1; i <= typed.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j < width; ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (typed[i - 1] == meant[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && typed[i - 1] == meant[j - 2] && typed[i - 2] == meant[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

std::optional<std::string> suggestion(std::string_view typed, const std::vector<std::string>& known) {
  const auto word = without_dashes(typed);
  if (word.empty() || word.size() > letters_max) return std::nullopt;
  std::optional<std::string> nearest;
  auto errors = (word.size() + 1) / letters_per_error + 1;
  for (const auto& candidate : known)
    if (const auto distance = typing_errors(word, without_dashes(candidate)); distance < errors) {
      errors = distance;
      nearest = candidate;
    }
  if (nearest || word.size() < beginning_letters) return nearest;
  const auto begins = [&](const std::string& candidate) { return without_dashes(candidate).starts_with(word); };
  if (std::ranges::count_if(known, begins) != 1) return std::nullopt;
  return *std::ranges::find_if(known, begins);
}

}  // namespace lw
