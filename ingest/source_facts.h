// What an import would read and write, without importing anything.
#pragma once

#include "common/base/frame_rate.h"
#include "common/base/result.h"
#include "ingest/av.h"
#include "ingest/source_colour.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lw {

struct SourceFacts {
  std::string name;  // of the visualization
  int width = 0, height = 0;
  FrameRate frame_rate;  // of the visualization
  std::optional<std::uint32_t> frames;
  std::optional<std::uint64_t> input_bytes;
  std::optional<std::uint64_t> bytes;  // of pixels, in the store
  unsigned sound_channels = 0;         // that a store can keep; 0: it has no sound
  bool keeps_sound = true;
  bool hdr = false;
  std::string colours;  // a text for people; may be empty
  double hidden = 0;    // share of the wall's pixels that the bezels of a store's wall hide
  std::string preview;  // a small JPEG file; may be empty
};

// Bytes of a file, or of the files directly in a folder.
std::optional<std::uint64_t> bytes_of_input(const std::string& input);
// Of a frame with complete tags.
bool is_hdr(const AVFrame& frame);
// The frame, with complete tags, as a small JPEG file in SDR; empty if FFmpeg cannot convert it.
std::string small_jpeg(const AVFrame& frame, const SourceTags& tags);
// As one JSON object, with the preview in base64.
std::string to_json_line(const SourceFacts& facts);
// For people.
std::string to_text(const SourceFacts& facts);

}  // namespace lw
