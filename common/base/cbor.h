// Lists of scalars, and of such lists, in CBOR (RFC 8949): by the JSON library's reader and writer, with a bound for
// the depth, since the reader calls itself for each list in a list. What has maps, byte strings or tags is refused.
#pragma once

#include "common/base/json.h"

#include <optional>
#include <string>
#include <string_view>

namespace lw {

// Whether a message is a CBOR list, judged by its first byte. JSON text never begins like this.
inline bool is_cbor(std::string_view message) {
  return !message.empty() && (static_cast<unsigned char>(message.front()) & 0xe0U) == 0x80;
}

// Empty if it is not valid, or if lists are nested more deeply than `depth_max`. (Fuzzed.)
std::optional<Json> parse_cbor(std::string_view bytes, std::size_t depth_max);
std::string to_cbor(const Json& json);

}  // namespace lw
