#include "common/wall/wall_keys.h"

#include "common/wall/wall_file.h"
#include "tests/support/source_folder.h"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>

namespace lw {
namespace {

using Values = std::map<std::string, std::string, std::less<>>;  // by key

const std::map<std::string, Values, std::less<>> required{
    {"[wall]",
     {{"name", "\"w\""},
      {"columns", "1"},
      {"rows", "1"},
      {"tile_width", "64"},
      {"tile_height", "64"},
      {"frame_rate", "30"}}},
    {"[[tile]]", {{"name", "\"t\""}, {"x", "0"}, {"y", "0"}, {"width", "64"}, {"height", "64"}}},
    {"[[node]]", {{"name", "\"a\""}, {"address", "\"192.0.2.1\""}}},
    {"tiles", {{"column", "0"}, {"row", "0"}}},
    {"[[server]]", {{"name", "\"s\""}, {"interfaces", "[\"192.0.2.9\"]"}}},
    {"[[site]]", {{"name", "\"x\""}, {"address", "\"232.1.1.1\""}}},
    {"[[site.node]]", {{"name", "\"b\""}, {"address", "\"192.0.2.2\""}, {"tiles", "[{ column = 0, row = 0 }]"}}},
};

std::string joined(const Values& values, const std::string& end) {
  std::string text;
  for (const auto& [key, value] : values) text += (text.empty() ? "" : end) + key + " = " + value;
  return text;
}

// A correct wall file of one tile, except that one key in one section is a date, which no key may be.
std::string wall_with_date(std::string_view heading, std::string_view key) {
  auto sections = required;
  const auto& date = "1979-05-27";
  if (!key.empty()) sections[std::string(heading)][std::string(key)] = date;
  // The tiles are a grid, unless this is about those that are described one by one.
  const bool is_free = heading == "[[tile]]" || key == "pitch_mm";
  if (is_free) {
    for (const auto* of_grid : {"columns", "rows", "tile_width", "tile_height"}) sections["[wall]"].erase(of_grid);
    if (key.ends_with("_mm")) sections["[[tile]]"].erase(std::string(key.substr(0, key.size() - 3)));
    for (const auto* showing : {"[[node]]", "[[site.node]]"}) sections[showing]["tiles"] = "[\"t\"]";
  }
  if (const auto& blend = sections["blend of tiles"]; !blend.empty())
    sections["tiles"]["blend"] = "{ " + joined(blend, ", ") + " }";
  if (key == "tile")
    for (const auto* of_grid : {"column", "row"}) sections["tiles"].erase(of_grid);
  if (sections["[[node]]"].count("tiles") == 0)
    sections["[[node]]"]["tiles"] = "[{ " + joined(sections["tiles"], ", ") + " }]";
  if (const auto& tiles = sections["tiles of [[server]]"]; !tiles.empty())
    sections["[[server]]"]["tiles"] = "[{ " + joined(tiles, ", ") + " }]";
  std::string text = joined(sections["the wall file"], "\n") + "\n";
  for (const auto& section : wall_sections) {
    if (section.heading == "the wall file" || section.heading.find("tiles") != std::string_view::npos) continue;
    if (heading == "[[site]]" && key == "node" && section.heading == "[[site.node]]") continue;  // either, not both
    if (section.heading == "[[tile]]" && !is_free) continue;
    if (heading == "the wall file" && section.heading.find(key) != std::string_view::npos) continue;
    text += std::string(section.heading) + "\n" + joined(sections[std::string(section.heading)], "\n") + "\n";
  }
  return text;
}

// Of the page that describes the keys.
std::string heading_of(const WallSection& section) {
  if (section.heading == "tiles") return "`tiles` of `[[node]]`";
  if (section.heading == "blend of tiles") return "`blend` of `tiles`";
  if (section.heading == "tiles of [[server]]") return "`tiles` of `[[server]]`";
  return fmt::format("`{}`", section.heading);
}

// The keys that begin a row of a table below a heading.
std::set<std::string> rows_of(const std::string& page, const std::string& heading) {
  std::set<std::string> keys;
  const auto begin = page.find("# " + heading + "\n");
  if (begin == std::string::npos) return keys;
  std::istringstream section(page.substr(begin, page.find("\n#", begin) - begin));
  const std::string mark = "| `";
  for (std::string line; std::getline(section, line);)
    if (line.starts_with(mark)) keys.insert(line.substr(mark.size(), line.find('`', mark.size()) - mark.size()));
  return keys;
}

}  // namespace

TEST_CASE("every key of the table is read") {
  REQUIRE(parse_wall(wall_with_date("", ""), "w").has_value());
  for (const auto& section : wall_sections)
    for (const auto key : section.keys) {
      const auto text = wall_with_date(section.heading, key);
      INFO(text);
      const auto wall = parse_wall(text, "w");
      REQUIRE(!wall.has_value());
      CHECK_THAT(wall.error().what, Catch::Contains(std::string(key)));
      CHECK_THAT(wall.error().what, !Catch::Contains("unknown key"));
    }
}

TEST_CASE("docs/wall-file.md has a row for every key, and for no other") {
  std::ifstream stream(test::source_folder() / "docs/wall-file.md");
  const std::string docs{std::istreambuf_iterator<char>(stream), {}};
  for (const auto& section : wall_sections) {
    INFO(section.heading);
    if (section.heading == "the wall file") {
      for (const auto key : section.keys)
        CHECK_THAT(docs, Catch::Contains(fmt::format("\n## `[{}]`\n", key)) ||
                             Catch::Contains(fmt::format("\n## `[[{}]]`\n", key)));
      continue;
    }
    CHECK(rows_of(docs, heading_of(section)) == std::set<std::string>(section.keys.begin(), section.keys.end()));
  }
}

}  // namespace lw
