// The fingerprint of a certificate: "sha256:" and the 64 lower-case hex digits of its SHA-256 (DER).
#pragma once

#include "common/base/hex_digits.h"

#include <string_view>

namespace lw {

inline constexpr std::string_view fingerprint_prefix = "sha256:";

constexpr bool is_fingerprint(std::string_view text) {
  return text.starts_with(fingerprint_prefix) && are_digits(text.substr(fingerprint_prefix.size()), 64);
}

}  // namespace lw
