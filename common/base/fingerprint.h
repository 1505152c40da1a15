// How a certificate is named: "sha256:" and the 64 lower-case hex digits of SHA-256 over it (DER).
#pragma once

#include <string_view>

namespace lw {

inline constexpr std::string_view fingerprint_prefix = "sha256:";

constexpr bool is_fingerprint(std::string_view text) {
  return text.size() == fingerprint_prefix.size() + 64 && text.starts_with(fingerprint_prefix) &&
         text.substr(fingerprint_prefix.size()).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace lw
