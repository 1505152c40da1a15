// Memory aligned to cache lines, which vector units write fastest; and prefetching of lines before they are read.
#pragma once

#include <cstddef>
#include <vector>

namespace lw {

inline constexpr std::size_t cache_line_bytes = 64;

// `bytes` rounded up to complete cache lines.
constexpr std::size_t cache_line_stride(std::size_t bytes) {
  return (bytes + cache_line_bytes - 1) / cache_line_bytes * cache_line_bytes;
}

// For memory that is read soon but that the processor's own prefetcher cannot foresee, because it starts again at each
// of many short pieces. Does nothing beyond the end of the memory.
inline void prefetch_lines(const std::byte* data, std::size_t bytes) {
  constexpr int to_read = 0, into_second_level = 2;
  for (std::size_t at = 0; at < bytes; at += cache_line_bytes)
    __builtin_prefetch(data + at, to_read, into_second_level);
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
