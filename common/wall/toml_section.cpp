#include "common/wall/toml_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <numeric>
#include <vector>

namespace lw {
namespace {

// Levenshtein distance.
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row.back();
}

constexpr bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// Texts quoted from the file may contain anything; an error is one line of moderate length.
std::string one_line(std::string text) {
  constexpr std::size_t longest = 240;
  if (text.size() > longest) text.replace(longest, std::string::npos, "...");
  std::ranges::replace_if(text, is_control, '?');
  return text;
}

}  // namespace

void WallFileErrors::add(unsigned line, const std::string& what, std::string mend) {
  if (!first_) first_ = Error{fmt::format("{}: {}", place_of(line), one_line(what)), std::move(mend)};
}

std::string WallFileErrors::place_of(unsigned line) const { return fmt::format("{}:{}", file_, line); }

std::string type_text(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return node.is_array_of_tables() ? "an array of tables" : "an array";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "a whole number";
    case toml::node_type::floating_point:
      return "a fractional number";
    case toml::node_type::boolean:
      return "true or false";
    default:
      return "a date or time";
  }
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t longest_word = 64;  // no key is nearly as long as this
  if (word.size() > longest_word) return {};
  std::string_view best;
  std::size_t fewest = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const auto candidate : candidates) {
    const auto edits = edits_between(word, candidate);
    if (edits < fewest && edits < candidate.size()) {
      fewest = edits;
      best = candidate;
    }
  }
  return best;
}

TomlSection::TomlSection(const toml::table& table, std::string name, std::span<const std::string_view> keys,
                         WallFileErrors& errors)
    : table_(table), name_(std::move(name)), keys_(keys.begin(), keys.end()), errors_(errors) {
  for (const auto& [key, value] : table) {
    if (std::ranges::find(keys_, key.str()) != keys_.end()) continue;
    const auto meant = nearest(key.str(), keys_);
    errors_.add(key.source().begin.line, fmt::format("unknown key '{}' in {}", key.str(), name_),
                meant.empty() ? fmt::format("use one of {}", fmt::join(keys_, ", "))
                              : fmt::format("did you mean '{}'?", meant));
  }
}

const toml::node* TomlSection::find(std::string_view key) const {
  assert(std::ranges::find(keys_, key) != keys_.end());
  return table_.get(key);
}

unsigned TomlSection::line(std::string_view key) const {
  const auto* node = find(key);
  return node ? node->source().begin.line : line();
}

void TomlSection::fail(std::string_view key, const std::string& what, std::string mend) {
  errors_.add(line(key), what, std::move(mend));
}

void TomlSection::wrong_type(std::string_view key, std::string_view wanted, std::string_view example) {
  fail(key, fmt::format("{} {} is {}", name_, key, type_text(*find(key))),
       fmt::format("write {}, like {} = {}", wanted, key, example));
}

void TomlSection::missing(std::string_view key, std::string_view example) {
  fail(key, fmt::format("{} has no '{}'", name_, key), fmt::format("add it, like {} = {}", key, example));
}

std::int64_t TomlSection::number(std::string_view key, NumberRange range, std::optional<std::int64_t> fallback) {
  const auto* node = find(key);
  const auto harmless = fallback.value_or(range.low);
  const auto example = std::to_string(fallback.value_or(std::clamp<std::int64_t>(4, range.low, range.high)));
  if (!node) {
    if (!fallback) missing(key, example);
    return harmless;
  }
  const auto* value = node->as_integer();
  if (!value) {
    wrong_type(key, "a whole number", example);
    return harmless;
  }
  if (value->get() < range.low || value->get() > range.high) {
    fail(key, fmt::format("{} {} = {} is out of range", name_, key, value->get()),
         fmt::format("use {} to {}", range.low, range.high));
    return harmless;
  }
  return value->get();
}

double TomlSection::real(std::string_view key, double low, double high, double fallback) {
  const auto* node = find(key);
  if (!node) return fallback;
  if (!node->is_number()) {
    wrong_type(key, "a number", fmt::format("{}", fallback));
    return fallback;
  }
  const double value = node->value<double>().value_or(fallback);
  if (value >= low && value <= high) return value;
  fail(key, fmt::format("{} {} = {} is out of range", name_, key, value), fmt::format("use {} to {}", low, high));
  return fallback;
}

std::string TomlSection::text(std::string_view key, const std::optional<std::string>& fallback) {
  const auto* node = find(key);
  if (!node) {
    if (!fallback) missing(key, "\"...\"");
    return fallback.value_or("");
  }
  const auto* value = node->as_string();
  if (!value) {
    wrong_type(key, "a string in quotes", "\"...\"");
    return fallback.value_or("");
  }
  return value->get();
}

bool TomlSection::flag(std::string_view key, bool fallback) {
  const auto* node = find(key);
  if (!node) return fallback;
  if (const auto* value = node->as_boolean()) return value->get();
  wrong_type(key, "true or false", fallback ? "true" : "false");
  return fallback;
}

NamedFile TomlSection::file(std::string_view key, std::string_view example) {
  constexpr std::size_t longest_name = 4096;
  const auto name = text(key, "");
  const bool printable = std::ranges::none_of(name, is_control);
  if (find(key) && (name.empty() || name.size() > longest_name || !printable))
    fail(key, fmt::format("{} {} is not a file name", name_, key),
         fmt::format("name the file, like {} = \"{}\", or leave it out", key, example));
  if (name.empty()) return {};
  return {errors_.folder() / name, errors_.place_of(line(key))};
}

const toml::array* TomlSection::array(std::string_view key, bool required, std::string_view example) {
  const auto* node = find(key);
  if (!node) {
    if (required) missing(key, example);
    return nullptr;
  }
  if (!node->is_array()) wrong_type(key, "a list in brackets", example);
  return node->as_array();
}

}  // namespace lw
