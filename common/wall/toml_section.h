// A table of a wall file, read with checks: every key is known, has the right type and is within its range. The first
// error is kept in WallFileErrors; later reads return harmless defaults, so that readers need no branches.
#pragma once

#include "common/base/result.h"
#include "common/wall/named_file.h"
#include "common/wall/wall_keys.h"

#include <toml++/toml.h>

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lw {

class WallFileErrors {
public:
  explicit WallFileErrors(std::string file) : file_(std::move(file)) {}
  // Keeps "FILE:LINE: what" if it is the first error.
  void add(unsigned line, const std::string& what, std::string mend);
  [[nodiscard]] const std::optional<Error>& first() const { return first_; }
  // "FILE:LINE".
  [[nodiscard]] std::string place_of(unsigned line) const;
  [[nodiscard]] std::filesystem::path folder() const { return std::filesystem::path(file_).parent_path(); }

private:
  std::string file_;
  std::optional<Error> first_;
};

struct NumberRange {
  std::int64_t low;
  std::int64_t high;
};

class TomlSection {
public:
  // name: its name in errors ("[wall]"). keys: all allowed keys; the texts must outlive this object.
  TomlSection(const toml::table& table, std::string name, std::span<const std::string_view> keys,
              WallFileErrors& errors);
  TomlSection(const toml::table& table, std::string name, std::initializer_list<std::string_view> keys,
              WallFileErrors& errors)
      : TomlSection(table, std::move(name), std::span(keys.begin(), keys.size()), errors) {}
  TomlSection(const toml::table& table, const WallSection& section, WallFileErrors& errors)
      : TomlSection(table, std::string(section.heading), section.keys, errors) {}

  // Without a fallback the key is required.
  std::int64_t number(std::string_view key, NumberRange range, std::optional<std::int64_t> fallback = {});
  double real(std::string_view key, double low, double high, double fallback);
  std::string text(std::string_view key, const std::optional<std::string>& fallback = {});
  bool flag(std::string_view key, bool fallback);
  // The name of another file, relative to the wall file's folder, so that both can be copied together. Not read here:
  // only who needs it does.
  NamedFile file(std::string_view key, std::string_view example);
  // nullptr if the key is missing (an error if it is required) or not an array.
  const toml::array* array(std::string_view key, bool required, std::string_view example);

  // For one of the section's keys; null if the file does not have it.
  [[nodiscard]] const toml::node* find(std::string_view key) const;
  // The line of the key's value, or of the section if the key is missing.
  [[nodiscard]] unsigned line(std::string_view key) const;
  [[nodiscard]] unsigned line() const { return table_.source().begin.line; }
  [[nodiscard]] const std::string& name() const { return name_; }
  void fail(std::string_view key, const std::string& what, std::string mend);
  void wrong_type(std::string_view key, std::string_view wanted, std::string_view example);
  // A table within this one.
  [[nodiscard]] TomlSection below(const toml::table& table, const WallSection& section) const {
    return {table, section, errors_};
  }

private:
  void missing(std::string_view key, std::string_view example);

  const toml::table& table_;
  std::string name_;
  std::vector<std::string_view> keys_;
  WallFileErrors& errors_;
};

// "a string", "a table", ...: the type of a value, for people.
std::string type_text(const toml::node& node);
// The candidate that a mistyped word most likely means; empty if none is similar.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace lw
