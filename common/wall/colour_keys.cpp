#include "common/wall/colour_keys.h"

#include <string>

namespace lw {

Colour read_colour(TomlSection& section) {
  Colour colour;
  const auto take = [&](const char* key, const auto& parsed, auto& out) {
    if (parsed)
      out = *parsed;
    else
      section.fail(key, "[wall] " + parsed.error().what, parsed.error().mend);
  };
  take("colour", parse_primaries(section.text("colour", std::string(name_of(colour.primaries)))), colour.primaries);
  take("transfer", parse_transfer(section.text("transfer", std::string(name_of(colour.transfer)))), colour.transfer);
  return colour;
}

}  // namespace lw
