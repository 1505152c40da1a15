// Turns an MPCDI file into a wall file and the files that it names. (Fuzzed.)
#pragma once

#include "common/base/result.h"
#include "probe/mpcdi/place_on_tile.h"
#include "probe/mpcdi/zip_archive.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

inline constexpr unsigned projectors_per_node_max = 16;  // monitors of a node

struct MpcdiOptions {
  std::optional<unsigned> wall_width;  // in pixels; empty: as the file's buffers, or as its densest projector
  unsigned per_node = projectors_per_node_max;
  WarpValues values = WarpValues::of_region;
  ZipLimits limits = {};
};

struct MpcdiImport {
  std::string version;
  unsigned buffers = 0, projectors = 0;
  unsigned width = 0, height = 0;  // of the wall
  std::vector<std::string> notes;  // what the file has that a wall has not
};

// Gets the files one by one, wall.toml last. Names are letters, digits, '-', '_' and one dot.
using FileSink = std::function<Result<void>(const std::string& name, const std::string& bytes)>;

// `source`: the file's name, for the wall's name and comments. Errors name the archive's entry.
Result<MpcdiImport> import_mpcdi(std::string_view bytes, std::string_view source, const MpcdiOptions& options,
                                 const FileSink& sink);

}  // namespace lw
