#include "common/messages/tile_picture.h"

#include <boost/beast/core/detail/base64.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace lw {
namespace {

namespace base64 = boost::beast::detail::base64;

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
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
  if (text.size() < head_text || text.size() > base64::encoded_size(tile_picture_bytes_max) || text.size() % 4 != 0)
    return false;
  const auto end = text.find_first_not_of(alphabet);
  if (end != std::string::npos && (end + 2 < text.size() || text.find_first_not_of('=', end) != std::string::npos))
    return false;
  std::array<char, png_head_bytes> head{};
  base64::decode(head.data(), text.data(), head_text);
  const std::string_view bytes(head.data(), head.size());
  const auto fits = [](unsigned side) { return side > 0 && side <= tile_picture_side_max; };
  return bytes.starts_with(png_start) && fits(big_endian(bytes.substr(16))) && fits(big_endian(bytes.substr(20)));
}

}  // namespace

Json tile_picture_json(GridCell tile, std::optional<std::uint32_t> frame, std::string_view png) {
  std::string text(base64::encoded_size(png.size()), '\0');
  text.resize(base64::encode(text.data(), png.data(), png.size()));
  Json json{{"tile", {tile.column, tile.row}}, {"mime", "image/png"}, {"base64", std::move(text)}};
  if (frame) json["frame"] = *frame;
  return json;
}

std::optional<Json> checked_tile_picture(const Json& picture) {
  if (!picture.is_object()) return std::nullopt;
  const auto tile = picture.find("tile");
  const auto mime = picture.find("mime");
  const auto text = picture.find("base64");
  if (tile == picture.end() || !tile->is_array() || tile->size() != 2 || !(*tile)[0].is_number_unsigned() ||
      !(*tile)[1].is_number_unsigned())
    return std::nullopt;
  if (mime == picture.end() || *mime != "image/png") return std::nullopt;
  if (text == picture.end() || !text->is_string() || !is_small_png(text->get_ref<const std::string&>()))
    return std::nullopt;
  Json out{{"tile", *tile}, {"mime", *mime}, {"base64", *text}};
  if (const auto frame = picture.find("frame"); frame != picture.end() && frame->is_number_unsigned())
    out["frame"] = *frame;
  return out;
}

}  // namespace lw
