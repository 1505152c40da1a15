#include "ingest/verify.h"

#include "common/store/checksum.h"
#include "common/store/manifest.h"
#include "common/store/npy_header.h"
#include "common/store/stripe_layout.h"
#include "ingest/progress.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <vector>

namespace lw {
namespace {

// One stripe file, read from front to back.
struct Stripe {
  std::ifstream in;
  ParsedNpy npy;
};

Result<Stripe> open_stripe(const std::filesystem::path& file) {
  Stripe stripe;
  stripe.in.open(file, std::ios::binary);
  std::array<char, store_alignment> head{};
  stripe.in.read(head.data(), head.size());
  auto npy =
      parse_npy_header({reinterpret_cast<const std::byte*>(head.data()), static_cast<std::size_t>(stripe.in.gcount())});
  if (!npy) return Error(npy.error()).in(file.string());
  stripe.in.clear();
  stripe.npy = *npy;
  return stripe;
}

void report(bool json, std::uint32_t frame, TileId tile, const char* what) {
  if (json)
    fmt::print("{{\"event\":\"{}\",\"frame\":{},\"column\":{},\"row\":{}}}\n", what, frame, tile.column, tile.row);
  else
    fmt::print(stderr, "wall-ingest: frame {} of tile {},{} is {}\n", frame, tile.column, tile.row, what);
}

}  // namespace

Result<Verification> verify(const std::filesystem::path& folder, bool json, const std::atomic<bool>& stop) {
  const auto manifest = load_store(folder);
  if (!manifest) return manifest.error();
  if (manifest->checksums.empty()) return Error{folder.string() + " has no checksums", "ingest it again to have them"};
  const auto table = load_checksums(folder / manifest->checksums);
  if (!table) return table.error();
  const auto& g = manifest->geometry;
  const unsigned tiles = g.columns * g.rows;
  if (table->frames != manifest->frame_count || table->tiles != tiles)
    return Error{fmt::format("{} has checksums of {} frames of {} tiles, not {} of {}", folder.string(), table->frames,
                             table->tiles, manifest->frame_count, tiles),
                 "ingest it again"};

  const StripeLayout layout(*manifest);
  const auto stripes = static_cast<unsigned>(manifest->stripes.size());
  std::vector<Stripe> files;
  for (unsigned stripe = 0; stripe < stripes; ++stripe)
    for (unsigned tile = 0; tile < tiles; ++tile) {
      if (layout.records_in(stripe, tile) == 0) {
        files.emplace_back();
        continue;
      }
      auto opened = open_stripe(stripe_file(folder, *manifest, stripe, {tile % g.columns, tile / g.columns}));
      if (!opened) return opened.error();
      files.push_back(std::move(*opened));
    }

  Verification result;
  Progress progress("verify " + manifest->name, std::uint64_t{manifest->frame_count}, 0, json);
  std::vector<std::byte> pixels(layout.frame_bytes());
  for (std::uint32_t frame = 0; frame < manifest->frame_count; ++frame) {
    if (stop) {
      result.interrupted = true;
      return result;
    }
    for (unsigned tile = 0; tile < tiles; ++tile) {
      const auto where = layout.locate(frame, tile);
      auto& file = files[std::size_t{where.stripe} * tiles + tile];
      file.in.seekg(static_cast<std::streamoff>(file.npy.header_bytes +
                                                where.record * (layout.frame_bytes() + file.npy.shape.padding)));
      file.in.read(reinterpret_cast<char*>(pixels.data()), static_cast<std::streamsize>(pixels.size()));
      const bool read = static_cast<bool>(file.in);
      file.in.clear();
      ++result.frames;
      result.bytes += pixels.size();
      if (read && checksum(pixels) == table->at(frame, tile)) continue;
      ++result.damaged;
      report(json, frame, {tile % g.columns, tile / g.columns}, read ? "damaged" : "unreadable");
    }
    progress.update(frame + 1, result.bytes);
  }
  return result;
}

}  // namespace lw
