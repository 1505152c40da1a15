#include "wall-client/display/output/warp_mesh.h"

#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>

namespace lw {
namespace {

constexpr const char* save_again = "save it as PFM with three channels, \"PF\"";

// The header's next word, with the one white space that ends it.
std::optional<std::string_view> header_word(std::string_view& bytes) {
  constexpr std::size_t longest = 32;
  const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!bytes.empty() && is_space(bytes.front())) bytes.remove_prefix(1);
  std::size_t size = 0;
  while (size < bytes.size() && size <= longest && !is_space(bytes[size])) ++size;
  if (size == 0 || size > longest || size == bytes.size()) return std::nullopt;
  const auto word = bytes.substr(0, size);
  bytes.remove_prefix(size + 1);
  return word;
}

template <class T>
std::optional<T> header_number(std::string_view& bytes) {
  const auto word = header_word(bytes);
  T value{};
  if (!word) return std::nullopt;
  const auto parsed = std::from_chars(word->data(), word->data() + word->size(), value);
  if (parsed.ec != std::errc{} || parsed.ptr != word->data() + word->size()) return std::nullopt;
  return value;
}

float float_at(const char* bytes, bool swapped) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, bytes, sizeof bits);
  return std::bit_cast<float>(swapped ? __builtin_bswap32(bits) : bits);
}

bool is_near(float value) { return std::abs(value) <= WarpMesh::farthest; }  // not if it is NaN

}  // namespace

Result<WarpMesh> parse_warp_mesh(std::string_view bytes) {
  constexpr std::size_t vertex_bytes = 3 * sizeof(float);
  if (header_word(bytes) != "PF") return Error{"is not a PFM file with three channels", save_again};
  const auto columns = header_number<unsigned>(bytes);
  const auto rows = header_number<unsigned>(bytes);
  const auto scale = header_number<float>(bytes);
  if (!columns || !rows || !scale || !(std::abs(*scale) > 0)) return Error{"has a damaged PFM header", save_again};
  const std::size_t vertices = std::size_t{*columns} * *rows;
  if (*columns < 2 || *rows < 2 || *columns > WarpMesh::side_max || *rows > WarpMesh::side_max ||
      vertices > WarpMesh::vertices_max)
    return Error{fmt::format("has {} x {} vertices", *columns, *rows),
                 fmt::format("use 2 to {} on each side, and {} million at most", WarpMesh::side_max,
                             WarpMesh::vertices_max >> 20U)};
  if (bytes.size() != vertices * vertex_bytes)
    return Error{fmt::format("has {} bytes of vertices where {} x {} need {}", bytes.size(), *columns, *rows,
                             vertices * vertex_bytes),
                 "copy the file again, or save it again"};
  const bool swapped = (*scale < 0) != (std::endian::native == std::endian::little);
  WarpMesh mesh{*columns, *rows, {}};
  mesh.places.reserve(vertices);
  for (std::size_t i = 0; i < vertices; ++i) {
    const WarpMesh::Place place{float_at(bytes.data() + i * vertex_bytes, swapped),
                                float_at(bytes.data() + i * vertex_bytes + sizeof(float), swapped)};
    mesh.places.push_back(is_near(place.x) && is_near(place.y) ? place
                                                               : WarpMesh::Place{WarpMesh::nothing, WarpMesh::nothing});
  }
  return mesh;
}

}  // namespace lw
