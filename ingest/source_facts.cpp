#include "ingest/source_facts.h"

#include "common/base/base64.h"
#include "common/base/counted.h"
#include "ingest/colour_map.h"
#include "ingest/small_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

namespace lw {
namespace {

constexpr int preview_side_max = 320;

struct FreeScaler {
  void operator()(SwsContext* scaler) const { sws_freeContext(scaler); }
};

}  // namespace

std::optional<std::uint64_t> bytes_of_input(const std::string& input) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::is_regular_file(input, error)) {
    const auto size = fs::file_size(input, error);
    return error ? std::nullopt : std::optional<std::uint64_t>(size);
  }
  if (!fs::is_directory(input, error)) return std::nullopt;
  std::uint64_t sum = 0;
  for (fs::directory_iterator entry(input, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code unreadable;
    if (const auto size = entry->is_regular_file(unreadable) ? entry->file_size(unreadable) : 0; !unreadable)
      sum += size;
  }
  return error ? std::nullopt : std::optional(sum);
}

bool is_hdr(const AVFrame& frame) { return source_colour(frame).transfer != Transfer::sdr; }

std::string small_jpeg(const AVFrame& frame, const SourceTags& tags) {
  if (frame.width <= 0 || frame.height <= 0) return {};
  const auto longer = std::max(frame.width, frame.height);
  const auto side_max = std::min(preview_side_max, longer);
  const auto scaled = [&](int side) { return std::max(1, static_cast<int>(std::int64_t{side} * side_max / longer)); };
  const int width = scaled(frame.width), height = scaled(frame.height);
  const std::unique_ptr<SwsContext, FreeScaler> scaler(
      sws_getContext(frame.width, frame.height, static_cast<AVPixelFormat>(frame.format), width, height,
                     AV_PIX_FMT_RGB24, SWS_AREA, nullptr, nullptr, nullptr));
  if (!scaler) return {};
  const bool converts = !has_colours_of(source_colour(frame), Colour{});
  if (const int* matrix = sws_getCoefficients(frame.colorspace); converts)
    sws_setColorspaceDetails(scaler.get(), matrix, frame.color_range == AVCOL_RANGE_JPEG ? 1 : 0, matrix, 1, 0, 1 << 16,
                             1 << 16);
  const auto small = new_frame(AV_PIX_FMT_RGB24, static_cast<unsigned>(width), static_cast<unsigned>(height));
  if (sws_scale(scaler.get(), frame.data, frame.linesize, 0, frame.height, small->data, small->linesize) != height)
    return {};
  if (converts) {
    const ColourMap map(source_colour(frame), Colour{}, tags.peak);
    for (int row = 0; row < height; ++row)
      map.apply({av::line_of<std::uint8_t>(*small, 0, row), static_cast<std::size_t>(width) * 3});
  }
  return jpeg_of(*small);
}

std::string to_json_line(const SourceFacts& facts) {
  nlohmann::json json{{"event", "probe"},
                      {"name", facts.name},
                      {"width", facts.width},
                      {"height", facts.height},
                      {"frame_rate", to_text(facts.frame_rate)},
                      {"sound", facts.sound_channels > 0},
                      {"sound_channels", facts.keeps_sound ? facts.sound_channels : 0},
                      {"hdr", facts.hdr},
                      {"colours", facts.colours}};
  if (facts.frames) json["frames"] = *facts.frames;
  if (facts.input_bytes) json["input_bytes"] = *facts.input_bytes;
  if (facts.bytes) json["bytes"] = *facts.bytes;
  if (facts.hidden > 0) json["hidden_share"] = facts.hidden;
  if (!facts.preview.empty()) json["preview"] = base64_of(facts.preview);
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string to_text(const SourceFacts& facts) {
  const auto megabytes = [](std::uint64_t bytes) { return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6); };
  auto text =
      fmt::format("{}: {}x{}, {} frames per second", facts.name, facts.width, facts.height, to_text(facts.frame_rate));
  if (facts.frames) text += ", " + counted(*facts.frames, "frame");
  if (facts.bytes)
    text += facts.input_bytes ? fmt::format(", {} become {}", megabytes(*facts.input_bytes), megabytes(*facts.bytes))
                              : ", needs " + megabytes(*facts.bytes);
  if (facts.sound_channels > 0)
    text += facts.keeps_sound ? "; sound: " + counted(facts.sound_channels, "channel") : "; its sound is not kept";
  if (!facts.colours.empty()) text += "; " + facts.colours;
  if (facts.hidden > 0)
    text += fmt::format("; {:.1f} % of the wall's pixels repeat those beside them, because the store lacks them",
                        facts.hidden * 100);
  return text;
}

}  // namespace lw
