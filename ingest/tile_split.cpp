#include "ingest/tile_split.h"

#include "common/pixel/block_decoder.h"
#include "common/pixel/lossless_band.h"
#include "ingest/block_encoder.h"
#include "ingest/pixel_groups.h"

#include <fmt/format.h>

#include <cassert>
#include <cstring>

namespace lw {
namespace {

void pack_row_10(const AVFrame& picture, PixelFormat format, unsigned x, unsigned y, unsigned width, std::byte* out) {
  const auto plane = [&](int index) { return av::line_of<std::uint16_t>(picture, index, y); };
  if (format == PixelFormat::rgb10) return pack_rgb_10(plane(2) + x, plane(0) + x, plane(1) + x, width / 4, out);
  const std::uint16_t* luma = plane(0) + x;
  const std::uint16_t* cb = plane(1) + x / 2;
  const std::uint16_t* cr = plane(2) + x / 2;
  pack_groups_10(luma, cb, cr, width / 2, out);
}

void unpack_row_10(const std::byte* from, PixelFormat format, unsigned x, unsigned y, unsigned width,
                   AVFrame& picture) {
  const auto plane = [&](int index) { return av::line_of<std::uint16_t>(picture, index, y); };
  if (format == PixelFormat::rgb10)
    unpack_rgb_10(from, width / 4, plane(2) + x, plane(0) + x, plane(1) + x);
  else
    unpack_groups_10(from, width / 2, plane(0) + x, plane(1) + x / 2, plane(2) + x / 2);
}

void compress(const AVFrame& picture, const Rect& tile, unsigned bands, std::span<std::byte> out) {
  static thread_local LosslessEncoder encoder;
  const auto row_size = row_bytes(PixelFormat::lossless, tile.width);
  unsigned first = 0;
  for (unsigned band = 0; band < bands; ++band) {
    const auto rows = band_height(tile.height, bands, band);
    const auto* from = av::line_of<std::byte>(picture, 0, tile.y + first) + row_bytes(PixelFormat::rgb8, tile.x);
    encoder.encode(from, static_cast<std::size_t>(picture.linesize[0]), tile.width, rows,
                   out.subspan(first * row_size, rows * row_size));
    first += rows;
  }
}

}  // namespace

Result<void> can_split(const Wall& wall, PixelFormat format) {
  const auto& pixel = info(format);
  if (pixel.is_made_from_rgb8()) return {};
  for (const auto& tile : wall.tiles) {
    if (!has_groups(format, tile.place.width))
      return Error{fmt::format("tiles of width {} cannot be {}", tile.place.width, pixel.name),
                   fmt::format("use --format rgb8, or a width that is a multiple of {}", pixel.group_pixels)};
    if (!pixel.is_rgb() && tile.place.x % pixel.group_pixels != 0)
      return Error{
          (tile.by_name ? "with an odd x of " + std::to_string(tile.place.x) + " " + tile.in_words() + " begins"
                        : "with an odd bezel_x of " + std::to_string(wall.grid.bezel_x) + " tiles begin") +
              " between pixels that share their chroma",
          std::string("use --format rgb8 or an even ") + (tile.by_name ? "x" : "bezel_x")};
  }
  return {};
}

void split_tile(const AVFrame& picture, PixelFormat format, const Rect& tile, unsigned bands,
                std::span<std::byte> out) {
  assert(out.size() >= frame_bytes(format, tile.width, tile.height));
  if (info(format).varies_in_length()) return compress(picture, tile, bands, out);
  if (info(format).has_blocks()) {
    const auto* from = av::line_of<std::uint8_t>(picture, 0, tile.y) + row_bytes(PixelFormat::rgb8, tile.x);
    return encode_blocks(format, {from, picture.linesize[0], tile.width, tile.height}, out);
  }
  const std::size_t row_size = row_bytes(format, tile.width);
  for (unsigned row = 0; row < tile.height; ++row) {
    std::byte* to = out.data() + row * row_size;
    if (info(format).depth > 8) {
      pack_row_10(picture, format, tile.x, tile.y + row, tile.width, to);
    } else {
      const auto* from = av::line_of<std::uint8_t>(picture, 0, tile.y + row);
      std::memcpy(to, from + row_bytes(format, tile.x), row_size);
    }
  }
}

bool put_tile(std::span<const std::byte> pixels, PixelFormat format, const Rect& tile, AVFrame& picture) {
  if (info(format).is_made_from_rgb8()) {
    auto* const to = av::line_of<std::uint8_t>(picture, 0, tile.y) + row_bytes(PixelFormat::rgb8, tile.x);
    const auto stride = static_cast<std::size_t>(picture.linesize[0]);
    if (info(format).varies_in_length()) {
      static thread_local LosslessDecoder decoder;
      return decoder.decode_tile(pixels, tile.width, tile.height, reinterpret_cast<std::byte*>(to), stride);
    }
    decode_blocks(format, pixels.data(), tile.width, tile.height, to, stride);
    return true;
  }
  const std::size_t row_size = row_bytes(format, tile.width);
  for (unsigned row = 0; row < tile.height; ++row) {
    const std::byte* from = pixels.data() + row * row_size;
    if (info(format).depth > 8)
      unpack_row_10(from, format, tile.x, tile.y + row, tile.width, picture);
    else
      std::memcpy(av::line_of<std::byte>(picture, 0, tile.y + row) + row_bytes(format, tile.x), from, row_size);
  }
  return true;
}

}  // namespace lw
