// import.probe and import.source: what a source on the server's host is, before it is imported. docs/protocol.md
// describes them.
#pragma once

#include "common/messages/import.h"
#include "common/messages/rules.h"
#include "common/store/store_text_limits.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace lw {

struct ImportProbeRequest {
  std::string input;  // on the server's host
  std::optional<ImportFit> fit;
  std::optional<std::string> format = {};

  static constexpr bool closed = true;
  static void members(auto& request, auto& visit) {
    visit("input", request.input);
    visit("fit", request.fit, import_fit_names);
    visit("format", request.format, Text{StoreTextLimits::word});
  }
  [[nodiscard]] std::optional<std::string> problem() const { return problem_of_format(format); }
  bool operator==(const ImportProbeRequest&) const = default;
};

// The answer, which takes some time. With a reason, only the question is in it.
struct ImportSourceMessage {
  std::string input;  // as in the question
  std::optional<ImportFit> fit;
  std::optional<std::string> format = {};
  std::string reason;  // why it cannot be read
  std::string name;    // of the visualization, unless the import chooses another
  std::uint32_t width = 0, height = 0;
  std::string frame_rate;  // of the visualization
  std::optional<std::uint64_t> frames, input_bytes;
  std::optional<std::uint64_t> bytes;  // of the pixels in the store on the server's host
  bool sound = false;
  unsigned sound_channels = 0;  // that are kept
  bool hdr = false;
  double hidden_share = 0;  // of the wall's pixels that a store as the source does not have
  std::string preview;      // a JPEG file in base64; empty if there is none

  static constexpr std::size_t reason_bytes_max = 512;
  static constexpr std::size_t preview_bytes_max = std::size_t{192} << 10U;
  static constexpr std::int64_t side_max = INT32_MAX;
  static constexpr bool closed = false;
  static void members(auto& source, auto& visit) {
    visit("input", source.input);
    visit("fit", source.fit, import_fit_names, Tolerated{});
    visit("format", source.format, Tolerated{}, Text{StoreTextLimits::word});
    visit("reason", source.reason, MayBeAbsent{}, AbsentIfEmpty{});
    visit("name", source.name, MayBeAbsent{}, AbsentIfEmpty{});
    visit("width", source.width, MayBeAbsent{}, Whole{0, side_max});
    visit("height", source.height, MayBeAbsent{}, Whole{0, side_max});
    visit("frame_rate", source.frame_rate, MayBeAbsent{}, AbsentIfEmpty{}, Text{StoreTextLimits::word});
    visit("frames", source.frames);
    visit("input_bytes", source.input_bytes);
    visit("bytes", source.bytes);
    visit("sound", source.sound, MayBeAbsent{});
    visit("sound_channels", source.sound_channels, MayBeAbsent{});
    visit("hdr", source.hdr, MayBeAbsent{});
    visit("hidden_share", source.hidden_share, MayBeAbsent{});
    visit("preview", source.preview, Tolerated{}, AbsentIfEmpty{}, Text{(preview_bytes_max + 2) / 3 * 4});
  }
  bool operator==(const ImportSourceMessage&) const = default;
};

}  // namespace lw
