// What an MPCDI file says of its projectors: mpcdi.xml of VESA's Multiple Projection Common Data Interchange, versions
// 1.0 and 2.0, profile "2d". (Fuzzed.)
//
// A display has buffers, which are canvases for content. A buffer has regions: parts of the canvas that one projector
// each shows. Places are fractions of the buffer, from its lower left corner.
#pragma once

#include "common/base/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

inline constexpr std::size_t mpcdi_regions_max = 512;  // as tiles of a wall

struct MpcdiMap {
  std::string path;             // of an entry of the archive
  std::optional<double> gamma;  // of its values; 1: they are light
};

struct MpcdiRegion {
  std::string id;
  double x = 0, y = 0, width = 0, height = 0;
  unsigned columns = 0, rows = 0;  // pixels of its projector
  std::string warp;                // path of a PFM; empty: none
  std::optional<MpcdiMap> alpha;   // what part of the light each pixel gets
  std::optional<MpcdiMap> beta;    // what is added to its black
  bool described = false;          // by a <fileset>
};

struct MpcdiBuffer {
  std::string id;
  std::optional<unsigned> columns, rows;  // of the content
  std::vector<MpcdiRegion> regions;
};

struct MpcdiDescription {
  std::string version;
  std::vector<MpcdiBuffer> buffers;
  std::vector<std::string> notes;  // what the file has that is not used

  [[nodiscard]] MpcdiRegion* find(std::string_view region);
};

// Errors begin with the line in `xml`.
Result<MpcdiDescription> parse_mpcdi(std::string_view xml);

}  // namespace lw
