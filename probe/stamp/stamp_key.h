// The key shared by both sides of a session, which signs packets (RFC 8762 section 4.4) and extensions (RFC 8972
// section 4.8).
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

  // From a file with one line of hex digits.
  static Result<StampKey> load(const std::string& file);
  // Does not check the key's length.
  explicit StampKey(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}

  // The digest of both pieces, concatenated.
  [[nodiscard]] StampDigest digest(std::span<const std::byte> first, std::span<const std::byte> second = {}) const;
  // Whether `digest` is theirs. In constant time, wherever they differ.
  [[nodiscard]] bool made(std::span<const std::byte> digest, std::span<const std::byte> first,
                          std::span<const std::byte> second = {}) const;

private:
  std::vector<std::byte> bytes_;
};

}  // namespace lw
