// SHA-256 and random numbers (from OpenSSL) as lower-case hex digits.
#pragma once

#include "common/base/hex_digits.h"
#include "common/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace lw {

inline constexpr std::size_t sha256_digits = 64;

std::string hex(std::string_view bytes);
std::string sha256_hex(std::string_view bytes);
Result<std::string> random_hex(std::size_t bytes);

// In constant time, wherever they differ.
bool same_digits(std::string_view one, std::string_view other);

}  // namespace lw
