// The whole of some bytes into a file, whatever interrupts it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace lw {

// At `offset`, else where the file stands. An errno, or 0.
int write_all(int fd, std::span<const std::byte> bytes, std::optional<std::uint64_t> offset = {});

}  // namespace lw
