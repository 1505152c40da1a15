// Bytes as text in base64 (RFC 4648 section 4), with padding.
#pragma once

#include <string>
#include <string_view>

namespace lw {

std::string base64_of(std::string_view bytes);
// Of text in its alphabet; ends at the first other character.
std::string bytes_of_base64(std::string_view text);

}  // namespace lw
