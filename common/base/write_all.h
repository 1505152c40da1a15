// Writes all bytes into a file, even if interrupted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace lw {

// At `offset`, or at the file's current position. Returns an errno, or 0.
int write_all(int fd, std::span<const std::byte> bytes, std::optional<std::uint64_t> offset = {});

}  // namespace lw
