// The colours of a source: what FFmpeg reads from its tags, what the options say in their place, and what is assumed
// where both are silent.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/base/result.h"
#include "common/pixel/colour.h"
#include "ingest/av.h"

namespace lw {

// In place of a source's own tags, which may be missing or wrong.
struct SourceTags {
  std::optional<AVColorPrimaries> primaries;
  std::optional<Transfer> transfer;
  std::optional<AVColorSpace> matrix;
  std::optional<AVColorRange> range;
  double peak = 1000;  // cd/m2 of the brightest content, for a PQ source that is shown with less

  bool operator==(const SourceTags&) const = default;
};

// Names of options.
std::vector<std::string> source_primaries_names();
std::vector<std::string> source_matrix_names();
AVColorPrimaries source_primaries(const std::string& name);
AVColorSpace source_matrix(const std::string& name);
// For the recipe of a store: everything in it changes pixels.
std::string to_text(const SourceTags& tags);

// What the light of a frame is, by its tags.
struct SourceColour {
  AVColorPrimaries primaries = AVCOL_PRI_BT709;
  Transfer transfer = Transfer::sdr;

  bool operator==(const SourceColour&) const = default;
};
SourceColour source_colour(const AVFrame& frame);
SourceColour as_source(const Colour& wall);
bool has_colours_of(const SourceColour& source, const Colour& wall);

// Sets a frame's tags to `tags`, and those that are still missing to what the others imply: HDR has the primaries of
// BT.2020, and these its matrix. Without any tag a frame is SDR with the primaries of BT.709; its matrix follows from
// its size (fit_chain).
void complete_tags(AVFrame& frame, const SourceTags& tags);
// For people: what a frame's colours are once its tags are complete, and whether they are assumed and converted.
std::string colours_text(const AVFrame& frame, const SourceTags& tags, const Colour& wall);
// An error for matrices that the scaler does not know.
Result<void> check_matrix(const AVFrame& frame);

}  // namespace lw
