// Bytes that begin at a cache line, as vector units like it best to write.
#pragma once

#include <cstddef>
#include <vector>

namespace lw {

inline constexpr std::size_t cache_line_bytes = 64;

// The smallest whole number of cache lines that so many bytes fit into, in bytes.
constexpr std::size_t cache_line_stride(std::size_t bytes) {
  return (bytes + cache_line_bytes - 1) / cache_line_bytes * cache_line_bytes;
}

class CacheLines {
public:
  CacheLines() = default;
  explicit CacheLines(std::size_t bytes) : lines_(cache_line_stride(bytes) / cache_line_bytes) {}
  [[nodiscard]] std::byte* data() { return lines_.empty() ? nullptr : lines_.front().bytes; }

private:
  struct alignas(cache_line_bytes) Line {
    std::byte bytes[cache_line_bytes];
  };
  std::vector<Line> lines_;
};

}  // namespace lw
