#include "ingest/pictures.h"

#include "ingest/av.h"
#include "ingest/colour_map.h"
#include "ingest/do_each.h"
#include "ingest/fit_chain.h"
#include "ingest/small_image.h"
#include "ingest/tile_split.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace lw {
namespace {

// Scales one tile into its place in a small image with JPEG colours.
void scale_tile(std::span<const std::byte> pixels, const Manifest& m, const Rect& place, AVFrame& small, unsigned x,
                unsigned y, unsigned width, unsigned height) {
  auto tile = new_frame(av_format(m.pixel_format), place.width, place.height);
  if (!put_tile(pixels, m.pixel_format, {0, 0, place.width, place.height}, *tile)) return;  // stays black
  SwsContext* scaler = sws_getContext(tile->width, tile->height, static_cast<AVPixelFormat>(tile->format),
                                      static_cast<int>(width), static_cast<int>(height), AV_PIX_FMT_RGB24,
                                      SWS_AREA | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT, nullptr, nullptr, nullptr);
  if (scaler == nullptr) return;
  const int* matrix = sws_getCoefficients(m.colour.primaries == Primaries::bt2020 ? SWS_CS_BT2020 : SWS_CS_ITU709);
  sws_setColorspaceDetails(scaler, matrix, 0, matrix, 1, 0, 1 << 16, 1 << 16);
  std::uint8_t* to[4] = {av::line_of<std::uint8_t>(small, 0, y) + static_cast<std::ptrdiff_t>(x) * 3, nullptr, nullptr,
                         nullptr};
  const int stride[4] = {small.linesize[0], 0, 0, 0};
  sws_scale(scaler, tile->data, tile->linesize, 0, tile->height, to, stride);
  sws_freeContext(scaler);
}

// Draws a frame into the RGB image `small`, of the same shape.
Result<void> draw_frame(const StoreWriter& store, const Manifest& m, const ColourMap* to_sdr, std::uint32_t frame,
                        AVFrame& small) {
  const auto& g = m.geometry;
  const auto width = static_cast<unsigned>(small.width);
  const double scale = static_cast<double>(width) / g.picture().width;
  std::vector<std::byte> buffer(store.layout().stored_bytes_max());
  for (TileIndex tile; tile.value < g.tile_count(); ++tile.value) {
    if (!m.holds(tile)) continue;  // stays black
    const auto pixels = store.read_tile(frame, tile, buffer);
    if (!pixels) return pixels.error();
    const auto place = g.place(tile);
    const auto x = static_cast<unsigned>(place.x * scale);
    const auto y = static_cast<unsigned>(place.y * scale);
    const unsigned w = std::min(std::max(1U, static_cast<unsigned>(std::lround(place.width * scale))), width - x);
    const unsigned h = std::min(std::max(1U, static_cast<unsigned>(std::lround(place.height * scale))),
                                static_cast<unsigned>(small.height) - y);
    scale_tile(*pixels, m, place, small, x, y, w, h);
  }
  // Images are shown by programs that know only SDR with the primaries of BT.709.
  for (int row = 0; to_sdr != nullptr && row < small.height; ++row)
    to_sdr->apply({av::line_of<std::uint8_t>(small, 0, row), std::size_t{width} * 3});
  return {};
}

// Of RGB images of the same height.
void copy_columns(const AVFrame& from, AVFrame& to, unsigned left) {
  for (int row = 0; row < from.height; ++row)
    std::memcpy(av::line_of<std::uint8_t>(to, 0, row) + std::size_t{left} * 3, av::line_of<std::uint8_t>(from, 0, row),
                static_cast<std::size_t>(from.width) * 3);
}

Result<void> write_jpeg(const AVFrame& rgb, const std::filesystem::path& file) {
  const Error failed{"cannot write " + file.string(), "free some space on the disk"};
  const auto bytes = jpeg_of(rgb);
  if (bytes.empty()) return failed;
  std::ofstream out(file, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  return out ? Result<void>() : failed;
}

}  // namespace

Result<void> write_pictures(const StoreWriter& store, Manifest& manifest, unsigned threads) {
  const auto picture = manifest.geometry.picture();
  const unsigned width = picture.width;
  const unsigned height = picture.height;
  const auto image = [&](unsigned count, unsigned width_max) {
    const unsigned w = std::min(width, width_max);
    const unsigned h = std::max(1U, static_cast<unsigned>(std::lround(static_cast<double>(height) * w / width)));
    auto frame = new_frame(AV_PIX_FMT_RGB24, w * count, h);
    std::memset(frame->data[0], 0, static_cast<std::size_t>(frame->linesize[0]) * h);
    return frame;
  };
  const unsigned count = std::min<std::uint32_t>(thumbnails_max, store.frames());
  const auto poster = image(1, poster_width_max);
  std::vector<av::Frame> thumbnails(count);
  std::optional<ColourMap> to_sdr;
  if (manifest.colour != Colour{}) to_sdr.emplace(as_source(manifest.colour), Colour{}, SourceTags{}.peak);
  const auto* map = to_sdr ? &*to_sdr : nullptr;
  // Each into its own image, so that threads may draw them.
  const auto drawn = do_each(count + 1, threads, [&](unsigned i) {
    if (i == count) return draw_frame(store, manifest, map, store.frames() / 2, *poster);
    thumbnails[i] = image(1, thumbnail_width_max);
    return draw_frame(store, manifest, map, static_cast<std::uint32_t>(std::uint64_t{i} * store.frames() / count),
                      *thumbnails[i]);
  });
  if (!drawn) return drawn;
  manifest.poster = "poster.jpg";
  if (auto written = write_jpeg(*poster, store.folder() / manifest.poster); !written) return written;
  const auto strip = image(count, thumbnail_width_max);
  for (unsigned i = 0; i < count; ++i)
    copy_columns(*thumbnails[i], *strip, i * static_cast<unsigned>(thumbnails[i]->width));
  manifest.thumbnails = "thumbnails.jpg";
  manifest.thumbnail_count = count;
  return write_jpeg(*strip, store.folder() / manifest.thumbnails);
}

}  // namespace lw
