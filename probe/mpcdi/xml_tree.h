// An XML document from outside, as a tree of values. Documents with a document type (DOCTYPE) are refused: it alone can
// define entities, which grow without bound, or name other files. Nothing else is opened or fetched. (Fuzzed.)
#pragma once

#include "common/base/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lw {

inline constexpr std::size_t xml_bytes_max = std::size_t{2} << 20U;

// Programs write the names of MPCDI in different case, so all names are in lower case here, and without prefixes.
struct XmlElement {
  std::string name;
  unsigned line = 0;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::string text;  // directly in it, without white space at the ends
  std::vector<XmlElement> children;

  [[nodiscard]] const std::string* attribute(std::string_view wanted) const;
  // The first of this name; null: none.
  [[nodiscard]] const XmlElement* child(std::string_view wanted) const;
};

// The root. Errors say the line.
Result<XmlElement> parse_xml(std::string_view text);

}  // namespace lw
