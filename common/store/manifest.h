// visualization.json: the description of a frame store. docs/frame-store.md describes the format for people who write a
// store without our tools.
//
// A visualization is a folder NAME with visualization.json, poster, thumbnails and checksums; its stripe files are in D
// stripe directories (the folder itself, or others named in the manifest, one per disk). Frame f of tile t is complete
// in stripe (f + t) mod D, in that stripe's file "tile-COLUMN-ROW.npy" as record f / D.
#pragma once

#include "common/base/beneath.h"
#include "common/base/result.h"
#include "common/base/units.h"
#include "common/pixel/pixel_format.h"
#include "common/wall/wall_file.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

struct Manifest {
  std::string name;  // folder name, and its name in the control protocol
  std::string id;    // 32 unique hex digits that identify the store in its stripes; empty: none
  std::string title;
  std::string description;
  std::vector<std::string> tags;
  std::string source;  // what it was made from
  Grid geometry;
  PixelFormat pixel_format = PixelFormat::rgb8;
  FrameRate frame_rate;
  std::uint32_t frame_count = 0;
  std::vector<std::filesystem::path>
      stripes;             // directories with stripe files; relative ones are relative to the visualization's folder
  std::string checksums;   // file name in the folder: per frame and tile, XXH3-64 (see checksum.h); empty: none
  std::string poster;      // file name in the folder; empty: none
  std::string thumbnails;  // file name of the strip; empty: none
  std::uint32_t thumbnail_count = 0;  // previews side by side in the strip, evenly spaced in time
  // Those whose frames the store holds, in ascending order; empty: all. The other members, and the checksums, are
  // those of the complete visualization, so that stores with different tiles of one import agree in them.
  std::vector<TileIndex> tiles = {};

  [[nodiscard]] bool holds(TileIndex tile) const;
};

inline constexpr std::string_view manifest_file_name = "visualization.json";
inline constexpr int manifest_version = 1;
inline constexpr int manifest_version_of_parts = 2;  // of a store that holds only some tiles
inline constexpr std::size_t store_id_digits = 32;

// Errors name the file and the field. parse_manifest is pure (fuzzed). load_manifest reads an open file or that in a
// folder; it does not check the files named in it: store_files.h opens and checks those.
Result<Manifest> parse_manifest(std::string_view json, const std::string& file_name);
Result<Manifest> load_manifest(int file, const std::filesystem::path& shown);
Result<Manifest> load_manifest(const Beneath& folder);
Result<Manifest> load_manifest(const std::filesystem::path& folder);
std::string to_json_text(const Manifest& manifest);

// An error that says why a visualization cannot play on a wall, or why one of its servers cannot send its tiles from
// this store.
Result<void> fits(const Manifest& manifest, const Wall& wall);
Result<void> fits(const Manifest& manifest, const Wall& wall, const WallServer& server);

// Whether the files of one, read as described by the other, are the same frames.
bool has_same_frames(const Manifest& a, const Manifest& b);

}  // namespace lw
