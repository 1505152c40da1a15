// The key that a session's two sides share, with which they sign packets (RFC 8762 section 4.4) and extensions
// (RFC 8972 section 4.8).
#pragma once

#include "common/base/result.h"
#include "common/wire/stamp.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace lw {

class StampKey {
public:
  static constexpr std::size_t bytes_min = 16;

  // Of a file with one line of hex digits.
  static Result<StampKey> load(const std::string& file);
  // Nothing else is checked.
  explicit StampKey(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}

  // Of the two pieces one after the other.
  [[nodiscard]] StampDigest digest(std::span<const std::byte> first, std::span<const std::byte> second = {}) const;
  // In constant time, whatever part of them agrees.
  [[nodiscard]] bool made(std::span<const std::byte> digest, std::span<const std::byte> first,
                          std::span<const std::byte> second = {}) const;

private:
  std::vector<std::byte> bytes_;
};

}  // namespace lw
