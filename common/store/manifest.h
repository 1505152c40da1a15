// visualization.json: the description of a frame store. docs/frame-store.md describes the format for people who write a
// store without our tools.
//
// A visualization is a folder NAME with visualization.json, poster, thumbnails and checksums; its stripe files are in D
// stripe directories (the folder itself, or others named in the manifest, one per disk). Frame f of tile t is complete
// in stripe (f + t) mod D, in that stripe's file "tile-COLUMN-ROW.npy" (or "NAME.npy") as record f / D. With two
// copies, the directory of the next stripe has the same file once more.
#pragma once

#include "common/base/beneath.h"
#include "common/base/result.h"
#include "common/base/units.h"
#include "common/pixel/colour.h"
#include "common/pixel/pixel_format.h"
#include "common/wall/tile_slots.h"
#include "common/wall/wall_file.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

// The sound of a visualization: 48 kHz, from the time of the first frame on (common/store/sound_file.h).
struct SoundTrack {
  std::string file;  // file name in the folder
  unsigned channels = 0;
  std::string checksum = {};  // XXH3-64 of all samples, as 16 hex digits; empty: none
  bool operator==(const SoundTrack&) const = default;
};

struct Manifest {
  std::string name;  // folder name, and its name in the control protocol
  std::string id;    // 32 unique hex digits that identify the store in its stripes; empty: none
  std::string title;
  std::string description;
  std::vector<std::string> tags;
  std::string source;  // what it was made from
  Grid geometry;
  PixelFormat pixel_format = PixelFormat::rgb8;
  Colour colour;
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
  // Frames lie as the packets of their flows (common/wall/tile_slots.h): bytes of a slot; 0: row behind row.
  std::size_t packets = 0;
  // Flows of a tile for which frames lie as packets, or were compressed in a format that varies in length.
  unsigned bands = 1;
  unsigned copies = 1;  // of each stripe file, on different disks
  std::optional<SoundTrack> audio = {};
  bool growing = false;  // it is still being written (growing.h); not a member of the file

  [[nodiscard]] bool holds(TileIndex tile) const;
};

inline constexpr std::string_view manifest_file_name = "visualization.json";
inline constexpr int manifest_version = 1;
// Of a store with `tiles`, `packets`, `copies`, `audio`, colours or tiles that are described one by one.
inline constexpr int manifest_version_newest = 2;
inline constexpr unsigned copies_max = 2;
inline constexpr std::size_t stripes_max = 256;
inline constexpr std::size_t store_id_digits = 32;

// Errors name the file and the field. parse_manifest is pure (fuzzed). load_manifest reads an open file or that in a
// folder; it does not check the files named in it: store_files.h opens and checks those.
Result<Manifest> parse_manifest(std::string_view json, const std::string& file_name);
Result<Manifest> load_manifest(int file, const std::filesystem::path& shown);
Result<Manifest> load_manifest(const Beneath& folder);
Result<Manifest> load_manifest(const std::filesystem::path& folder);
std::string to_json_text(const Manifest& manifest);

// Of one of its tiles; empty if frames lie row behind row, or a slot has no room for a pixel.
std::optional<TileSlots> slots_of(const Manifest& manifest, TileIndex tile);
// Whether frames lie as packets that have room for a pixel in each tile.
bool has_slots(const Manifest& manifest);

// Whether a tile's flows, with slots of this size (0: none), send frames as they lie in the files.
bool lies_as_sent(const Manifest& manifest, std::size_t slot_bytes, std::size_t flows);

// An error that says why a visualization cannot play on a wall, or why one of its servers cannot send its tiles from
// this store.
Result<void> fits(const Manifest& manifest, const Wall& wall);
Result<void> fits(const Manifest& manifest, const Wall& wall, const WallServer& server);

// Whether the files of one, read as described by the other, are the same frames.
bool has_same_frames(const Manifest& a, const Manifest& b);

}  // namespace lw
