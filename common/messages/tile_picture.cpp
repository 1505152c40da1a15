#include "common/messages/tile_picture.h"

#include "common/base/base64.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

namespace lw {
namespace {

// By character: whether it is in base64's alphabet.
constexpr auto in_alphabet = [] {
  std::array<bool, 256> is{};
  for (const char letter : std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))
    is[static_cast<unsigned char>(letter)] = true;
  return is;
}();
// Signature, length and name of the first chunk, width, height (PNG, second edition, sections 5.2 and 11.2.2).
constexpr std::size_t png_head_bytes = 24;
constexpr std::string_view png_start("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", 16);

unsigned big_endian(std::string_view bytes) {
  unsigned value = 0;
  for (const char byte : bytes.substr(0, 4)) value = value << 8U | static_cast<unsigned char>(byte);
  return value;
}

bool is_small_png(const std::string& text) {
  constexpr std::size_t head_text = png_head_bytes / 3 * 4;
  if (text.size() < head_text || text.size() > (tile_picture_bytes_max + 2) / 3 * 4 || text.size() % 4 != 0)
    return false;
  const auto end =
      std::ranges::find_if(text, [](char letter) { return !in_alphabet[static_cast<unsigned char>(letter)]; });
  if (text.end() - end > 2 || std::any_of(end, text.end(), [](char letter) { return letter != '='; })) return false;
  const auto head = bytes_of_base64(std::string_view(text).substr(0, head_text));
  const std::string_view bytes(head);
  const auto fits = [](unsigned side) { return side > 0 && side <= tile_picture_side_max; };
  return bytes.starts_with(png_start) && fits(big_endian(bytes.substr(16))) && fits(big_endian(bytes.substr(20)));
}

}  // namespace

std::optional<std::string> TilePictureMessage::problem() const {
  if (is_small_png(base64)) return std::nullopt;
  return fmt::format("base64 must be a PNG of at most {} pixels each way and {} KiB, in base64", tile_picture_side_max,
                     tile_picture_bytes_max >> 10U);
}

TilePictureMessage tile_picture(GridCell tile, std::optional<std::uint32_t> frame, std::string_view png) {
  return {tile, TilePictureType::png, base64_of(png), frame};
}

}  // namespace lw
