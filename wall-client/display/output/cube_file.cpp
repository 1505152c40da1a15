#include "wall-client/display/output/cube_file.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string>

namespace lw {
namespace {

constexpr std::string_view spaces = " \t\r";

std::string_view take_line(std::string_view& text) {
  const auto end = std::min(text.find('\n'), text.size());
  const auto line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(spaces), line.size()));
  const auto word = line.substr(0, std::min(line.find_first_of(spaces), line.size()));
  line.remove_prefix(word.size());
  return word;
}

std::optional<float> take_number(std::string_view& line) {
  auto word = take_word(line);
  if (word.starts_with('+')) word.remove_prefix(1);
  float value = 0;
  const auto parsed = std::from_chars(word.data(), word.data() + word.size(), value);
  constexpr float largest = 1e6;
  if (word.empty() || parsed.ec != std::errc{} || parsed.ptr != word.data() + word.size()) return std::nullopt;
  if (!(std::abs(value) <= largest)) return std::nullopt;
  return value;
}

bool at_end(std::string_view line) { return line.find_first_not_of(spaces) == std::string_view::npos; }

// The numbers that end a line; empty if it has others.
template <std::size_t count>
std::optional<std::array<float, count>> take_numbers(std::string_view& line) {
  std::array<float, count> numbers{};
  for (auto& number : numbers) {
    const auto value = take_number(line);
    if (!value) return std::nullopt;
    number = *value;
  }
  if (!at_end(line)) return std::nullopt;
  return numbers;
}

class CubeReader {
public:
  // False: `error` says why.
  bool take(std::string_view line) {
    ++line_;
    auto rest = line;
    const auto word = take_word(rest);
    if (word.empty() || word.starts_with('#')) return true;
    const bool is_number = word.find_first_not_of("+-.0123456789") == std::string_view::npos ||
                           (word.find_first_of("0123456789") != std::string_view::npos &&
                            word.find_first_not_of("+-.0123456789eE") == std::string_view::npos);
    return is_number ? take_entry(line) : take_keyword(word, rest);
  }
  Result<ColourTable> finish() {
    if (error_) return *error_;
    if (table_.side == 0) return Error{"has no LUT_3D_SIZE", "export it as a 3D LUT in the .cube format"};
    if (table_.cube.size() != entries())
      return Error{fmt::format("has {} entries where {} x {} x {} are needed", table_.cube.size(), table_.side,
                               table_.side, table_.side),
                   "export it again"};
    for (std::size_t i = 0; i < 3; ++i)
      if (!(table_.low[i] < table_.high[i])) return Error{"has an empty domain", "correct DOMAIN_MIN and DOMAIN_MAX"};
    return std::move(table_);
  }

private:
  [[nodiscard]] std::size_t entries() const { return std::size_t{table_.side} * table_.side * table_.side; }
  bool fail(const std::string& what, std::string mend) {
    error_ = Error{fmt::format("line {} {}", line_, what), std::move(mend)};
    return false;
  }

  bool take_entry(std::string_view line) {
    const auto entry = take_numbers<3>(line);
    if (!entry) return fail("is not red, green and blue", "export it again");
    if (table_.side == 0) return fail("comes before LUT_3D_SIZE", "export it as a 3D LUT");
    if (table_.cube.size() == entries()) return fail("is one entry too many", "export it again");
    table_.cube.push_back(*entry);
    return true;
  }

  bool take_keyword(std::string_view word, std::string_view rest) {
    if (word == "TITLE") return true;
    if (word == "LUT_3D_SIZE") return take_size(rest);
    if (word == "LUT_1D_SIZE") return fail("says that it is a 1D LUT", "export it as a 3D LUT");
    if (word == "LUT_3D_INPUT_RANGE") {
      const auto range = take_numbers<2>(rest);
      if (!range) return fail("has no range", "export it again");
      table_.low.fill((*range)[0]);
      table_.high.fill((*range)[1]);
      return true;
    }
    if (word != "DOMAIN_MIN" && word != "DOMAIN_MAX") return true;  // other programs add their own words
    const auto domain = take_numbers<3>(rest);
    if (!domain) return fail("has no three numbers", "export it again");
    (word == "DOMAIN_MIN" ? table_.low : table_.high) = *domain;
    return true;
  }

  bool take_size(std::string_view rest) {
    const auto size = take_numbers<1>(rest);
    if (table_.side != 0) return fail("is a second LUT_3D_SIZE", "export it again");
    if (!size || !((*size)[0] >= 2 && (*size)[0] <= ColourTable::side_max) || std::floor((*size)[0]) != (*size)[0])
      return fail("has a size that is not possible", fmt::format("use 2 to {}", ColourTable::side_max));
    table_.side = static_cast<unsigned>((*size)[0]);
    table_.cube.reserve(entries());
    return true;
  }

  ColourTable table_;
  std::optional<Error> error_;
  unsigned line_ = 0;
};

}  // namespace

Result<ColourTable> parse_cube(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  CubeReader reader;
  while (!text.empty())
    if (!reader.take(take_line(text))) break;
  return reader.finish();
}

}  // namespace lw
