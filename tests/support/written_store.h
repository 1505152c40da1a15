// Writes stores of the right shape whose frames are black. Their files are sparse.
#pragma once

#include "common/store/manifest.h"
#include "common/store/npy_header.h"
#include "common/store/stripe_layout.h"

#include <cstdint>
#include <filesystem>
#include <fstream>

inline void write_store(const std::filesystem::path& folder, lw::Grid geometry, std::uint32_t frames = 6) {
  lw::Manifest manifest;
  manifest.title = "test";
  manifest.geometry = geometry;
  manifest.frame_rate = {60, 1};
  manifest.frame_count = frames;
  manifest.stripes = {"."};
  const lw::StripeLayout layout(manifest);
  std::filesystem::create_directories(folder);
  for (unsigned tile = 0; tile < geometry.tile_count(); ++tile) {
    const auto file = stripe_file(folder, manifest, 0, {tile});
    std::ofstream(file) << lw::npy_header({frames, geometry.tile_height,
                                           row_bytes(manifest.pixel_format, geometry.tile_width),
                                           layout.record_bytes({tile}) - layout.frame_bytes({tile})});
    std::filesystem::resize_file(file, layout.file_bytes(0, {tile}));
  }
  std::ofstream(folder / lw::manifest_file_name) << to_json_text(manifest);
}
