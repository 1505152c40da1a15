#include "ingest/source_colour.h"

extern "C" {
#include <libavutil/pixdesc.h>
}

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace lw {
namespace {

constexpr std::array<std::pair<const char*, AVColorPrimaries>, 6> primaries_by_name{{
    {"bt709", AVCOL_PRI_BT709},
    {"bt2020", AVCOL_PRI_BT2020},
    {"p3", AVCOL_PRI_SMPTE432},
    {"dci-p3", AVCOL_PRI_SMPTE431},
    {"bt601-525", AVCOL_PRI_SMPTE170M},
    {"bt601-625", AVCOL_PRI_BT470BG},
}};
constexpr std::array<std::pair<const char*, AVColorSpace>, 3> matrices_by_name{{
    {"bt601", AVCOL_SPC_SMPTE170M},
    {"bt709", AVCOL_SPC_BT709},
    {"bt2020", AVCOL_SPC_BT2020_NCL},
}};

template <class Table>
std::vector<std::string> names_in(const Table& table) {
  std::vector<std::string> names;
  for (const auto& entry : table) names.emplace_back(entry.first);
  return names;
}

AVColorTransferCharacteristic tag_of(Transfer transfer) {
  return transfer == Transfer::pq    ? AVCOL_TRC_SMPTE2084
         : transfer == Transfer::hlg ? AVCOL_TRC_ARIB_STD_B67
                                     : AVCOL_TRC_BT709;
}

AVColorPrimaries primaries_of(Primaries primaries) {
  return primaries == Primaries::bt2020 ? AVCOL_PRI_BT2020
         : primaries == Primaries::p3   ? AVCOL_PRI_SMPTE432
                                        : AVCOL_PRI_BT709;
}

}  // namespace

std::vector<std::string> source_primaries_names() { return names_in(primaries_by_name); }
std::vector<std::string> source_matrix_names() { return names_in(matrices_by_name); }

AVColorPrimaries source_primaries(const std::string& name) {
  return std::ranges::find(primaries_by_name, name, [](const auto& entry) { return entry.first; })->second;
}

AVColorSpace source_matrix(const std::string& name) {
  return std::ranges::find(matrices_by_name, name, [](const auto& entry) { return entry.first; })->second;
}

std::string to_text(const SourceTags& tags) {
  const auto number = [](const auto& tag) { return tag ? fmt::format("{}", static_cast<int>(*tag)) : std::string(); };
  return fmt::format("{},{},{},{},{}", number(tags.primaries), number(tags.transfer), number(tags.matrix),
                     number(tags.range), tags.peak);
}

SourceColour source_colour(const AVFrame& frame) {
  SourceColour colour;
  if (frame.color_primaries != AVCOL_PRI_UNSPECIFIED && frame.color_primaries != AVCOL_PRI_RESERVED0)
    colour.primaries = frame.color_primaries;
  if (frame.color_trc == AVCOL_TRC_SMPTE2084) colour.transfer = Transfer::pq;
  if (frame.color_trc == AVCOL_TRC_ARIB_STD_B67) colour.transfer = Transfer::hlg;
  return colour;
}

SourceColour as_source(const Colour& wall) { return {primaries_of(wall.primaries), wall.transfer}; }

bool has_colours_of(const SourceColour& source, const Colour& wall) { return source == as_source(wall); }

void complete_tags(AVFrame& frame, const SourceTags& tags) {
  if (tags.primaries) frame.color_primaries = *tags.primaries;
  if (tags.transfer) frame.color_trc = tag_of(*tags.transfer);
  if (tags.matrix) frame.colorspace = *tags.matrix;
  if (tags.range) frame.color_range = *tags.range;
  const bool is_hdr = source_colour(frame).transfer != Transfer::sdr;
  const bool has_matrix_of_2020 = frame.colorspace == AVCOL_SPC_BT2020_NCL || frame.colorspace == AVCOL_SPC_BT2020_CL;
  if (frame.color_primaries == AVCOL_PRI_UNSPECIFIED && (is_hdr || has_matrix_of_2020))
    frame.color_primaries = AVCOL_PRI_BT2020;
  if (frame.color_primaries == AVCOL_PRI_BT2020 && frame.colorspace == AVCOL_SPC_UNSPECIFIED)
    frame.colorspace = AVCOL_SPC_BT2020_NCL;
}

std::string colours_text(const AVFrame& frame, const SourceTags& tags, const Colour& wall) {
  const av::Frame complete(av_frame_clone(&frame));
  if (complete == nullptr) return {};
  complete_tags(*complete, tags);
  const auto colour = source_colour(*complete);
  const auto known =
      std::ranges::find(primaries_by_name, colour.primaries, [](const auto& entry) { return entry.second; });
  const char* other = av_color_primaries_name(colour.primaries);
  const auto name =
      fmt::format("{} {}", known != primaries_by_name.end() ? known->first : (other != nullptr ? other : "unknown"),
                  name_of(colour.transfer));
  const bool assumed = complete->color_primaries == AVCOL_PRI_UNSPECIFIED;
  return (assumed ? "no tag names its colours, which are taken as " : "its colours are ") + name +
         (colour == as_source(wall) ? "" : ", converted to " + to_text(wall));
}

Result<void> check_matrix(const AVFrame& frame) {
  if (frame.colorspace != AVCOL_SPC_BT2020_CL && frame.colorspace != AVCOL_SPC_ICTCP) return {};
  return Error{fmt::format("cannot convert colours with the matrix {}", av_color_space_name(frame.colorspace)),
               "re-encode the source with the matrix bt2020nc; if its tag is wrong, use --source-matrix"};
}

}  // namespace lw
